"""The storage interface of live tables. The journal is authoritative; everything else is derived from it."""

from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Protocol

import msgspec

from royalcrypt.notation.reasons import Refusal


class Status(StrEnum):
    """The state of a table."""

    OPEN = "open"
    """Waiting for players."""
    RUNNING = "running"
    OVER = "over"
    CLOSED = "closed"
    """Ended without a result."""


class Listing(msgspec.Struct, frozen=True, gc=False):
    """What lists and schedulers need of a table, so that they need not read its journal."""

    table: str
    status: Status
    is_listed: bool
    people: tuple[str | None, ...]
    """By seat, who holds or reserved it; None for bots and free seats. Then an owner without a seat."""
    actor: int | None
    """The seat whose decision it is."""
    due: int | None
    """When the table next needs the server (a bot's move, a clock that runs out), in ms since 1970."""
    updated: int
    info: bytes
    """The table's lobby information, as JSON."""


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """The result of one seat, so that lists and statistics need not read the record."""

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
    """One entry, and what else is stored in the same transaction."""

    table: str
    ply: int
    """The entry's place in the table's journal, from 0."""
    entry: bytes
    listing: Listing
    record: bytes | None = None
    """The finished game's record (RECORD.md), stored with its last entry."""
    results: tuple[SeatResult, ...] = ()
    """The finished game's, by seat; the Ghost has none."""
    has_new_people: bool = True
    """Whether the entry may change who holds seats."""

    @property
    def key(self) -> tuple[str, int]:
        return self.table, self.ply

    @property
    def has_dependents(self) -> bool:
        """Whether seats, a record or results are stored with the entry."""
        return self.has_new_people or self.record is not None or bool(self.results)


class PlyTaken(Exception):  # noqa: N818 (a lost race is no error)
    """Another process stored an entry at this ply first, or the journal is shorter."""


class NotKept(Refusal):
    """The storage cannot write now. Nothing has changed, and the command may be retried."""


class JournalStorage(Protocol):
    """What journals and databases have in common."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write, too."""
        ...

    async def append(self, line: Line) -> None:
        """Return once the entry is on the disk. Raises PlyTaken or NotKept, and then nothing was stored."""
        ...

    async def due(self, now: int, *, most: int) -> list[str]:
        """Tables that need the server by now, the longest waiting first.

        If several processes ask, each table goes to one of them. The others get it some seconds later, if it
        is still due then.
        """
        ...

    def lock(self, name: str) -> AbstractAsyncContextManager[None]:
        """A lock by name across all processes, for work of several steps."""
        ...


class Journal(JournalStorage, Protocol):
    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        """The entries from a ply on, in order; none for an unknown table."""
        ...

    async def postpone(self, table: str, due: int | None) -> None:
        """Set when a table next needs the server, for example after an outage was credited."""
        ...
