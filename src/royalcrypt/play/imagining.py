"""A game as one of its viewers may imagine it: what they were told, and something for what they were not.

A running game is told to each seat with ``?`` for what it does not know (RECORD.md). With values put in that
could be there, it is a game again. Its views for that seat are just those of the real game: they tell nothing
that the seat does not know (R11.6), so it does not matter what was put in.
"""

import random
from typing import Any

from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.game import Game
from royalcrypt.play.replay import BrokenRecord, replay
from royalcrypt.rules import actions as codes
from royalcrypt.rules.cards import COPIES
from royalcrypt.rules.layout import GHOST, VALUES

Json = dict[str, Any]
HIDDEN = "?"
TRIES = 200
"""Hardly ever more than one is needed: only equal cards that somebody flipped one of can be told apart."""


def imagined(told: Json, *, decisions: int = 0) -> Game:
    """A game of which the viewer of this record would be told just the same.

    An offer that was let pass leaves no trace in a record. Who knows from a view how many ``decisions`` were
    made gets the game after these, not one in which somebody is still to decide what is decided.
    """
    viewer = told.get("viewer")
    if type(viewer) is not int:
        raise Refusal(Reason.NOT_A_RECORD, n=-1, field="viewer")
    whole = {name: part for name, part in told.items() if name != "viewer"}
    for seed in range(TRIES):
        try:
            game = replay(Record.parse(whole | {"events": _filled(told, random.Random(seed))}))
        except BrokenRecord:
            continue
        if game.record_for(viewer).to_dict()["events"] == told["events"]:
            return _with_offers_passed(game, viewer, decisions)
    raise Refusal(Reason.VIEWERS_RECORD)


def _with_offers_passed(game: Game, viewer: int, decisions: int) -> Game:
    """As long as nothing else comes of it."""
    while game.view(viewer).decisions < decisions and codes.DECLINE in game.view(game.actor).actions:
        after = game.clone()
        if after.play("decline"):
            break
        game = after
    return game


def _filled(told: Json, chance: random.Random) -> list[Json]:
    """The events with a value for each hidden card, wherever it turns up."""
    unseen = _unseen(told)
    events: list[Json] = []
    row: list[str] = []
    holders: dict[int, int] = {}
    for event in told["events"]:
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


def _unseen(told: Json) -> dict[str, list[int]]:
    """By type, the values of cards whose place the viewer does not know (R11.5)."""
    seats = max(2, told["game"]["players"])
    unseen = {
        letter: [value for value in range(1, VALUES + 1) for _ in range(COPIES[seats][value - 1])]
        for letter in LETTERS
    }
    for event in told["events"]:
        for letter, value in event.get("row", ()):
            if value != HIDDEN:
                unseen[letter].remove(int(value))
    return unseen


def _with_value(card: str, unseen: dict[str, list[int]], chance: random.Random) -> str:
    letter, value = card
    if value != HIDDEN:
        return card
    left = unseen[letter]
    return f"{letter}{left.pop(chance.randrange(len(left)))}"
