"""The database on PostgreSQL that is filled: each batch of rows and the mark of it in one transaction."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import asyncpg
import msgspec
from sqlalchemy import Table

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.moving.mark import MOVED, MOVING, Mark
from royalcrypt.storage.moving.source import Row
from royalcrypt.storage.moving.statements import counting, finding_any, finding_keys
from royalcrypt.storage.postgres.connecting import PASSING, Link, place_of, refusal_of
from royalcrypt.storage.postgres.database import PostgresDatabase
from royalcrypt.storage.schema import metadata

T = TypeVar("T")
Raw = Any
"""A connection; asyncpg does not tell its types."""
PATIENT = 3600.0
"""Seconds for statements that go through a whole table."""
UNFIT = (TypeError, ValueError, OverflowError)
"""What asyncpg says of a value of another type or size, which SQLite does not mind."""
ONE_AT_A_TIME = "LOCK TABLE house IN SHARE ROW EXCLUSIVE MODE"
SETTING = "SELECT value FROM house WHERE key = $1 FOR UPDATE"
SET = "INSERT INTO house (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
UNSET = "DELETE FROM house WHERE key = $1"
NUMBER_ON = "SELECT setval(pg_get_serial_sequence($1, $2), $3)"


class Target:
    """Belongs to the move of one source."""

    def __init__(self, url: str, source: str) -> None:
        self.place = place_of(url)
        self._url = url
        self._source = source
        self._link = Link(url)

    @classmethod
    async def opened(cls, url: str, source: str) -> "Target":
        """Made or brought to this version if need be. Raises Refusal."""
        await (await PostgresDatabase.open(url, is_moving=True)).close()
        return cls(url, source)

    async def close(self) -> None:
        await self._link.close()

    async def begin(self, *, is_anew: bool) -> Mark | None:
        """How far the move has come, or None once it is over. Raises Refusal if the place is not for it.

        If anew, what an unfinished move has left is dropped, whichever file it came from.
        """

        async def work(raw: Raw) -> Mark | None:
            async with raw.transaction():
                await raw.execute(ONE_AT_A_TIME)
                found = await _mark(raw)
                if found is not None and is_anew:
                    await raw.execute(f"TRUNCATE {', '.join(each.name for each in metadata.sorted_tables)}")
                elif found is not None:
                    return self._checked(found)
                elif await raw.fetchval(SETTING, MOVED) == msgspec.json.encode(self._source):
                    return None
                elif not await _is_empty(raw):
                    raise Refusal(Reason.NOT_EMPTY, place=self.place)
                await raw.execute(SET, MOVING, msgspec.json.encode(Mark(self._source)))
            return Mark(self._source)

        return await self._do(work)

    async def write(self, table: Table, rows: Sequence[Row], *, since: int) -> None:
        """Rows of a table, of which so many came before. Raises Refusal, and then none of them is there."""

        async def work(raw: Raw) -> None:
            async with raw.transaction():
                mark = self._checked(await _mark(raw))
                there = mark.rows.get(table.name, 0)
                if there >= since + len(rows):
                    return  # An earlier try has succeeded without anybody hearing of it.
                if there != since:
                    raise Refusal(Reason.OTHER_MOVE, place=self.place)
                await raw.copy_records_to_table(table.name, records=rows, columns=table.columns.keys())
                mark.rows[table.name] = since + len(rows)
                await raw.execute(SET, MOVING, msgspec.json.encode(mark))

        try:
            await self._do(work)
        except Refusal:
            raise
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, *UNFIT) as problem:
            why = str(problem).splitlines()[0]
            raise Refusal(Reason.NOT_TAKEN, place=self.place, table=table.name, why=why) from problem

    async def analyze(self) -> None:
        """Let PostgreSQL look at what has come, so that it finds rows by their keys."""
        await self._do(lambda raw: raw.execute("ANALYZE", timeout=PATIENT))

    async def count(self, table: Table) -> int:
        """Without the mark of the move itself."""
        counted = await self._do(lambda raw: raw.fetchval(counting(table), timeout=PATIENT))
        return counted - (table.name == "house")

    async def rows(self, table: Table, keys: Sequence[Row]) -> dict[Row, Row]:
        """Those with these primary keys, by their keys."""
        parts = [list(part) for part in zip(*keys, strict=True)]
        return keyed(table, await self.fetch(finding_keys(table), *parts))

    async def finish(self, numbers: Mapping[str, int], settings: Mapping[str, str]) -> None:
        """From now on servers may open it. ``numbers``: for each table that counts its rows, the last one."""

        async def work(raw: Raw) -> None:
            async with raw.transaction():
                if await _mark(raw) is None:
                    return  # An earlier try has succeeded.
                for name, number in numbers.items():
                    if number:
                        await raw.execute(NUMBER_ON, name, "id", number)
                for key, value in (*settings.items(), (MOVED, self._source)):
                    await raw.execute(SET, key, msgspec.json.encode(value))
                await raw.execute(UNSET, MOVING)

        await self._do(work)

    async def fetch(self, wanted: str, *values: object) -> list[Row]:
        return [tuple(row) for row in await self._do(lambda raw: raw.fetch(wanted, *values))]

    def _checked(self, mark: Mark | None) -> Mark:
        if mark is None or mark.source != self._source:
            raise Refusal(Reason.OTHER_MOVE, place=self.place)
        return mark

    async def _do(self, work: Callable[[Raw], Awaitable[T]]) -> T:
        try:
            return await self._link.do(lambda raw, _: work(raw))
        except (*PASSING, asyncpg.InsufficientResourcesError, asyncpg.InsufficientPrivilegeError) as problem:
            raise refusal_of(problem, self._url) from problem


def keyed(table: Table, rows: Iterable[Row]) -> dict[Row, Row]:
    """By their primary keys."""
    columns = table.columns.keys()
    places = [columns.index(key.name) for key in table.primary_key.columns]
    return {tuple(row[place] for place in places): row for row in rows}


async def _mark(raw: Raw) -> Mark | None:
    found = await raw.fetchval(SETTING, MOVING)
    return None if found is None else msgspec.json.decode(found, type=Mark)


async def _is_empty(raw: Raw) -> bool:
    for table in metadata.sorted_tables:
        if await raw.fetchval(finding_any(table)):
            return False
    return True
