"""Messages to clients; event types are generated from the declarations of RECORD.md, for the schema."""

from functools import cache
from typing import TYPE_CHECKING, Any, Union

import msgspec
from msgspec.structs import fields

from royalcrypt.live.wire.commands import AnyCommand, WirePlacement
from royalcrypt.notation.events import KINDS, Cards, CardsBySeat, DeckTop, Event, Faces, FacesBySeat, Places
from royalcrypt.notation.moves import Whole
from royalcrypt.notation.reasons import Detail, Refusal
from royalcrypt.play.views import View
from royalcrypt.tables.listings import TableInfo
from royalcrypt.tables.texts import Audience, Reaction

ENCODED_TYPES: dict[Any, Any] = {
    Whole: int,
    DeckTop: str | None,
    Cards: list[str],
    Faces: list[int],
    Places: list[WirePlacement],
    CardsBySeat: dict[str, list[str]],
    FacesBySeat: dict[str, list[int]],
}


def _event_struct(kind: type[Event]) -> Any:
    named = [(field.name, ENCODED_TYPES.get(field.type, field.type)) for field in fields(kind)]
    return msgspec.defstruct(
        f"{kind.__name__}Event",
        [("n", int), *named],
        namespace={"__doc__": f"The event ``{kind.type}`` of RECORD.md; ``n`` counts from 0."},
        tag_field="type",
        tag=kind.type,
        kw_only=True,
    )


if TYPE_CHECKING:
    EventOnTheWire = dict[str, Any]
else:
    EventOnTheWire = Union[tuple(map(_event_struct, KINDS.values()))]  # noqa: UP007 (a union of computed length)


class Reason(msgspec.Struct, frozen=True):
    """Reason for a refused command: a code with details for programs, and a text for people."""

    code: str
    details: dict[str, Detail]
    text: str


def reason_of(refusal: Refusal) -> Reason:
    return Reason(refusal.reason, refusal.details, str(refusal))


class You(msgspec.Struct, frozen=True):
    """The part of a table message that only this reader sees."""

    seats: tuple[int, ...]
    seat: int | None
    """Seat whose view is shown; None for the spectators' view."""
    is_owner: bool
    invite: str | None
    """Key in the table's link, for its players and its owner."""
    away_since: int | None
    """While a bot plays for this seat, the number of the first event since then."""


class ChatLine(msgspec.Struct, frozen=True):
    """A chat line; ids ascend in the order of storing."""

    id: int
    audience: Audience
    person: str
    name: str
    text: str
    at: int


class Tick(msgspec.Struct, frozen=True):
    """State of the clock after a move."""

    deadline: int | None
    banks: tuple[int, ...]


class Message(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type"):
    pass


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The first message on a socket: the reader's identity and the server's time."""

    person: str
    name: str
    now: int
    version: str
    protocol: int
    """Protocol of this socket: 1, where each update has the complete view, or 2, where it has the changes."""
    notice: str | None = None


class Shown(Message, frozen=True, kw_only=True, tag="shown"):
    """A whole table, as the answer to ``watch``."""

    table: str
    ply: int
    you: You
    info: TableInfo
    view: View | None
    """None before the game starts."""
    events: list[EventOnTheWire]
    """Events from ``since`` on; if the setting ``remembers`` is off, only this round's."""
    chat: list[ChatLine]
    present: tuple[bool, ...] = ()
    spectators: int = 0
    re: int | None = None


class Update(Message, frozen=True, kw_only=True, tag="update"):
    """New events, with the table after them."""

    table: str
    ply: int
    events: list[EventOnTheWire] = []
    view: View | None = None
    """Complete view: in protocol 1 always, in protocol 2 for the first view and a view of another seat."""
    changes: dict[str, Any] | None = None
    """Changed fields of the view since the previous ply (``play.view_changes``); none if nothing changed."""
    info: TableInfo | None = None
    """Table information; present only after changes other than moves."""
    you: You | None = None
    clock: Tick | None = None
    by_bot: bool = False
    re: int | None = None


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """A refused command, with the current view of the table if it is being watched."""

    reason: Reason
    table: str | None = None
    ply: int | None = None
    view: View | None = None
    re: int | None = None


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """Acknowledges a command that has no other answer."""

    re: int | None = None
    now: int


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """A new chat line."""

    table: str
    line: ChatLine


class Reacted(Message, frozen=True, kw_only=True, tag="reacted"):
    """A reaction; it is not stored."""

    table: str
    audience: Audience
    person: str
    name: str
    reaction: Reaction


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """The people who have the table open, after a change."""

    table: str
    present: tuple[bool, ...]
    """Whether each seat's person has the table open."""
    spectators: int
    is_apart: bool = False
    """Whether some people are connected to another process; a socket opened ``near`` the table joins it."""


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """The first page of the lobby, or with ``is_change`` only changed tables, of any page."""

    tables: list[TableInfo]
    gone: list[str] = []
    is_change: bool = False
    next: str | None = None
    """Where the next page begins; None if there is none."""


class LobbyPage(msgspec.Struct):
    """Tables in the lobby: those with a free seat, then full ones, then running games; each newest first."""

    tables: list[TableInfo]
    next: str | None
    """Where the next page begins (parameter ``after``); None if there is none."""


class GameLine(msgspec.Struct, frozen=True):
    """One of a person's games, in a list."""

    info: TableInfo
    seats: tuple[int, ...]
    is_your_turn: bool
    updated: int


class Games(Message, frozen=True, kw_only=True, tag="games"):
    """All open and running games of the reader, or with ``is_change`` only changed ones."""

    games: list[GameLine]
    is_change: bool = False


class Notice(Message, frozen=True, kw_only=True, tag="notice"):
    """A notice from the host to everyone; empty after it is withdrawn."""

    text: str


class Gone(Message, frozen=True, kw_only=True, tag="gone"):
    """The table is no longer shown to this reader."""

    table: str
    reason: Reason


AnyMessage = (
    Welcome | Shown | Update | Refused | Done | Said | Reacted | Presence | Lobby | Games | Notice | Gone
)

encode_message = msgspec.json.Encoder().encode


def raw_json(encoded: bytes) -> Any:
    """Embed encoded JSON in a message in place of the value."""
    return msgspec.Raw(encoded)


@cache
def socket_schema() -> bytes:
    """Return the JSON Schema 2020-12 of all socket messages: AnyCommand from clients, AnyMessage to them."""
    (commands, messages), parts = msgspec.json.schema_components(
        (AnyCommand, AnyMessage), ref_template="#/$defs/{name}"
    )
    return msgspec.json.encode(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The Royal Crypt: messages of the socket",
            "$defs": parts | {"AnyCommand": commands, "AnyMessage": messages},
        }
    )
