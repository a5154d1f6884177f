"""Commands from clients: types, limits, and errors for undecodable messages."""

import re
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.notation.moves import Action, Move, Placement, Verb, is_whole
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.settings import SeatNumber
from royalcrypt.tables.texts import Reaction

NAMED = re.compile(r"(missing required|contains unknown) field `([^`]*)`")
PLACE = re.compile(r" - at (?:`key` in )?`(\$[^`]*)`")
WHOLE = "$"


class Fault(StrEnum):
    """Reasons why a message cannot be decoded; their texts are in ``locales``."""

    BINARY = "binary"
    NOT_JSON = "not_json"
    MISSING = "missing"
    UNKNOWN = "unknown"
    WRONG = "wrong"
    PARTS = "parts"
    METHOD = "method"


def unreadable(error: Exception) -> Refusal:
    """Return a refusal with a code and a field, parsed from msgspec's English error text."""
    if not isinstance(error, msgspec.ValidationError):
        return Refusal(Reason.NOT_A_MESSAGE, why=Fault.NOT_JSON)
    place, named = PLACE.search(str(error)), NAMED.search(str(error))
    field = place[1] if place else WHOLE
    if named is None:
        return Refusal(Reason.NOT_A_MESSAGE, why=Fault.WRONG, field=field)
    why = Fault.MISSING if named[1].startswith("missing") else Fault.UNKNOWN
    return Refusal(Reason.NOT_A_MESSAGE, why=why, field=f"{field}.{named[2]}")


MAX_MESSAGE_LENGTH = 16 * 1024

TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{6,32}$")]
Invite = Annotated[str, Meta(min_length=1, max_length=64)]
MessageId = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Ply = Annotated[int, Meta(ge=0, le=1_000_000)]
Slot = Annotated[int, Meta(ge=0, le=5)]
Dice = Annotated[int, Meta(ge=1, le=3)]
Effort = Annotated[int, Meta(ge=1, le=6)]
Value = Annotated[int, Meta(ge=1, le=4)]


class WirePlacement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dice of the same effort that are placed on one card."""

    slot: Slot
    dice: Dice
    effort: Effort


class WireAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One complete action in the terms of the move notation; slots count from 0."""

    do: Verb
    place: Annotated[tuple[WirePlacement, ...], Meta(max_length=3)] = ()
    slot: Slot | None = None
    flip: Annotated[tuple[Value, ...], Meta(max_length=2)] = ()

    @classmethod
    def of(cls, action: Action) -> "WireAction":
        place = tuple(WirePlacement(put.slot, put.dice, put.effort) for put in action.place)
        return cls(action.verb, place=place, slot=action.slot, flip=action.flip)

    def action(self) -> Action:
        """Convert to an ``Action``; raises Refusal unless it has exactly the parts that its verb needs."""
        place = tuple(sorted(Placement(put.slot, put.dice, put.effort) for put in self.place))
        action = Action(self.do, place=place, slot=self.slot, flip=tuple(sorted(self.flip)))
        if not is_whole(action):
            raise Refusal(Reason.NOT_A_MESSAGE, why=Fault.PARTS, verb=self.do)
        return action


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of all commands; ``id`` is chosen by the client, and the answer repeats it as ``re``."""


class Watch(Command, frozen=True, kw_only=True, tag="watch"):
    """Start watching a table, from one of the sender's seats or as a spectator."""

    table: TableId
    invite: Invite | None = None
    seat: SeatNumber | None = None
    since: Ply = 0
    """Number of events that the client already has."""
    id: MessageId | None = None


class Unwatch(Command, frozen=True, kw_only=True, tag="unwatch"):
    """Stop watching a table."""

    table: TableId
    id: MessageId | None = None


class Act(Command, frozen=True, kw_only=True, tag="act"):
    """Make a complete move, chosen when the table was at ``ply``; it is applied completely or not at all."""

    table: TableId
    ply: Ply
    actions: Annotated[tuple[WireAction, ...], Meta(min_length=1, max_length=4)]
    seat: SeatNumber | None = None
    """Acting seat; needed only by people with several seats who act for another than the shown seat."""
    id: MessageId | None = None

    def move(self) -> Move:
        return Move(tuple(action.action() for action in self.actions))


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Send a chat line to everyone at the table; a spectator's line goes to spectators only."""

    table: TableId
    text: Annotated[str, Meta(max_length=1000)]
    id: MessageId | None = None


class React(Command, frozen=True, kw_only=True, tag="react"):
    """Send a quick reaction to the same people as a chat line."""

    table: TableId
    reaction: Reaction
    id: MessageId | None = None


class Follow(Command, frozen=True, kw_only=True, tag="follow"):
    """Choose whether to receive changes of the lobby and of the sender's own games."""

    lobby: bool = False
    games: bool = False
    id: MessageId | None = None


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Check the connection, and request the server's time."""

    id: MessageId | None = None


AnyCommand = Watch | Unwatch | Act | Say | React | Follow | Ping

decode_command = msgspec.json.Decoder(AnyCommand).decode
