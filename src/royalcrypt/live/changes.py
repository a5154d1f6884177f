"""A change of a table: what was, the entry that changes it, and what is."""

from collections.abc import Callable
from typing import NamedTuple

from royalcrypt.live.connection import Connection
from royalcrypt.tables.entries import AnyEntry, Moved
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table

TableCommand = Callable[[Table, int], AnyEntry]
"""Function that decides on a table at a time (ms since 1970): returns an entry, or raises Refusal."""


class Sender(NamedTuple):
    """The connection that sent a command, and the command's id, which only its update repeats."""

    connection: Connection
    re: int | None
    received: float
    """When handling the command began, in seconds of ``time.perf_counter``."""


class Change(NamedTuple):
    before: Table
    entry: AnyEntry
    after: Table
    sender: Sender | None = None
    is_remote: bool = False
    """Whether another process stored the entry."""

    @property
    def is_move(self) -> bool:
        return isinstance(self.entry, Moved)

    @property
    def is_decided(self) -> bool:
        """Whether the table waits for somebody else now, or has changed by more than a move."""
        return not self.is_move or self.before.actor != self.after.actor

    @property
    def has_new_people(self) -> bool:
        before, after = self.before.seats, self.after.seats
        return not self.is_move and [each.person for each in before] != [each.person for each in after]

    @property
    def concerns_lobby(self) -> bool:
        """Whether the lobby shows the change; moves within a round are not shown."""
        before, after = self.before, self.after
        if not after.settings.is_listed:
            return False
        if not self.is_move or before.game is None or after.game is None:
            return True
        return before.game.round != after.game.round or before.status is not after.status

    @property
    def people(self) -> set[str]:
        """The people in whose list of games the table's line has changed."""
        return people_of(self.before, self.after) if self.is_decided else set()


def change(table: Table, command: TableCommand, now: int, *, sender: Sender | None = None) -> Change:
    """Decide on a command; raises Refusal if it, or its move, is not allowed. Stores nothing."""
    entry = command(table, now)
    return Change(table, entry, table.after(entry), sender)


def people_of(before: Table, after: Table) -> set[str]:
    """Everybody with a seat, a reserved seat or ownership, before or after."""
    people = {place.person or place.reserved_for for place in (*before.seats, *after.seats)}
    people |= {after.owner} if before.ply == 0 else {before.owner, after.owner}
    return {person for person in people if person}


def is_shown(status: Status) -> bool:
    """Whether tables of this status are in the lobby."""
    return status in (Status.OPEN, Status.RUNNING)
