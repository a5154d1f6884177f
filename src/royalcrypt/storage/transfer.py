"""Resumable transfer of a database file to PostgreSQL: copies, then compares all rows."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, TypeVar

import apsw
import asyncpg
import msgspec
from sqlalchemy import Connection, Table, and_, bindparam, func, select, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.exc import DBAPIError

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.migrations import check_is_known
from royalcrypt.storage.postgres.connection import (
    TRANSIENT,
    AsyncpgConnection,
    Connector,
    ReconnectingConnection,
    place_of,
)
from royalcrypt.storage.postgres.connection import refusal_of as refusal_of_target
from royalcrypt.storage.postgres.database import TRANSFER_KEY, PostgresDatabase
from royalcrypt.storage.schema import metadata
from royalcrypt.storage.sqlite.backup import check, truncate_log
from royalcrypt.storage.sqlite.connection import DatabaseFileLock, open_existing, open_raw, refusal_of
from royalcrypt.storage.sqlite.dialect import engine_on
from royalcrypt.storage.sqlite.integrity import check_whole
from royalcrypt.storage.sqlite.migration import migrate
from royalcrypt.tables.clocks import Outage

T = TypeVar("T")
Row = tuple[Any, ...]
ROWS_PER_TRANSACTION = 1000
"""Maximum number of rows copied in one transaction."""
GAMES_AT_ONCE = 10
TABLES = metadata.sorted_tables
"""All tables, referenced ones first."""
NUMBERED = ("chat", "notices")
"""Names of the tables whose ids the database assigns."""
Advance = Callable[[int], None]

GAMES = "SELECT id, status, ply FROM tables WHERE id > $1 ORDER BY id LIMIT $2"
ENTRIES = """
    SELECT table_id, ply, entry FROM journal WHERE table_id = ANY($1::text[]) ORDER BY table_id, ply
"""
RECORDS = "SELECT table_id, record FROM records WHERE table_id = ANY($1::text[])"
OUTAGES = "SELECT since, until FROM outages ORDER BY since"
DIALECT = PGDialect_asyncpg()
SOURCE_KEY = "moved_from"
"""Setting that stores the digest of the source file after a completed transfer."""
TABLE_SCAN_TIMEOUT = 3600.0
"""Time-out in seconds of statements that read a whole table."""
VALUE_ERRORS = (TypeError, ValueError, OverflowError)
"""Errors of asyncpg for values of a wrong type or size, which SQLite accepts."""
ONE_AT_A_TIME = "LOCK TABLE house IN SHARE ROW EXCLUSIVE MODE"
SETTING = "SELECT value FROM house WHERE key = $1 FOR UPDATE"
SET = "INSERT INTO house (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
UNSET = "DELETE FROM house WHERE key = $1"
SET_LAST_NUMBER = "SELECT setval(pg_get_serial_sequence($1, $2), $3)"
SEQUENCE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")


class TransferSource:
    """A snapshot of the source file."""

    def __init__(self, sql: Connection, digest: str) -> None:
        self._sql = sql
        self.digest = digest

    def count(self, table: Table) -> int:
        return self._sql.scalar(select(func.count()).select_from(table)) or 0

    def pages(self, table: Table, *, size: int, since: int = 0) -> Iterator[list[Row]]:
        """Yield pages of rows in key order, without the first ``since`` rows."""
        wanted = select(table).order_by(*table.primary_key.columns).offset(since)
        for page in self._sql.execution_options(yield_per=size).execute(wanted).partitions():
            yield [tuple(row) for row in page]

    def last_number(self, table: Table) -> int:
        """Return the highest id ever assigned, even to deleted rows; 0 if there was none."""
        return self._sql.scalar(SEQUENCE, {"name": table.name}) or 0


@contextmanager
def opened(path: Path) -> Generator[TransferSource]:
    """Open a source file, locked against servers, after migrating it if needed; raises Refusal."""
    with open_existing(path) as (_, version):
        check_is_known(version, path)
    try:
        with closing(DatabaseFileLock(path)):
            check_whole(path)
            migrate(path)
            digest = _digest(path)
            with closing(open_raw(path)) as raw, engine_on(raw, is_managed=True).connect() as sql:
                check(raw, path)
                raw.execute("BEGIN")
                yield TransferSource(sql, digest)
    except (apsw.Error, DBAPIError) as problem:
        raise refusal_of(getattr(problem, "orig", problem), path) from problem


def _digest(path: Path) -> str:
    """Return the file's SHA-256 after a checkpoint; no connection may be open (reading drops its locks)."""
    with closing(open_raw(path)) as raw:
        if not truncate_log(raw):
            raise Refusal(Reason.DATABASE_BUSY)
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as problem:
        raise refusal_of(problem, path) from problem


class Mark(msgspec.Struct):
    """Progress of a transfer, stored in the target while it runs."""

    source: str
    """SHA-256 of the source file; a changed file counts as another source."""
    rows: dict[str, int] = {}
    """Maps each table to the number of rows copied, in key order."""


class TransferTarget:
    """The target PostgreSQL database of a transfer from one source."""

    def __init__(self, url: str, source: str) -> None:
        self.place = place_of(url)
        self._url = url
        self._source = source
        self._connection = ReconnectingConnection(Connector(url))

    @classmethod
    async def opened(cls, url: str, source: str) -> "TransferTarget":
        """Open the target, creating or migrating its schema if needed; raises Refusal."""
        await (await PostgresDatabase.open(url, for_transfer=True)).close()
        return cls(url, source)

    async def close(self) -> None:
        await self._connection.close()

    async def begin(self, *, is_restart: bool) -> Mark | None:
        """Return the progress so far, None if the transfer is complete; raises Refusal if it cannot start.

        ``is_restart`` deletes the rows of an unfinished transfer from any file and starts again.
        """

        async def work(raw: AsyncpgConnection) -> Mark | None:
            async with raw.transaction():
                await raw.execute(ONE_AT_A_TIME)
                found = await _mark(raw)
                if found is not None and is_restart:
                    await raw.execute(f"TRUNCATE {', '.join(each.name for each in metadata.sorted_tables)}")
                elif found is not None:
                    return self._checked(found)
                elif await raw.fetchval(SETTING, SOURCE_KEY) == msgspec.json.encode(self._source):
                    return None
                elif not await _is_empty(raw):
                    raise Refusal(Reason.NOT_EMPTY, place=self.place)
                await raw.execute(SET, TRANSFER_KEY, msgspec.json.encode(Mark(self._source)))
            return Mark(self._source)

        return await self._do(work)

    async def write(self, table: Table, rows: Sequence[Row], *, since: int) -> None:
        """Add rows to a table that has ``since`` rows; raises Refusal if none could be added."""

        async def work(raw: AsyncpgConnection) -> None:
            async with raw.transaction():
                mark = self._checked(await _mark(raw))
                there = mark.rows.get(table.name, 0)
                if there >= since + len(rows):
                    return  # An earlier attempt succeeded, although its answer was lost.
                if there != since:
                    raise Refusal(Reason.OTHER_MOVE, place=self.place)
                await raw.copy_records_to_table(table.name, records=rows, columns=table.columns.keys())
                mark.rows[table.name] = since + len(rows)
                await raw.execute(SET, TRANSFER_KEY, msgspec.json.encode(mark))

        try:
            await self._do(work)
        except Refusal:
            raise
        except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, *VALUE_ERRORS) as problem:
            why = str(problem).splitlines()[0]
            raise Refusal(Reason.NOT_TAKEN, place=self.place, table=table.name, why=why) from problem

    async def analyze(self) -> None:
        """Update PostgreSQL's planner statistics, so that it uses the indexes."""
        await self._do(lambda raw: raw.execute("ANALYZE", timeout=TABLE_SCAN_TIMEOUT))

    async def count(self, table: Table) -> int:
        """Count a table's rows, without the progress mark."""
        wanted = _sql(select(func.count()).select_from(table))
        counted = await self._do(lambda raw: raw.fetchval(wanted, timeout=TABLE_SCAN_TIMEOUT))
        return counted - (table.name == "house")

    async def rows(self, table: Table, keys: Sequence[Row]) -> dict[Row, Row]:
        """Return the rows with these primary keys, indexed by key."""
        parts = [list(part) for part in zip(*keys, strict=True)]
        return keyed(table, await self.fetch(_rows_by_key(table), *parts))

    async def finish(self, numbers: Mapping[str, int], settings: Mapping[str, str]) -> None:
        """Allow servers to open the target; ``numbers`` maps tables with assigned ids to their last id."""

        async def work(raw: AsyncpgConnection) -> None:
            async with raw.transaction():
                if await _mark(raw) is None:
                    return  # An earlier attempt succeeded.
                for name, number in numbers.items():
                    if number:
                        await raw.execute(SET_LAST_NUMBER, name, "id", number)
                for key, value in (*settings.items(), (SOURCE_KEY, self._source)):
                    await raw.execute(SET, key, msgspec.json.encode(value))
                await raw.execute(UNSET, TRANSFER_KEY)

        await self._do(work)

    async def fetch(self, wanted: str, *values: object) -> list[Row]:
        return [tuple(row) for row in await self._do(lambda raw: raw.fetch(wanted, *values))]

    def _checked(self, mark: Mark | None) -> Mark:
        if mark is None or mark.source != self._source:
            raise Refusal(Reason.OTHER_MOVE, place=self.place)
        return mark

    async def _do(self, work: Callable[[AsyncpgConnection], Awaitable[T]]) -> T:
        try:
            return await self._connection.do(lambda raw, _: work(raw))
        except (*TRANSIENT, asyncpg.InsufficientResourcesError, asyncpg.InsufficientPrivilegeError) as error:
            raise refusal_of_target(error, self._url) from error


def keyed(table: Table, rows: Iterable[Row]) -> dict[Row, Row]:
    """Index rows by primary key."""
    columns = table.columns.keys()
    places = [columns.index(key.name) for key in table.primary_key.columns]
    return {tuple([row[place] for place in places]): row for row in rows}


async def _mark(raw: AsyncpgConnection) -> Mark | None:
    found = await raw.fetchval(SETTING, TRANSFER_KEY)
    return None if found is None else msgspec.json.decode(found, type=Mark)


async def _is_empty(raw: AsyncpgConnection) -> bool:
    for table in metadata.sorted_tables:
        if await raw.fetchval(_sql(select(select(table).exists()))):
            return False
    return True


@cache
def _rows_by_key(table: Table) -> str:
    """Return SQL that selects rows by primary key, with one array parameter per key column."""
    keys = list(table.primary_key.columns)
    parts = [bindparam(f"part{n}", type_=ARRAY(key.type)) for n, key in enumerate(keys)]
    names = [key.name for key in keys]
    wanted = func.unnest(*parts).table_valued(*names).render_derived("wanted")
    return _sql(select(table).join(wanted, and_(*(key == wanted.c[key.name] for key in keys))))


def _sql(statement: Any) -> str:
    """Compile a statement to SQL text for asyncpg."""
    return str(statement.compile(dialect=DIALECT))


class CopiedTable(NamedTuple):
    table: str
    rows: int
    seconds: float
    """Duration in this run, without earlier interrupted runs."""


class Transfer:
    """A transfer from one source to one target, which may be interrupted between any two steps."""

    def __init__(self, runner: asyncio.Runner, source: TransferSource, target: TransferTarget) -> None:
        self._run = runner.run
        self._source = source
        self.target = target
        self.counts = {table.name: source.count(table) for table in TABLES}

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def copy(self, mark: Mark, advance: Advance) -> list[CopiedTable]:
        """Copy all rows that are missing in the target."""
        copied = [self._copy(table, mark.rows.get(table.name, 0), advance) for table in TABLES]
        self._run(self.target.analyze())
        return copied

    def _copy(self, table: Table, since: int, advance: Advance) -> CopiedTable:
        began = monotonic()
        for page in self._source.pages(table, size=ROWS_PER_TRANSACTION, since=since):
            self._run(self.target.write(table, page, since=since))
            since += len(page)
            advance(len(page))
        return CopiedTable(table.name, since, monotonic() - began)

    def compare(self, advance: Advance) -> None:
        """Compare the row counts and every row; raises Refusal (MOVED_WRONGLY) at a difference."""
        for table in TABLES:
            if self._run(self.target.count(table)) != self.counts[table.name]:
                raise Refusal(Reason.MOVED_WRONGLY, place=self.target.place, table=table.name)
            for page in self._source.pages(table, size=ROWS_PER_TRANSACTION):
                here = keyed(table, page)
                if self._run(self.target.rows(table, list(here))) != here:
                    raise Refusal(Reason.MOVED_WRONGLY, place=self.target.place, table=table.name)
                advance(len(page))

    def finish(self, settings: dict[str, str]) -> None:
        """Allow servers to open the target, and store these additional settings in it."""
        numbers = {name: self._source.last_number(metadata.tables[name]) for name in NUMBERED}
        self._run(self.target.finish(numbers, settings))


class StoredGame(NamedTuple):
    id: str
    status: str
    ply: int
    """Number of entries according to the row in ``tables``; the journal is authoritative."""
    plies: list[int]
    entries: list[bytes]
    record: bytes | None


class GameBatch(NamedTuple):
    games: list[StoredGame]
    outages: list[Outage]


def games_in(runner: asyncio.Runner, target: TransferTarget) -> Iterator[GameBatch]:
    """Yield all games of the target in small batches."""
    outages = [(since, until) for since, until in runner.run(target.fetch(OUTAGES))]
    last = ""
    while found := runner.run(_games_after(target, last)):
        yield GameBatch(found, outages)
        last = found[-1].id


async def _games_after(target: TransferTarget, last: str) -> list[StoredGame]:
    found = {
        name: StoredGame(name, status, ply, [], [], None)
        for name, status, ply in await target.fetch(GAMES, last, GAMES_AT_ONCE)
    }
    for name, ply, entry in await target.fetch(ENTRIES, list(found)):
        found[name].plies.append(ply)
        found[name].entries.append(entry)
    for name, record in await target.fetch(RECORDS, list(found)):
        found[name] = found[name]._replace(record=record)
    return list(found.values())
