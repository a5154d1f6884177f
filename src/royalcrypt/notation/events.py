"""What happened in a game, as the events of RECORD.md.

A card in an event is a ``Card``: as JSON just its text, in memory also which physical card it is, so that
what a viewer does not know can be taken out (``royalcrypt.play.redaction``).
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar, cast

import msgspec

from royalcrypt.notation.cards import LETTERS, Card, is_card
from royalcrypt.notation.moves import Placement
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import SEATS

Cards = tuple[Card, ...]
Faces = tuple[int, ...]
Places = tuple[Placement, ...]
LARGEST = 10**6
MOST_LISTED = 100
"""Cards, dice or placements in one event; there are not as many in the box."""
SEATS_AS_TEXT = {str(seat) for seat in range(SEATS)}


@dataclass(frozen=True, slots=True)
class Event:
    type: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Reveal(Event):
    type: ClassVar[str] = "reveal"
    round: int
    leader: int
    row: Cards
    down: Faces
    top: str | None = None
    """Type of the deck's new top card: public (R1.2), though RECORD.md does not ask for it."""


@dataclass(frozen=True, slots=True)
class Take(Event):
    type: ClassVar[str] = "take"
    seat: int
    slot: int
    flip: Cards


@dataclass(frozen=True, slots=True)
class Peek(Event):
    type: ClassVar[str] = "peek"
    seat: int
    flip: Cards


@dataclass(frozen=True, slots=True)
class Mend(Event):
    type: ClassVar[str] = "mend"
    seat: int
    flip: Cards


@dataclass(frozen=True, slots=True)
class Claim(Event):
    type: ClassVar[str] = "claim"
    seat: int
    place: Places
    last: bool


@dataclass(frozen=True, slots=True)
class Recover(Event):
    type: ClassVar[str] = "recover"
    seat: int
    dice: int


@dataclass(frozen=True, slots=True)
class Ghost(Event):
    type: ClassVar[str] = "ghost"
    rolled: Faces
    place: Places
    last: bool


@dataclass(frozen=True, slots=True)
class Rally(Event):
    type: ClassVar[str] = "rally"
    seat: int
    dice: int


@dataclass(frozen=True, slots=True)
class Roll(Event):
    type: ClassVar[str] = "roll"
    seat: int
    slot: int
    effort: int
    rolled: Faces


@dataclass(frozen=True, slots=True)
class Reroll(Event):
    type: ClassVar[str] = "reroll"
    seat: int
    slot: int
    effort: int
    flip: Cards
    rolled: int


@dataclass(frozen=True, slots=True)
class Collect(Event):
    type: ClassVar[str] = "collect"
    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class Idols(Event):
    type: ClassVar[str] = "idols"
    flips: dict[int, Cards]


@dataclass(frozen=True, slots=True)
class Tiebreak(Event):
    type: ClassVar[str] = "tiebreak"
    rolled: dict[int, Faces]


@dataclass(frozen=True, slots=True)
class End(Event):
    type: ClassVar[str] = "end"
    scores: Faces
    winners: Faces


KINDS: dict[str, type[Event]] = {
    kind.type: kind
    for kind in (
        Reveal,
        Take,
        Peek,
        Mend,
        Claim,
        Recover,
        Ghost,
        Rally,
        Roll,
        Reroll,
        Collect,
        Idols,
        Tiebreak,
        End,
    )
}


def event_dict(event: Event, n: int) -> dict[str, Any]:
    """As RECORD.md writes it."""
    kind = type(event)
    found: dict[str, Any] = {"n": n, "type": event.type}
    for name in NAMES[kind]:
        found[name] = getattr(event, name)
    for name, write in REWRITTEN[kind]:
        found[name] = write(found[name])
    return found


def event_json(event: Event, n: int) -> bytes:
    """``event_dict`` as JSON."""
    return b'{"n":%d,"type":"%b",%b' % (n, event.type.encode("ascii"), _encode(event)[1:])


_encode = msgspec.json.Encoder(enc_hook=str).encode
"""Fields are told as they stand; only a ``Card``, which is no plain text to msgspec, must become one."""


def _texts(cards: Cards) -> list[str]:
    return [str(card) for card in cards]


def _dice(places: Places) -> list[dict[str, int]]:
    return [{"slot": place.slot, "dice": place.dice, "effort": place.effort} for place in places]


WRITERS: dict[Any, Callable[[Any], Any]] = {
    Cards: _texts,
    Faces: list,
    Places: _dice,
    dict[int, Cards]: lambda flips: {str(seat): _texts(cards) for seat, cards in flips.items()},
    dict[int, Faces]: lambda rolled: {str(seat): list(faces) for seat, faces in rolled.items()},
}
"""By type; whatever else a field holds is written as it is."""
NAMES = {kind: [field.name for field in fields(kind)] for kind in KINDS.values()}
REWRITTEN = {
    kind: [(field.name, WRITERS[field.type]) for field in fields(kind) if field.type in WRITERS]
    for kind in KINDS.values()
}


def parse_event(found: Any, n: int) -> Event:
    """Read the event that should stand at ``n``; unknown fields are ignored."""
    told = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if str(told.get("type")) not in KINDS:
        raise Refusal(Reason.NOT_A_RECORD, n=n, field="type")
    if type(told.get("n")) is not int or told["n"] != n:
        raise Refusal(Reason.NOT_A_RECORD, n=n, field="n")
    kind = KINDS[str(told["type"])]
    values: dict[str, Any] = {}
    for field in fields(kind):
        if field.name == "top" and field.name not in told:
            continue
        try:
            values[field.name] = READERS[field.type](told[field.name])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise Refusal(Reason.NOT_A_RECORD, n=n, field=field.name) from None
    return kind(**values)


def _whole(value: Any) -> int:
    """Small, as all numbers of a game are: a large one would only cause trouble further on."""
    if type(value) is not int or abs(value) > LARGEST:
        raise TypeError
    return value


def _by_seat(value: Any, read: Callable[[Any], Any]) -> dict[int, Any]:
    """Keyed by seats as JSON has them: ``"0"``, never ``"00"``."""
    found = cast("dict[str, Any]", value)
    if type(value) is not dict or not set(found) <= SEATS_AS_TEXT:
        raise TypeError
    return {int(seat): read(item) for seat, item in found.items()}


def _flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError
    return value


def _list(value: Any) -> list[Any]:
    if type(value) is not list or len(cast("list[Any]", value)) > MOST_LISTED:
        raise TypeError
    return cast("list[Any]", value)


def _faces(value: Any) -> Faces:
    return tuple(_whole(item) for item in _list(value))


def _cards(value: Any) -> Cards:
    if not all(is_card(item) for item in _list(value)):
        raise ValueError
    return tuple(Card(item) for item in value)


def _places(value: Any) -> Places:
    return tuple(
        Placement(_whole(item["slot"]), _whole(item["dice"]), _whole(item["effort"])) for item in _list(value)
    )


def _top(value: Any) -> str | None:
    if value is not None and value not in tuple(LETTERS):
        raise ValueError
    return value


READERS: dict[Any, Any] = {
    int: _whole,
    bool: _flag,
    Cards: _cards,
    Faces: _faces,
    Places: _places,
    str | None: _top,
    dict[int, Cards]: partial(_by_seat, read=_cards),
    dict[int, Faces]: partial(_by_seat, read=_faces),
}
