"""Journals and what is read off them, in a database."""

from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, func, select, tuple_, update

from royalcrypt.storage.database import Changed, Database, Entry
from royalcrypt.storage.schema import records, seats, tables
from royalcrypt.tables.journal import Line, Listing, Status

PAGE = 200
IN_PROGRESS = (Status.OPEN, Status.RUNNING)


class KeptRecord(msgspec.Struct, frozen=True):
    table: str
    ended: int
    record: bytes


class SqlJournal:
    """The journal as ``royalcrypt.tables`` asks for it, and the lists that lobby and people ask for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_shared(self) -> bool:
        return self._database.is_shared

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        return self._database.alone(name)

    async def append(self, line: Line) -> None:
        await self._database.append(line)

    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        return [entry.content for entry in await self._database.entries({table: since})]

    async def entries_of(self, since: Mapping[str, int]) -> list[Entry]:
        """Of several tables at once, each from a ply on, in order."""
        return await self._database.entries(since)

    async def changed(self, mark: int) -> Changed:
        """Tables to which other processes, or this one, have added entries since an earlier mark."""
        return await self._database.changed(mark)

    async def due(self, now: int, *, most: int) -> list[str]:
        return await self._database.due(now, most=most)

    async def postpone(self, table: str, due: int | None) -> None:
        later = update(tables).where(tables.c.id == table).values(due=due)
        await self._database.run(lambda sql: sql.execute(later).close())

    async def listing(self, table: str) -> Listing | None:
        found = await self._listings(select(tables).where(tables.c.id == table))
        return found[0] if found else None

    async def listings(
        self, statuses: Collection[Status], *, is_listed: bool = True, limit: int = PAGE
    ) -> list[Listing]:
        """The most recently moved first."""
        return await self._listings(
            select(tables)
            .where(tables.c.status.in_(statuses), tables.c.is_listed == is_listed)
            .order_by(tables.c.updated.desc(), tables.c.id)
            .limit(limit)
        )

    async def listings_of(
        self, person: str, statuses: Collection[Status] = IN_PROGRESS, *, limit: int = PAGE
    ) -> list[Listing]:
        """Tables where somebody has a seat, listed or not, the most recently moved first."""
        return await self._listings(
            select(tables)
            .where(tables.c.id.in_(_tables_of(person)), tables.c.status.in_(statuses))
            .order_by(tables.c.updated.desc(), tables.c.id)
            .limit(limit)
        )

    async def listings_at(self, ids: Collection[str]) -> list[Listing]:
        """Of these tables, as far as they are known."""
        return await self._listings(select(tables).where(tables.c.id.in_(ids)))

    async def counts(self) -> dict[Status, int]:
        """How many tables there are in each status; every status is told."""
        wanted = select(tables.c.status, func.count()).group_by(tables.c.status)
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return dict.fromkeys(Status, 0) | {Status(status): count for status, count in found}

    async def count_in_progress(self) -> int:
        """Tables that are open or running."""
        return await self._database.ask(lambda sql: sql.scalar(_COUNT_IN_PROGRESS) or 0)

    async def count_of(self, person: str) -> int:
        """Tables that are open or running at which somebody has a seat."""
        return await self._database.ask(lambda sql: sql.scalar(_COUNT_OF, {"person": person}) or 0)

    async def record(self, table: str) -> bytes | None:
        wanted = select(records.c.record).where(records.c.table_id == table)
        return await self._database.ask(lambda sql: sql.scalar(wanted))

    async def records_of(
        self, person: str, *, limit: int = PAGE, before: tuple[int, str] | None = None
    ) -> list[KeptRecord]:
        """The latest first; for the next page say before which (ended, table) to go on."""
        wanted = select(records).where(records.c.table_id.in_(_tables_of(person)))
        if before:
            wanted = wanted.where(tuple_(records.c.ended, records.c.table_id) < tuple_(*before))
        wanted = wanted.order_by(records.c.ended.desc(), records.c.table_id.desc()).limit(limit)
        return await self._records(wanted)

    async def all_records(self, *, page: int = PAGE) -> AsyncIterator[KeptRecord]:
        """The oldest first, read a page at a time."""
        wanted = select(records).order_by(records.c.ended, records.c.table_id).limit(page)
        found = await self._records(wanted)
        while found:
            for record in found:
                yield record
            last = tuple_(found[-1].ended, found[-1].table)
            found = await self._records(wanted.where(tuple_(records.c.ended, records.c.table_id) > last))

    async def _records(self, wanted: Select[Any]) -> list[KeptRecord]:
        found = await self._database.ask(lambda sql: sql.execute(wanted).all())
        return [KeptRecord(table=row.table_id, ended=row.ended, record=row.record) for row in found]

    async def _listings(self, wanted: Select[Any]) -> list[Listing]:
        def work(sql: Connection) -> list[Listing]:
            found = sql.execute(wanted).all()
            seated = _people_at(sql, [row.id for row in found])
            return [_listing(row, seated[row.id]) for row in found]

        return await self._database.read(work)


def _tables_of(person: str | BindParameter[str]) -> Select[tuple[str]]:
    return select(seats.c.table_id).where(seats.c.person_id == person)


# Made once: to put a statement together takes longer than to carry it out.
_COUNT_IN_PROGRESS = select(func.count()).select_from(tables).where(tables.c.status.in_(IN_PROGRESS))
_COUNT_OF = _COUNT_IN_PROGRESS.where(tables.c.id.in_(_tables_of(bindparam("person"))))


def _people_at(sql: Connection, at: Iterable[str]) -> dict[str, list[str | None]]:
    seated: dict[str, list[str | None]] = {table: [] for table in at}
    wanted = select(seats).where(seats.c.table_id.in_(seated)).order_by(seats.c.table_id, seats.c.seat)
    for row in sql.execute(wanted):
        seated[row.table_id].append(row.person_id)
    return seated


def _listing(row: Row[Any], people: list[str | None]) -> Listing:
    return Listing(
        table=row.id,
        status=Status(row.status),
        is_listed=row.is_listed,
        people=tuple(people),
        actor=row.actor,
        due=row.due,
        updated=row.updated,
        told=row.told,
    )
