"""A database on PostgreSQL: one connection writes journals, one reads them, a pool does the rest."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.database import Changed, NamedLocks
from royalcrypt.storage.migrations import check_is_known, known_versions, upgrade
from royalcrypt.storage.postgres.connection import (
    PAUSE,
    RETRY_SECONDS,
    TRANSIENT,
    Availability,
    Connector,
    ReconnectingConnection,
    cause_of,
    failure,
    is_passing,
    place_of,
    refusal_of,
    time_limit,
)
from royalcrypt.storage.postgres.journal_writer import JournalWriter
from royalcrypt.storage.server_state import setting
from royalcrypt.tables.journal import Line, NotKept, StoredEntry

T = TypeVar("T")
CONNECTIONS, MORE_CONNECTIONS = 3, 3
"""Size of the connection pool, and the number of additional connections under load."""
MAX_CONFLICTS = 20
RACE_PAUSE = 0.005

ENTRIES = """
    SELECT journal.table_id, journal.ply, journal.entry
    FROM unnest($1::text[], $2::int[]) AS wanted (table_id, since)
    JOIN journal ON journal.table_id = wanted.table_id AND journal.ply >= wanted.since
    ORDER BY journal.table_id, journal.ply
"""
# Transactions older than a snapshot's oldest running one have ended, so reading from there misses nothing.
CHANGED = """
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
        coalesce((SELECT max(id) FROM chat), 0), coalesce((SELECT max(id) FROM notices), 0),
        tables.id, tables.ply
    FROM (VALUES (1)) AS one LEFT JOIN tables ON tables.changed >= $1
"""
DUE = """
    WITH free AS (
        SELECT id, due FROM tables WHERE due <= $1 ORDER BY due LIMIT $2 FOR UPDATE SKIP LOCKED
    ), taken AS (
        UPDATE tables SET due = $3 FROM free WHERE tables.id = free.id
    )
    SELECT id FROM free ORDER BY due
"""
LEASE = 15_000
"""Time in ms for which a due table is assigned to the process that fetched it."""
# Transaction numbers restart when a database is restored on another server.
RESET_CHANGED = text("UPDATE tables SET changed = 0 WHERE changed > pg_current_xact_id()::text::bigint")
TRANSFER_KEY = "moving"
"""Setting that exists while rows are being transferred into the database."""
SCHEMA_LOCK = 0x52437279
"""Key of the advisory lock that is held while the schema is altered."""
TABLE_NAMES = text("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
OURS = {"alembic_version", "journal", "house"}
VACUUMED = ("journal", "tables", "seats", "records", "results", "chat", "people")


class PostgresDatabase:
    is_shared = True

    def __init__(self, connector: Connector, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(isolation_level="SERIALIZABLE")
        self._reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._asking = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._availability = Availability(connector)
        self._writer_connection, self._reader_connection = (
            ReconnectingConnection(connector, self._availability) for _ in range(2)
        )
        self._writer = JournalWriter(self._writer_connection)
        self._locks = NamedLocks()
        self._connector = connector

    @classmethod
    async def open(cls, url: str, *, for_transfer: bool = False) -> "PostgresDatabase":
        """Open a database, creating or migrating it if needed; raises Refusal.

        During a transfer, only the transfer (``for_transfer``) may open it.
        """
        connector = Connector(url)
        engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=connector.connect,
            pool_size=CONNECTIONS,
            max_overflow=MORE_CONNECTIONS,
            pool_timeout=RETRY_SECONDS,
        )
        try:
            async with engine.begin() as connection:
                await connection.run_sync(prepare, place_of(url), for_transfer=for_transfer)
        except Exception as problem:
            await engine.dispose()
            is_drivers = type(problem).__module__.startswith("asyncpg")
            is_known = is_drivers or isinstance(problem, (*TRANSIENT, DBAPIError, ValueError))
            if is_known and not isinstance(problem, Refusal):
                raise refusal_of(problem, url) from problem
            raise
        return cls(connector, engine)

    async def append(self, line: Line) -> None:
        await self._writer.append(line)

    async def entries(self, since: Mapping[str, int]) -> list[StoredEntry]:
        return [StoredEntry(*row) for row in await self._fetch(ENTRIES, list(since), list(since.values()))]

    async def changed(self, mark: int) -> Changed:
        found = await self._fetch(CHANGED, mark)
        newest, line, notice = found[0][:3]
        plies = {row[3]: row[4] for row in found if row[3] is not None}
        return Changed(newest, plies, line, notice, self._reader_connection.opened)

    async def due(self, now: int, *, most: int) -> list[str]:
        return [row[0] for row in await self._fetch(DUE, now, most, now + LEASE)]

    async def _fetch(self, statement: str, *values: object) -> list[Any]:
        return await self._reader_connection.do(lambda raw, _: raw.fetch(statement, *values))

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a serializable transaction; retries after conflicts and transient errors."""
        deadline, races = monotonic() + RETRY_SECONDS, 0
        while True:
            self._availability.check(NotKept)
            is_committing = False
            try:
                async with self._connected(self._writing, deadline) as connection:
                    result = await connection.run_sync(work)
                    is_committing = True
                    await connection.commit()
                    return result
            except IntegrityError:
                races += 1  # Another process may have inserted the row, which the next attempt will see.
                if races >= 3:
                    raise
            except (*TRANSIENT, DBAPIError) as problem:
                if not is_passing(problem):
                    raise
                is_race = getattr(cause_of(problem), "sqlstate", None) in ("40001", "40P01")
                races += is_race
                is_undone = is_race or not is_committing
                if not is_undone or monotonic() >= deadline or races >= MAX_CONFLICTS:
                    raise failure(NotKept, problem) from problem
            await asyncio.sleep(RACE_PAUSE * races if races else PAUSE)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._read(self._reading, work)

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` without a transaction: one round trip instead of three."""
        return await self._read(self._asking, work)

    async def _read(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        deadline = monotonic() + RETRY_SECONDS
        while True:
            self._availability.check(Refusal)
            try:
                async with self._connected(engine, deadline) as connection:
                    return await connection.run_sync(work)
            except (*TRANSIENT, DBAPIError) as problem:
                if not is_passing(problem):
                    raise
                if monotonic() > deadline:
                    raise failure(Refusal, problem) from problem
            await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def _connected(self, engine: AsyncEngine, deadline: float) -> AsyncGenerator[AsyncConnection]:
        """Connect, unless there is no connection by ``deadline``, a time of the monotonic clock."""
        async with time_limit(deadline):
            connection = await engine.connect()
        try:
            yield connection
        finally:
            await asyncio.shield(connection.close())

    @asynccontextmanager
    async def lock(self, name: str) -> AsyncGenerator[None]:
        async with self._locks.get(name):
            try:
                raw = await self._connector.connect()
                await raw.execute("SELECT pg_advisory_lock(hashtextextended($1, 0))", name)
            except TRANSIENT as problem:
                raise failure(NotKept, problem) from problem
            try:
                yield
            finally:
                raw.terminate()  # This releases the lock.

    async def vacuum(self) -> None:
        """Vacuum the tables; PostgreSQL's write-ahead log is left to its administrator."""
        raw = await self._connector.connect()
        try:
            for table in VACUUMED:
                await raw.execute(f"VACUUM {table}", timeout=3600)
        except TRANSIENT as problem:
            raise failure(NotKept, problem) from problem
        finally:
            await raw.close(timeout=1)

    async def close(self) -> None:
        await self._writer.close()
        await self._availability.close()
        for connection in (self._writer_connection, self._reader_connection):
            await connection.close()
        await self._engine.dispose()


def prepare(sql: Connection, place: str, *, for_transfer: bool) -> None:
    """Migrate the schema; raises Refusal if rows are being transferred into the database."""
    migrate(sql, place)
    if not for_transfer and setting(sql, TRANSFER_KEY, None) is not None:
        raise Refusal(Reason.UNFINISHED_MOVE, place=place)
    sql.execute(RESET_CHANGED)


def migrate(sql: Connection, place: str) -> None:
    """Migrate in the current transaction; a lock lets only one of several starting processes do it."""
    newest = known_versions()[-1]
    if version_of(sql, place) == newest:
        return
    sql.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SCHEMA_LOCK})
    found = version_of(sql, place)
    if found == newest:
        return
    if found is not None:
        check_is_known(found, place)
    try:
        upgrade(sql)
    except Exception as problem:
        cause = cause_of(problem)
        why = f"{type(cause).__name__}: {cause}".partition("\n")[0]
        raise Refusal(Reason.MIGRATION_FAILED, file=place, version=newest, why=why) from problem


def version_of(sql: Connection, place: str) -> str | None:
    """Return the schema version, None if empty; raises Refusal for another program's database."""
    there = set(sql.scalars(TABLE_NAMES))
    if not there:
        return None
    if not there >= OURS:
        raise Refusal(Reason.NOT_A_DATABASE, file=place)
    return sql.scalar(text("SELECT version_num FROM alembic_version"))
