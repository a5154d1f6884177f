"""Game events in the format of RECORD.md.

A card in an event is a ``Card``: in JSON only its text, in memory also the index of the physical card, so
that values a viewer does not know can be removed (``royalcrypt.play.redaction``).
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
"""Length limit for lists of cards, dice or placements in one event; no real event reaches it."""
Cards = Annotated[tuple[Card, ...], Many]
Faces = Annotated[tuple[Whole, ...], Many]
Places = Annotated[tuple[Placement, ...], Many]
DeckTop = Annotated[str, Meta(pattern=r"^[IJMPRT]\Z")] | None
SeatKey = Annotated[int, Meta(ge=0, lt=SEATS)]
CardsBySeat = dict[SeatKey, Cards]
FacesBySeat = dict[SeatKey, Faces]


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    type: ClassVar[str]
    """The lower-case name of the event class, as in records."""

    def __init_subclass__(cls, **_: Any) -> None:
        cls.type = cls.__name__.lower()


class Reveal(Event, frozen=True):
    round: Whole
    leader: Whole
    row: Cards
    down: Faces
    top: DeckTop = None
    """The type of the deck's new top card: public (R1.2), although RECORD.md does not require it."""


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
"""Encodes an event; the hook writes ``Card``, which msgspec does not treat as text."""


def event_json(event: Event, n: int) -> bytes:
    """The event with number ``n`` as JSON, in the format of RECORD.md."""
    return b'{"n":%d,%b' % (n, _encode(event)[1:])


def event_dict(event: Event, n: int) -> dict[str, Any]:
    """The event with number ``n`` as a dictionary of plain values."""
    return msgspec.json.decode(event_json(event, n))


def parse_event(found: Any, n: int) -> Event:
    """Parse the event with the expected number ``n``; unknown fields are ignored."""
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
