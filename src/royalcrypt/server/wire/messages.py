"""The events of RECORD.md as types, made from their declarations: for the schema and for readers in tests."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Union

import msgspec

from royalcrypt.notation.events import KINDS, Cards, Event, Faces, Places
from royalcrypt.notation.reasons import Detail, Refusal
from royalcrypt.play.views import View
from royalcrypt.server.wire.commands import WirePlacement
from royalcrypt.tables.listings import TableInfo
from royalcrypt.tables.texts import Audience, Reaction

AS_WRITTEN: dict[Any, Any] = {
    Cards: list[str],
    Faces: list[int],
    Places: list[WirePlacement],
    dict[int, Cards]: dict[str, list[str]],
    dict[int, Faces]: dict[str, list[int]],
}


def _as_written(kind: type[Event]) -> Any:
    named = [(field.name, AS_WRITTEN.get(field.type, field.type)) for field in fields(kind)]
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
    EventOnTheWire = Union[tuple(map(_as_written, KINDS.values()))]  # noqa: UP007 (of as many as there are)


class Reason(msgspec.Struct, frozen=True):
    """Why not: a code with its details for programs, and words for people."""

    code: str
    details: dict[str, Detail]
    text: str


def reason_of(refusal: Refusal) -> Reason:
    return Reason(refusal.reason, refusal.details, str(refusal))


class You(msgspec.Struct, frozen=True):
    """What concerns the reader alone."""

    seats: tuple[int, ...]
    seat: int | None
    """The seat whose view is shown; None for a spectator's."""
    is_owner: bool
    invite: str | None
    """The rest of the table's link, for those who may pass it on."""
    away_since: int | None
    """The number of the first event that a bot played for this seat, while it does."""


class ChatLine(msgspec.Struct, frozen=True):
    """Something said at a table; ``id`` ascends."""

    id: int
    audience: Audience
    person: str
    name: str
    text: str
    at: int


class Tick(msgspec.Struct, frozen=True):
    """The clock after a move."""

    deadline: int | None
    banks: tuple[int, ...]


class Message(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type"):
    pass


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The first message: who the server takes the reader for, and what time it is there."""

    person: str
    name: str
    now: int
    version: str
    notice: str | None = None


class Shown(Message, frozen=True, kw_only=True, tag="shown"):
    """A table, whole: the answer to ``watch``."""

    table: str
    ply: int
    you: You
    info: TableInfo
    view: View | None
    """None before the start."""
    events: list[EventOnTheWire]
    """From ``since`` on; at a table that leaves remembering to people, those of this round."""
    chat: list[ChatLine]
    present: tuple[bool, ...] = ()
    spectators: int = 0
    re: int | None = None


class Update(Message, frozen=True, kw_only=True, tag="update"):
    """What just happened, and the table after it."""

    table: str
    ply: int
    events: list[EventOnTheWire] = []
    view: View | None = None
    info: TableInfo | None = None
    """Only if more has changed than a move changes."""
    you: You | None = None
    clock: Tick | None = None
    by_bot: bool = False
    re: int | None = None


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """Nothing has changed; if it was about a table that is watched, how that stands."""

    reason: Reason
    table: str | None = None
    ply: int | None = None
    view: View | None = None
    re: int | None = None


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """An answer where there is nothing to tell."""

    re: int | None = None
    now: int


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """Somebody said something."""

    table: str
    line: ChatLine


class Reacted(Message, frozen=True, kw_only=True, tag="reacted"):
    """Somebody reacted, in passing: nothing of it is kept."""

    table: str
    audience: Audience
    person: str
    name: str
    reaction: Reaction


class Presence(Message, frozen=True, kw_only=True, tag="presence"):
    """Who has the table open, after somebody came or went."""

    table: str
    present: tuple[bool, ...]
    """By seat, whether its person is connected."""
    spectators: int
    is_apart: bool = False
    """Whether some have come in by another process of the server, and a socket ``near`` the table would be
    led where they are."""


class Lobby(Message, frozen=True, kw_only=True, tag="lobby"):
    """All listed tables, or with ``is_change`` those that are different now."""

    tables: list[TableInfo]
    gone: list[str] = []
    is_change: bool = False


class GameLine(msgspec.Struct, frozen=True):
    """One of a person's own games."""

    info: TableInfo
    seats: tuple[int, ...]
    is_your_turn: bool
    updated: int


class Games(Message, frozen=True, kw_only=True, tag="games"):
    """All of one's open and running games, or with ``is_change`` those that are different now."""

    games: list[GameLine]
    is_change: bool = False


class Notice(Message, frozen=True, kw_only=True, tag="notice"):
    """From the host to everybody; empty to take it back."""

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
    """JSON that is already written, in place of what it was written from."""
    return msgspec.Raw(encoded)
