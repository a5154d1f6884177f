"""Duplicates: several tables meet the same cards and dice; who sat in the same seat is compared."""

import secrets
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import NamedTuple

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.server.house import House, new_id
from royalcrypt.storage.seals import Duplicate, Duplicates
from royalcrypt.tables import commands
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, sealed
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table


class Standing(NamedTuple):
    """One person's result, beside those who sat in the same seat elsewhere."""

    number: int
    """Of their table, from 0."""
    seat: int
    score: int
    sum: int
    """Of all scores in that seat."""
    tables: int
    """How many finished tables that sum is of."""

    @property
    def lead(self) -> int:
        """The difference to the seat's average, times ``tables``: whole, so that ties are ties."""
        return self.score * self.tables - self.sum


class DuplicateDesk:
    """Sets duplicates up, and keeps each person to one of a duplicate's tables."""

    def __init__(self, duplicates: Duplicates, house: House) -> None:
        self.duplicates = duplicates
        self.house = house

    async def open(self, settings: TableSettings, tables: int, owner: str) -> Duplicate:
        """Sides and Leader are drawn once, for all of them; each table is led by the first who sits there."""
        collectors, leader = commands.draw_set_up(settings)
        shared = sealed(settings, collectors=collectors, leader=leader)
        secret, now = secrets.token_bytes(SECRET_BYTES), self.house.now()
        made = Duplicate(new_id(), owner, now, tuple(new_id() for _ in range(tables)))
        seal = str(Seal("duplicate", made.id))
        opened = [commands.open_table(shared, owner, now=now, secret=secret, seal=seal) for _ in made.tables]
        await self.duplicates.add(made)
        for table_id, entry in zip(made.tables, opened, strict=True):
            await self.house.open(entry, table_id)
        return made

    async def find(self, duplicate_id: str) -> Duplicate:
        found = await self.duplicates.find(duplicate_id)
        if found is None:
            raise Refusal(Reason.NO_SUCH_DUPLICATE)
        return found

    async def tables(self, duplicate: Duplicate) -> list[Table]:
        """All that were opened; a server that died meanwhile left the rest unopened."""
        found: list[Table] = []
        for table_id in duplicate.tables:
            try:
                found.append(await self.house.table(table_id))
            except Refusal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:
                    raise
        if not found:
            raise Refusal(Reason.NO_SUCH_DUPLICATE)
        return found

    def turnstile(self, table: Table) -> AbstractAsyncContextManager[None]:
        """Held by whoever checks and sits down, so that nobody does so at two tables at once."""
        if table.seal is None:
            return nullcontext()
        return self.house.journal.lock(table.seal)

    async def check_seat(self, table: Table, person: str) -> None:
        """Refuse somebody who sits at another table of the same duplicate: they would meet all twice."""
        if table.seal is None or Seal.parse(table.seal).kind != "duplicate":
            return
        duplicate = await self.find(Seal.parse(table.seal).name)
        for number, other in enumerate(await self.tables(duplicate), 1):
            if other.id != table.id and other.seats_of(person):
                raise Refusal(Reason.SITS_ELSEWHERE, table=number)

    async def end(self, duplicate: Duplicate, person: str) -> None:
        """Close what is not finished; then nothing is sealed any more."""
        if duplicate.owner != person:
            raise Refusal(Reason.NOT_OWNER)
        for table in await self.tables(duplicate):
            if table.status in (Status.OPEN, Status.RUNNING):
                await self._close(table.id)

    async def _close(self, table_id: str) -> None:
        try:
            await self.house.change(table_id, lambda table, now: commands.close(table, why="owner", now=now))
        except Refusal as refusal:
            if refusal.reason is not Reason.TABLE_CLOSED:  # it was just finished
                raise


def scores_of(table: Table) -> tuple[int, ...] | None:
    """By seat; None for a table that did not come to its end."""
    result = None if table.game is None else table.game.result()
    return None if result is None else tuple(result["scores"])


def standings(tables: Sequence[Table]) -> list[Standing]:
    """All people who finished, the furthest above their seat's average first. Bots count in averages only."""
    finished = [
        (number, table, scores)
        for number, table in enumerate(tables)
        if (scores := scores_of(table)) is not None
    ]
    found = [
        Standing(number, seat, score, sum(other[seat] for _, _, other in finished), len(finished))
        for number, table, scores in finished
        for seat, score in enumerate(scores)
        if table.seats[seat].person is not None
    ]
    return sorted(found, key=lambda one: (-one.lead, one.number, one.seat))


def places(found: Sequence[Standing]) -> list[int]:
    """Of standings in their order; ties are shared."""
    return [1 + sum(other.lead > one.lead for other in found) for one in found]
