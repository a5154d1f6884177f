"""Replays records as games and checks every event against the rules."""

import json
from collections import Counter
from typing import Any, cast

import msgspec

from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES, UNKNOWN, Card
from royalcrypt.notation.events import Event, event_dict
from royalcrypt.notation.moves import Move, Verb
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.chance import Address, Chance, CommittedChance, RecordedChance, SeededChance
from royalcrypt.play.game import Game
from royalcrypt.rules.cards import kind_of
from royalcrypt.rules.layout import GHOST

LONGEST_QUOTE = 1000


class BrokenRecord(Refusal):
    """A record does not follow the rules; ``details["n"]`` is the number of the first wrong event."""


def against_rules(refusal: Refusal, n: int) -> BrokenRecord:
    """The refusal as an error of the record, with the same code and details for translation."""
    told = refusal.details | {"n": n, "rule": refusal.reason.value, "why": str(refusal)}
    return BrokenRecord(Reason.BROKEN_RULE, **told)


def replay(record: Record) -> Game:
    """The game of a record; refuses records made for one viewer, raises BrokenRecord for illegal ones."""
    if "viewer" in record.extra:
        raise Refusal(Reason.VIEWERS_RECORD)
    for n, event in enumerate(record.events):
        if UNKNOWN in str(event_dict(event, n)):
            raise BrokenRecord(Reason.HIDDEN_VALUE, n=n)
    chance = recorded_chance(record)
    game = _begin(record, chance)
    game.id, game.created = record.id, record.created
    if record.result is None and "moves" in record.extra:
        _play_saved_moves(game, record)
    else:
        _play_events(game, record)
    if record.result is not None and not _is_equal(game.result(), record.result):
        expected, found = _text(game.result()), _text(record.result)
        raise BrokenRecord(Reason.WRONG_RESULT, n=len(record.events), expected=expected, found=found)
    game.chance = chance.otherwise if states_chance_source(record) else chance
    return game


def recorded_chance(record: Record) -> RecordedChance:
    """The chance outcomes in the record, independent of its secret."""
    return RecordedChance(_outcomes(record), _chance_after(record))


def _is_equal(ours: Any, theirs: Any) -> bool:
    """Whether values are equal; true is not 1. The record may have extra fields, but no extra Collectors."""
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, dict):
        needed, found = cast("dict[str, Any]", ours), cast("dict[str, Any]", theirs)
        has_all = set(needed) == set(found) if TYPE_NAMES[0] in needed else set(needed) <= set(found)
        return has_all and all(_is_equal(needed[name], found[name]) for name in needed)
    if isinstance(ours, list):
        rows = cast("list[Any]", ours), cast("list[Any]", theirs)
        return len(rows[0]) == len(rows[1]) and all(map(_is_equal, *rows))
    return ours == theirs


def _begin(record: Record, chance: Chance) -> Game:
    try:
        return Game.new(
            players=record.players,
            collectors=record.collectors,
            leader=record.leader,
            chance=chance,
            seats=record.seats,
        )
    except Refusal as error:
        raise against_rules(error, 0) from None


def _text(found: Any) -> str:
    return _short(json.dumps(found, ensure_ascii=False))


def _short(text: str) -> str:
    """Shorten external text for an error message."""
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def states_chance_source(record: Record) -> bool:
    """Whether the record states its source of chance, which also determines the later outcomes."""
    extra = record.extra
    return "chance" in extra or "secret" in extra or "seed" in extra.get("fairness", {})


def _chance_after(record: Record) -> Chance:
    """The source of chance after the record's end: its own source if stated, otherwise a random one."""
    fairness = record.extra.get("fairness", {})
    try:
        if "chance" in record.extra:
            return seeded_chance(record.extra["chance"])
        secret = record.extra.get("secret") or fairness.get("seed")
        return CommittedChance() if secret is None else committed_chance(secret, fairness)
    except MALFORMED:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="fairness") from None


MALFORMED = (KeyError, TypeError, ValueError, AttributeError)
"""The errors that malformed JSON values raise when they are parsed as a secret or a seed."""


def seeded_chance(found: Any) -> SeededChance:
    return SeededChance(*(msgspec.convert(found[name], int) for name in ("seed", "game")))


def committed_chance(secret: Any, fairness: Any) -> CommittedChance:
    entropy = msgspec.convert(fairness.get("entropy", ()), tuple[str, ...])
    if not all(map(str.isascii, entropy)):
        raise ValueError
    return CommittedChance(bytes.fromhex(secret), entropy)


Dice = list[tuple[str, int, tuple[int, ...]]]


def dice_of(event: Event) -> Dice:
    """The dice rolled in an event: purpose and seat of their addresses, and faces."""
    match event:
        case events.Roll():
            return [("die", event.seat, event.rolled)]
        case events.Reroll():
            return [("die", event.seat, (event.rolled,))]
        case events.Ghost():
            return [("ghost", GHOST, event.rolled)]
        case events.Tiebreak():
            return [("tie", seat, faces) for seat, faces in event.rolled.items()]
        case _:
            return []


def _outcomes(record: Record) -> dict[Address, int]:
    """All cards and dice in the record, by address."""
    found: dict[Address, int] = {}
    rolled: Counter[tuple[str, int, int]] = Counter()
    round_number = 0
    reveals = [event for event in record.events if isinstance(event, events.Reveal)]
    following = iter((*reveals[1:], None))
    for event in record.events:
        if isinstance(event, events.Reveal):
            round_number = event.round
            after = next(following)
            top = event.top or (_draw_order(record, after, None)[0][0] if after and after.row else None)
            before = found.get(("top", round_number - 1, 0, 0))
            for index, card in enumerate(_draw_order(record, event, before)):
                found["card", round_number, 0, index] = kind_of(card.type, card.value)
            if top is not None:
                found["top", round_number, 0, 0] = LETTERS.index(top)
        for purpose, seat, faces in dice_of(event):
            whose = (purpose, round_number, seat)
            for face in faces:
                found[*whose, rolled[whose]] = face
                rolled[whose] += 1
    return found


def _draw_order(record: Record, event: events.Reveal, top: int | None) -> list[Card]:
    """The row in the order of drawing, face-up first; in solo games, the record has it sorted (R10.3)."""
    if record.players > 1:
        return list(event.row)
    up = [card for slot, card in enumerate(event.row) if slot not in event.down]
    down = [card for slot, card in enumerate(event.row) if slot in event.down]
    if top is not None:
        up.sort(key=lambda card: card.type != top)
    return up + down


def _play_saved_moves(game: Game, record: Record) -> None:
    try:
        for seat, text in record.extra["moves"]:
            game.play(Move.parse(_short(text)), seat=seat)
    except (AttributeError, TypeError, ValueError) as error:
        raise BrokenRecord(Reason.BROKEN_RULE, n=len(game.events), why=_short(str(error))) from None
    _compare(game, record, is_all=True)


def _play_events(game: Game, record: Record) -> None:
    _compare(game, record)
    while not game.is_over and len(game.events) < len(record.events):
        n = len(game.events)
        seat, move = next_move(game.phase, game.actor or 0, record.events[n])
        try:
            game.play(move, seat=seat)
        except Refusal as error:
            raise against_rules(error, n) from None
        _compare(game, record, since=n)
    _compare(game, record, since=len(game.events), is_all=True)


def next_move(phase: str, actor: int, event: Event) -> tuple[int, Move]:
    """The seat and move that lead to this event; declined offers have no event and are inserted."""
    flip = tuple(card.value for card in getattr(event, "flip", ()))
    match event:
        case events.Claim():
            move = Move.claim(*event.place)
        case events.Recover():
            move = Move.of(Verb.RECOVER)
        case events.Take() | events.Reroll():
            move = Move.of(Verb(event.type), slot=event.slot, flip=flip)
        case events.Peek() | events.Mend():
            move = Move.of(Verb(event.type), flip=flip)
        case _:
            return actor, Move.of(Verb.DECLINE)
    own, others = EVENTS_OF_WINDOWS.get(phase, (Event, Event))
    if isinstance(event, own if event.seat == actor else others):
        return event.seat, move
    return actor, Move.of(Verb.DECLINE)


EVENTS_OF_WINDOWS: dict[str, tuple[Any, Any]] = {
    "pottery": ((events.Take, events.Peek, events.Mend), (events.Peek, events.Mend)),
    "idol": (events.Reroll, ()),
    "remains": (events.Mend, ()),
}
"""The events that the actor, or another seat (R9.1), may cause in each phase."""


def _compare(game: Game, record: Record, *, since: int = 0, is_all: bool = False) -> None:
    """Check that the events of the replay equal the recorded ones."""
    for n in range(since, len(game.events)):
        if n >= len(record.events):
            raise BrokenRecord(Reason.MISSING_EVENT, n=n, expected=_event_text(game.events[n], n))
        if _comparable(game.events[n], record.events[n]) != _comparable(record.events[n], record.events[n]):
            expected, found = _event_text(game.events[n], n), _event_text(record.events[n], n)
            raise BrokenRecord(Reason.BROKEN_EVENT, n=n, expected=expected, found=found)
    if is_all and len(record.events) > len(game.events):
        n = len(game.events)
        raise BrokenRecord(Reason.SUPERFLUOUS_EVENT, n=n, found=_event_text(record.events[n], n))


def _event_text(event: Event, n: int) -> str:
    return _text(event_dict(event, n))


def _comparable(event: Event, recorded: Event) -> dict[str, Any]:
    """The event without optional fields and with lists in a fixed order, for comparison."""
    found = event_dict(event, 0)
    if isinstance(recorded, events.Reveal) and recorded.top is None:
        found["top"] = None
    if "flip" in found:
        found["flip"] = sorted(found["flip"])
    if isinstance(event, events.Ghost):
        found["place"] = sorted(found["place"], key=lambda place: place["slot"])
    if isinstance(event, events.Idols):
        found["flips"] = {seat: sorted(cards) for seat, cards in found["flips"].items()}
    return found
