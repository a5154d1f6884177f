"""What happened in a game, as the events of RECORD.md.

A card in an event is a ``Card``: as JSON just its text, in memory also which physical card it is, so that
what a viewer does not know can be taken out (``royalcrypt.play.redaction``).
"""

from typing import Annotated, Any, ClassVar, cast

import msgspec
from msgspec import Meta
from msgspec.structs import fields

from royalcrypt.notation.cards import Card, is_card
from royalcrypt.notation.moves import Placement, Whole
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import SEATS

Many = Meta(max_length=100)
"""Limit of cards, dice or placements in one event; there are not as many in the box."""
Cards = Annotated[tuple[Card, ...], Many]
Faces = Annotated[tuple[Whole, ...], Many]
Places = Annotated[tuple[Placement, ...], Many]
DeckTop = Annotated[str, Meta(pattern=r"^[IJMPRT]\Z")] | None
SeatKey = Annotated[int, Meta(ge=0, lt=SEATS)]
CardsBySeat = dict[SeatKey, Cards]
FacesBySeat = dict[SeatKey, Faces]


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    type: ClassVar[str]
    """Name of the class in small letters."""

    def __init_subclass__(cls, **_: Any) -> None:
        cls.type = cls.__name__.lower()


class Reveal(Event, frozen=True):
    round: Whole
    leader: Whole
    row: Cards
    down: Faces
    top: DeckTop = None
    """Type of the deck's new top card: public (R1.2), though RECORD.md does not ask for it."""


class Take(Event, frozen=True):
    seat: Whole
    slot: Whole
    flip: Cards


class Peek(Event, frozen=True):
    seat: Whole
    flip: Cards


class Mend(Event, frozen=True):
    seat: Whole
    flip: Cards


class Claim(Event, frozen=True):
    seat: Whole
    place: Places
    last: bool


class Recover(Event, frozen=True):
    seat: Whole
    dice: Whole


class Ghost(Event, frozen=True):
    rolled: Faces
    place: Places
    last: bool


class Rally(Event, frozen=True):
    seat: Whole
    dice: Whole


class Roll(Event, frozen=True):
    seat: Whole
    slot: Whole
    effort: Whole
    rolled: Faces


class Reroll(Event, frozen=True):
    seat: Whole
    slot: Whole
    effort: Whole
    flip: Cards
    rolled: Whole


class Collect(Event, frozen=True):
    seat: Whole
    cards: Cards


class Idols(Event, frozen=True):
    flips: CardsBySeat


class Tiebreak(Event, frozen=True):
    rolled: FacesBySeat


class End(Event, frozen=True):
    scores: Faces
    winners: Faces


KINDS: dict[str, type[Event]] = {kind.type: kind for kind in Event.__subclasses__()}


_encode = msgspec.json.Encoder(enc_hook=str).encode
"""The hook writes a ``Card``, which msgspec does not take for text."""


def event_json(event: Event, n: int) -> bytes:
    """As RECORD.md writes it."""
    return b'{"n":%d,%b' % (n, _encode(event)[1:])


def event_dict(event: Event, n: int) -> dict[str, Any]:
    """The same as plain values."""
    return msgspec.json.decode(event_json(event, n))


def parse_event(found: Any, n: int) -> Event:
    """Read the event that should stand at ``n``; unknown fields are ignored."""
    values = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    kind = KINDS.get(str(values.get("type")))
    if kind is None:
        raise Refusal(Reason.NOT_A_RECORD, n=n, field="type")
    if type(values.get("n")) is not int or values["n"] != n:
        raise Refusal(Reason.NOT_A_RECORD, n=n, field="n")
    read: dict[str, Any] = {}
    for field in fields(kind):
        try:
            if field.required or field.name in values:
                value = values[field.name]
                read[field.name] = msgspec.convert(value, field.type, str_keys=True, dec_hook=_card)
        except (KeyError, msgspec.ValidationError):
            raise Refusal(Reason.NOT_A_RECORD, n=n, field=field.name) from None
    return kind(**read)


def _card(_: type, text: Any) -> Card:
    if not is_card(text):
        raise ValueError
    return Card(text)
