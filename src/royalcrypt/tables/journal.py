"""The storage interface of live tables; the journal is authoritative, all other data is derived from it."""

from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import NamedTuple, Protocol

import msgspec

from royalcrypt.notation.reasons import Refusal


class Status(StrEnum):
    """Life-cycle state of a table."""

    OPEN = "open"
    """Waiting for players."""
    RUNNING = "running"
    OVER = "over"
    CLOSED = "closed"
    """Ended without a result."""


class Listing(msgspec.Struct, frozen=True, gc=False):
    """Summary of a table for lists and schedulers, so that they need not read its journal."""

    table: str
    status: Status
    is_listed: bool
    people: tuple[str | None, ...]
    """Holder of each seat or reservation (None for bots and free seats), then an owner without a seat."""
    actor: int | None
    """Seat that has to decide now, if any."""
    due: int | None
    """When the server must next act (bot's move, time-out, closing), in ms since 1970; None if never."""
    updated: int
    info: bytes
    """The table's lobby information (``TableInfo``), as JSON."""
    opened: int
    lobby: int | None
    """Rank in the lobby, higher first (``lobby_rank``); None for a table that is not in the lobby."""


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """Result of one seat, so that lists and statistics need not read the record."""

    seat: int
    person: str | None
    kind: str
    """Kind of player as in the record, such as "human" or "bot:greedy"."""
    players: int
    collectors: str
    score: int
    place: int
    is_winner: bool


class Line(msgspec.Struct, frozen=True, gc=False):
    """One journal entry, with the derived data that is stored in the same transaction."""

    table: str
    ply: int
    """Index of the entry in the table's journal, from 0."""
    entry: bytes
    listing: Listing
    record: bytes | None = None
    """Record of the finished game (RECORD.md), stored with its last entry."""
    results: tuple[SeatResult, ...] = ()
    """Results of the finished game by seat, without the Ghost."""
    has_new_people: bool = True
    """Whether the entry may change who holds seats, or the table's status."""
    has_new_due: bool = True
    """Whether the entry may change when the table is due."""

    @property
    def key(self) -> tuple[str, int]:
        return self.table, self.ply

    @property
    def has_dependents(self) -> bool:
        """Whether seats, a record or results are stored with the entry: false for a move within a game."""
        return self.has_new_people or self.record is not None or bool(self.results)


class PlyTaken(Exception):  # noqa: N818 (a lost race is no error)
    """Raised if another process has stored an entry at this ply, or if the journal is shorter."""


class NotKept(Refusal):
    """Raised if the storage cannot write now.

    With the reason STORAGE_SILENT the line may be stored all the same: a retry must name the same ply.
    """


class JournalStorage(Protocol):
    """The part of the interface that journals and databases share."""

    @property
    def is_shared(self) -> bool:
        """Whether other processes may also write."""
        ...

    async def append(self, line: Line) -> None:
        """Store an entry, and return once it is on disk; raises PlyTaken or NotKept if it was not stored."""
        ...

    async def due(self, now: int, *, most: int) -> list[str]:
        """Return the tables that are due by ``now``, longest overdue first.

        Each table is returned to one process only; the others get it some seconds later, if it
        is still due then.
        """
        ...

    def lock(self, name: str) -> AbstractAsyncContextManager[None]:
        """Return a lock by name across all processes, for multi-step operations."""
        ...


class Journal(JournalStorage, Protocol):
    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        """Return the entries from ply ``since`` on, in order; empty for an unknown table."""
        ...

    async def postpone(self, table: str, due: int | None) -> None:
        """Set when a table is next due, for example after an outage was credited."""
        ...


class StoredEntry(NamedTuple):
    """A journal entry with its key (table and ply)."""

    table: str
    ply: int
    content: bytes
