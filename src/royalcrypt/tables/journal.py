"""What a live table asks of whoever keeps it: the journal is the truth, everything else is read off it."""

from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

import msgspec

from royalcrypt.notation.reasons import Refusal


class Status(StrEnum):
    """How far a table has come."""

    OPEN = "open"
    """Waiting for players."""
    RUNNING = "running"
    OVER = "over"
    CLOSED = "closed"
    """Ended without a result."""


class Listing(msgspec.Struct, frozen=True, gc=False):
    """A table as lists and the sweeper need it, so that neither has to read its journal."""

    table: str
    status: Status
    is_listed: bool
    people: tuple[str | None, ...]
    """By seat, who holds it or it is kept for; None for bots and free seats. Then a seatless owner."""
    actor: int | None
    """The seat whose decision it is."""
    due: int | None
    """When the table next needs the server (a bot's move, a clock that runs out), in ms since 1970."""
    updated: int
    told: bytes
    """What the lobby shows, as JSON."""


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """What came of a finished game for one seat, so that lists and statistics need not read its record."""

    seat: int
    person: str | None
    kind: str
    """Who played, as the record says: "human", "bot:greedy"."""
    players: int
    collectors: str
    score: int
    place: int
    is_winner: bool


class Line(msgspec.Struct, frozen=True, gc=False):
    """One entry, and what else is kept in the same transaction."""

    table: str
    ply: int
    """The entry's place in the table's journal, from 0."""
    entry: bytes
    listing: Listing
    record: bytes | None = None
    """The finished game's record (RECORD.md), kept with its last entry."""
    results: tuple[SeatResult, ...] = ()
    """The finished game's, by seat; the Ghost has none."""
    has_new_people: bool = True
    """Whether seats may be held by others than before the entry."""


class PlyTaken(Exception):  # noqa: N818 (losing a race is no error)
    """Another process kept an entry at this ply first; or the journal has not come so far."""


class NotKept(Refusal):
    """The storage cannot keep anything now; nothing has changed, and it may be tried again."""


class Journal(Protocol):
    @property
    def is_shared(self) -> bool:
        """Whether other processes may append, too."""
        ...

    async def append(self, line: Line) -> None:
        """Return once the entry is on the disk. Raises PlyTaken or NotKept, and then nothing was kept."""
        ...

    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        """The entries from a ply on, in order; none for an unknown table."""
        ...

    async def due(self, now: int, *, most: int) -> list[str]:
        """Tables that need the server by now, the longest waiting first."""
        ...

    async def postpone(self, table: str, due: int | None) -> None:
        """A table needs the server later than its last entry said: time without a server was credited."""
        ...

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        """One at a time for each name, in whatever process, where what is done takes several steps."""
        ...
