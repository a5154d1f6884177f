"""Reconstruction of a possible game from one seat's record of it.

A seat's record has ``?`` for each value that the seat does not know (RECORD.md). Filled with possible values,
it is a complete game. Its views for that seat equal those of the real game, because they depend only on what
the seat knows (R11.6), so any possible values will do.
"""

import random
from typing import Any

from royalcrypt.notation.cards import LETTERS, UNKNOWN
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.game import Game
from royalcrypt.play.replay import BrokenRecord, replay
from royalcrypt.rules import actions as codes
from royalcrypt.rules.cards import COPIES
from royalcrypt.rules.layout import GHOST, VALUES

Json = dict[str, Any]
TRIES = 200
"""The most attempts; more than one is rare, because only a flip of one of equal cards can exclude values."""


def reconstructed(record: Json, *, decisions: int = 0) -> Game:
    """Reconstruct a game whose record for the same viewer is equal.

    Records do not contain declined offers. ``decisions``, taken from the viewer's view, is the number of all
    decisions including these.
    """
    viewer = record.get("viewer")
    if type(viewer) is not int:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="viewer")
    whole = {name: part for name, part in record.items() if name != "viewer"}
    for seed in range(TRIES):
        try:
            game = replay(Record.parse(whole | {"events": _filled(record, random.Random(seed))}))
        except BrokenRecord:
            continue
        if game.record_for(viewer).to_dict()["events"] == record["events"]:
            return _after_declines(game, viewer, decisions)
    raise Refusal(Reason.VIEWERS_RECORD)


def _after_declines(game: Game, viewer: int, decisions: int) -> Game:
    """Replay the declined offers that are missing in the record; they cause no events."""
    while game.view(viewer).decisions < decisions and codes.DECLINE in game.view(game.actor).actions:
        after = game.clone()
        if after.play("decline"):
            break
        game = after
    return game


def _filled(record: Json, chance: random.Random) -> list[Json]:
    """The events with each hidden card replaced by a possible value, the same wherever it occurs."""
    unseen = _unseen(record)
    events: list[Json] = []
    row: list[str] = []
    holders: dict[int, int] = {}
    for event in record["events"]:
        match event["type"]:
            case "reveal":
                row = [_with_value(card, unseen, chance) for card in event["row"]]
                holders = {}
                events.append(event | {"row": row})
            case "claim" | "ghost":
                holders |= {put["slot"]: event.get("seat", GHOST) for put in event["place"]}
                events.append(event)
            case "collect":
                mine = [slot for slot in sorted(holders) if holders[slot] == event["seat"]]
                events.append(event | {"cards": [row[slot] for slot in mine]})
            case _:
                events.append(event)
    return events


def _unseen(record: Json) -> dict[str, list[int]]:
    """The values of cards at places unknown to the viewer, by type (R11.5)."""
    seats = max(2, record["game"]["players"])
    unseen = {
        letter: [value for value in range(1, VALUES + 1) for _ in range(COPIES[seats][value - 1])]
        for letter in LETTERS
    }
    for event in record["events"]:
        for letter, value in event.get("row", ()):
            if value != UNKNOWN:
                unseen[letter].remove(int(value))
    return unseen


def _with_value(card: str, unseen: dict[str, list[int]], chance: random.Random) -> str:
    values = unseen[card[0]]
    return card if card[1] != UNKNOWN else f"{card[0]}{values.pop(chance.randrange(len(values)))}"
