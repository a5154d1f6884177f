"""A change of a table: what was, the entry that changes it, and what is."""

from typing import NamedTuple, Protocol

from royalcrypt.live.connection import Connection
from royalcrypt.tables.entries import AnyEntry, Moved
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table


class TableCommand(Protocol):
    def __call__(self, table: Table, /, now: int) -> AnyEntry:
        """Decide on a table at a time (ms since 1970): return an entry, or raise Refusal."""
        ...


class Sender(NamedTuple):
    """The connection that sent a command, and the command's id, which only its update repeats."""

    connection: Connection
    re: int | None
    received: float
    """When handling the command began, in seconds of ``time.perf_counter``."""


class Change:
    """What subscribers need to know of a change; computed once, when it is made."""

    __slots__ = (
        "after", "before", "concerns_lobby", "entry", "has_new_people", "is_decided", "is_move", "is_remote",
        "people", "sender",
    )  # fmt: skip

    def __init__(
        self,
        before: Table,
        entry: AnyEntry,
        after: Table,
        *,
        sender: Sender | None = None,
        is_remote: bool = False,
    ) -> None:
        self.before = before
        self.entry = entry
        self.after = after
        self.sender = sender
        self.is_remote = is_remote
        """Whether another process stored the entry."""
        self.is_move = isinstance(entry, Moved)
        self.is_decided = not self.is_move or before.actor != after.actor
        """Whether the table waits for somebody else now, or has changed by more than a move."""
        self.has_new_people = not self.is_move and persons(before) != persons(after)
        self.people: set[str] = people_of(before, after) if self.is_decided else set()
        """The people in whose list of games the table's line has changed."""
        self.concerns_lobby = after.settings.is_listed and self._is_in_lobby()
        """Whether the lobby shows the change; moves within a round are not shown."""

    def _is_in_lobby(self) -> bool:
        before, after = self.before, self.after
        if not self.is_move or before.game is None or after.game is None:
            return True
        return before.game.round != after.game.round or before.status is not after.status


def change(table: Table, command: TableCommand, now: int, *, sender: Sender | None = None) -> Change:
    """Decide on a command; raises Refusal if it, or its move, is not allowed. Stores nothing."""
    entry = command(table, now=now)
    return Change(table, entry, table.after(entry), sender=sender)


def persons(table: Table) -> list[str | None]:
    return [place.person for place in table.seats]


def people_of(before: Table, after: Table) -> set[str]:
    """Everybody with a seat, a reserved seat or ownership, before or after."""
    people = {place.person or place.reserved_for for place in (*before.seats, *after.seats)}
    people |= {after.owner} if before.ply == 0 else {before.owner, after.owner}
    return {person for person in people if person}


def is_shown(status: Status) -> bool:
    """Whether tables of this status are in the lobby."""
    return status in (Status.OPEN, Status.RUNNING)
