"""The database on PostgreSQL that is filled. A batch of rows and its progress mark share a transaction."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

import asyncpg
import msgspec
from sqlalchemy import Table, and_, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.moving.source import Row
from royalcrypt.storage.postgres.connecting import PASSING, ReconnectingConnection, place_of, refusal_of
from royalcrypt.storage.postgres.database import TRANSFER_KEY, PostgresDatabase
from royalcrypt.storage.schema import metadata

T = TypeVar("T")
AnyConnection = Any
"""An asyncpg connection. asyncpg does not export its types."""
DIALECT = PGDialect_asyncpg()
MOVED = "moved_from"
"""The setting that holds the digest of the source after the transfer."""
PATIENT = 3600.0
"""Timeout in seconds for statements that read a whole table."""
UNFIT = (TypeError, ValueError, OverflowError)
"""asyncpg's errors for values of a wrong type or size, which SQLite accepts."""
ONE_AT_A_TIME = "LOCK TABLE house IN SHARE ROW EXCLUSIVE MODE"
SETTING = "SELECT value FROM house WHERE key = $1 FOR UPDATE"
SET = "INSERT INTO house (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
UNSET = "DELETE FROM house WHERE key = $1"
SET_LAST_NUMBER = "SELECT setval(pg_get_serial_sequence($1, $2), $3)"


class Mark(msgspec.Struct):
    """The progress of a transfer, stored in the target while it runs."""

    source: str
    """SHA-256 of the file. A changed file is another source, as rows may have been inserted."""
    rows: dict[str, int] = {}
    """By table, how many rows in the order of their keys have been copied."""


class Target:
    """Accepts the rows of one source."""

    def __init__(self, url: str, source: str) -> None:
        self.place = place_of(url)
        self._url = url
        self._source = source
        self._connection = ReconnectingConnection(url)

    @classmethod
    async def opened(cls, url: str, source: str) -> "Target":
        """Open a database; creates or migrates it if needed. Raises Refusal."""
        await (await PostgresDatabase.open(url, for_transfer=True)).close()
        return cls(url, source)

    async def close(self) -> None:
        await self._connection.close()

    async def begin(self, *, is_anew: bool) -> Mark | None:
        """The progress so far, or None if the transfer is complete. Raises Refusal if it cannot start here.

        ``is_anew`` deletes the rows of an unfinished transfer, whichever file it came from.
        """

        async def work(raw: AnyConnection) -> Mark | None:
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
                await raw.execute(SET, TRANSFER_KEY, msgspec.json.encode(Mark(self._source)))
            return Mark(self._source)

        return await self._do(work)

    async def write(self, table: Table, rows: Sequence[Row], *, since: int) -> None:
        """Add rows to a table that has ``since`` rows. Raises Refusal, and then none was added."""

        async def work(raw: AnyConnection) -> None:
            async with raw.transaction():
                mark = self._checked(await _mark(raw))
                there = mark.rows.get(table.name, 0)
                if there >= since + len(rows):
                    return  # An earlier attempt succeeded but its answer was lost.
                if there != since:
                    raise Refusal(Reason.OTHER_MOVE, place=self.place)
                await raw.copy_records_to_table(table.name, records=rows, columns=table.columns.keys())
                mark.rows[table.name] = since + len(rows)
                await raw.execute(SET, TRANSFER_KEY, msgspec.json.encode(mark))

        try:
            await self._do(work)
        except Refusal:
            raise
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, *UNFIT) as problem:
            why = str(problem).splitlines()[0]
            raise Refusal(Reason.NOT_TAKEN, place=self.place, table=table.name, why=why) from problem

    async def analyze(self) -> None:
        """Update PostgreSQL's statistics, so that it uses the indexes."""
        await self._do(lambda raw: raw.execute("ANALYZE", timeout=PATIENT))

    async def count(self, table: Table) -> int:
        """Number of rows, without the progress mark."""
        wanted = _sql(select(func.count()).select_from(table))
        counted = await self._do(lambda raw: raw.fetchval(wanted, timeout=PATIENT))
        return counted - (table.name == "house")

    async def rows(self, table: Table, keys: Sequence[Row]) -> dict[Row, Row]:
        """The rows with these primary keys, by key."""
        parts = [list(part) for part in zip(*keys, strict=True)]
        return keyed(table, await self.fetch(_rows_by_key(table), *parts))

    async def finish(self, numbers: Mapping[str, int], settings: Mapping[str, str]) -> None:
        """Let servers open the database. ``numbers``: by table with assigned ids, the last id."""

        async def work(raw: AnyConnection) -> None:
            async with raw.transaction():
                if await _mark(raw) is None:
                    return  # An earlier attempt succeeded.
                for name, number in numbers.items():
                    if number:
                        await raw.execute(SET_LAST_NUMBER, name, "id", number)
                for key, value in (*settings.items(), (MOVED, self._source)):
                    await raw.execute(SET, key, msgspec.json.encode(value))
                await raw.execute(UNSET, TRANSFER_KEY)

        await self._do(work)

    async def fetch(self, wanted: str, *values: object) -> list[Row]:
        return [tuple(row) for row in await self._do(lambda raw: raw.fetch(wanted, *values))]

    def _checked(self, mark: Mark | None) -> Mark:
        if mark is None or mark.source != self._source:
            raise Refusal(Reason.OTHER_MOVE, place=self.place)
        return mark

    async def _do(self, work: Callable[[AnyConnection], Awaitable[T]]) -> T:
        try:
            return await self._connection.do(lambda raw, _: work(raw))
        except (*PASSING, asyncpg.InsufficientResourcesError, asyncpg.InsufficientPrivilegeError) as problem:
            raise refusal_of(problem, self._url) from problem


def keyed(table: Table, rows: Iterable[Row]) -> dict[Row, Row]:
    """Rows by primary key."""
    columns = table.columns.keys()
    places = [columns.index(key.name) for key in table.primary_key.columns]
    return {tuple(row[place] for place in places): row for row in rows}


async def _mark(raw: AnyConnection) -> Mark | None:
    found = await raw.fetchval(SETTING, TRANSFER_KEY)
    return None if found is None else msgspec.json.decode(found, type=Mark)


async def _is_empty(raw: AnyConnection) -> bool:
    for table in metadata.sorted_tables:
        if await raw.fetchval(_sql(select(select(table).exists()))):
            return False
    return True


@cache
def _rows_by_key(table: Table) -> str:
    """Select rows by primary key; each column of the key is one array parameter."""
    keys = list(table.primary_key.columns)
    parts = [bindparam(f"part{n}", type_=ARRAY(key.type)) for n, key in enumerate(keys)]
    names = [key.name for key in keys]
    wanted = func.unnest(*parts).table_valued(*names).render_derived("wanted")
    return _sql(select(table).join(wanted, and_(*(key == wanted.c[key.name] for key in keys))))


def _sql(statement: Any) -> str:
    """A statement as text for asyncpg."""
    return str(statement.compile(dialect=DIALECT))
