"""DuplicateStore: several tables with the same cards and dice, whose results are compared seat by seat."""

import secrets
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import NamedTuple

from royalcrypt.live.registry import TableRegistry, new_id
from royalcrypt.live.stores import Duplicate, DuplicateStore
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.tables import commands
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, sealed
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table


class SeatComparison(NamedTuple):
    """A person's result, with the total of the same seat at all tables."""

    number: int
    """Number of the table, counting from 0."""
    seat: int
    score: int
    sum: int
    """Sum of this seat's scores at all finished tables."""
    tables: int
    """Number of finished tables in ``sum``."""

    @property
    def lead(self) -> int:
        """Difference from the seat's average, multiplied by ``tables`` to be an exact integer."""
        return self.score * self.tables - self.sum


class DuplicateService:
    """Opens and ends duplicates, and allows each person a seat at only one of a duplicate's tables."""

    def __init__(self, duplicates: DuplicateStore, tables: TableRegistry) -> None:
        self.duplicates = duplicates
        self.tables = tables

    async def open(self, settings: TableSettings, tables: int, owner: str) -> Duplicate:
        """Open a duplicate; Collector sides and Leader are drawn once for all tables."""
        collectors, leader = commands.draw_set_up(settings)
        shared = sealed(settings, collectors=collectors, leader=leader)
        secret, now = secrets.token_bytes(SECRET_BYTES), self.tables.now()
        made = Duplicate(new_id(), owner, now, tuple(new_id() for _ in range(tables)))
        seal = str(Seal("duplicate", made.id))
        opened = [commands.open_table(shared, owner, now=now, secret=secret, seal=seal) for _ in made.tables]
        await self.duplicates.add(made)
        for table_id, entry in zip(made.tables, opened, strict=True):
            await self.tables.open(entry, table_id)
        return made

    async def find(self, duplicate_id: str) -> Duplicate:
        found = await self.duplicates.find(duplicate_id)
        if found is None:
            raise Refusal(Reason.NO_SUCH_DUPLICATE)
        return found

    async def tables_of(self, duplicate: Duplicate) -> list[Table]:
        """Return a duplicate's tables; some may be missing if the server stopped while opening them."""
        found: list[Table] = []
        for table_id in duplicate.tables:
            try:
                found.append(await self.tables.table(table_id))
            except Refusal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:
                    raise
        if not found:
            raise Refusal(Reason.NO_SUCH_DUPLICATE)
        return found

    def seat_lock(self, table: Table) -> AbstractAsyncContextManager[None]:
        """Lock a sealed table's duplicate or day, so that a person cannot take seats at two of its tables."""
        if table.seal is None:
            return nullcontext()
        return self.tables.journal.lock(table.seal)

    async def check_seat(self, table: Table, person: str) -> None:
        """Raise Refusal if the person sits at another table of the same duplicate."""
        if table.seal is None or Seal.parse(table.seal).kind != "duplicate":
            return
        duplicate = await self.find(Seal.parse(table.seal).name)
        for number, other in enumerate(await self.tables_of(duplicate), 1):
            if other.id != table.id and other.seats_of(person):
                raise Refusal(Reason.SITS_ELSEWHERE, table=number)

    async def end(self, duplicate: Duplicate, person: str) -> None:
        """Close the unfinished tables, which opens the seal; raises Refusal except for the owner."""
        if duplicate.owner != person:
            raise Refusal(Reason.NOT_OWNER)
        for table in await self.tables_of(duplicate):
            if table.status in (Status.OPEN, Status.RUNNING):
                await self._close(table.id)

    async def _close(self, table_id: str) -> None:
        try:
            await self.tables.change(table_id, lambda table, now: commands.close(table, why="owner", now=now))
        except Refusal as refusal:
            if refusal.reason is not Reason.TABLE_CLOSED:  # It has just finished.
                raise


def scores_of(table: Table) -> tuple[int, ...] | None:
    """Return a table's scores by seat; None if it is unfinished."""
    result = None if table.game is None else table.game.result()
    return None if result is None else tuple(result["scores"])


def standings(tables: Sequence[Table]) -> list[SeatComparison]:
    """Return people's results, sorted by lead over the seat's average; bots count only in averages."""
    finished = [
        (number, table, scores)
        for number, table in enumerate(tables)
        if (scores := scores_of(table)) is not None
    ]
    found = [
        SeatComparison(number, seat, score, sum(other[seat] for _, _, other in finished), len(finished))
        for number, table, scores in finished
        for seat, score in enumerate(scores)
        if table.seats[seat].person is not None
    ]
    return sorted(found, key=lambda one: (-one.lead, one.number, one.seat))


def places(found: Sequence[SeatComparison]) -> list[int]:
    """Return the place of each result, counting from 1; ties share a place."""
    return [1 + sum(other.lead > one.lead for other in found) for one in found]
