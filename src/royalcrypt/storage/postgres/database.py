"""A database on PostgreSQL: one connection writes journals, one reads them, some do everything else."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from royalcrypt.notation.reasons import Refusal
from royalcrypt.storage.database import Changed, Entry
from royalcrypt.storage.locks import Locks
from royalcrypt.storage.moving.mark import check_no_move
from royalcrypt.storage.postgres.connecting import (
    PASSING,
    PATIENCE,
    PAUSE,
    Link,
    Raw,
    cause_of,
    connect,
    is_passing,
    place_of,
    reason_of,
    refusal_of,
)
from royalcrypt.storage.postgres.migrating import migrate
from royalcrypt.storage.postgres.pen import Pen
from royalcrypt.tables.journal import Line, NotKept

T = TypeVar("T")
CONNECTIONS, MORE_CONNECTIONS = 3, 3
"""Beside those for journals."""
MOST_RACES = 20
RACE_PAUSE = 0.005
log = structlog.get_logger()

ENTRIES = """
    SELECT journal.table_id, journal.ply, journal.entry
    FROM unnest($1::text[], $2::int[]) AS wanted (table_id, since)
    JOIN journal ON journal.table_id = wanted.table_id AND journal.ply >= wanted.since
    ORDER BY journal.table_id, journal.ply
"""
# All transactions below a snapshot's lowest running one are done: who goes on from there misses nothing.
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
"""Milliseconds for which a process that found a table due has it to itself."""
# Numbers of transactions begin anew when a database is restored elsewhere.
FORGET_OTHER_NUMBERS = text(
    "UPDATE tables SET changed = 0 WHERE changed > pg_current_xact_id()::text::bigint"
)
REWRITTEN = ("journal", "tables", "seats", "records", "results", "chat", "people")


class PostgresDatabase:
    is_shared = True

    def __init__(self, url: str, engine: AsyncEngine) -> None:
        self._engine = engine
        self._writing = engine.execution_options(isolation_level="SERIALIZABLE")
        self._reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._asking = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._pen_link, self._reading_link = Link(url), Link(url)
        self._pen = Pen(self._pen_link)
        self._locks = Locks()
        self._url = url

    @classmethod
    async def open(cls, url: str, *, is_moving: bool = False) -> "PostgresDatabase":
        """Made or brought to this version if need be. Raises Refusal.

        While rows are being moved into it, it is for whoever does that and for nobody else.
        """
        engine = engine_for(url)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate, place_of(url))
                if not is_moving:
                    await connection.run_sync(check_no_move, place_of(url))
                await connection.execute(FORGET_OTHER_NUMBERS)
        except Refusal:
            await engine.dispose()
            raise
        except (*PASSING, DBAPIError, ValueError) as problem:
            await engine.dispose()
            raise refusal_of(problem, url) from problem
        except Exception as problem:
            await engine.dispose()
            if type(problem).__module__.startswith("asyncpg"):
                raise refusal_of(problem, url) from problem
            raise
        return cls(url, engine)

    async def append(self, line: Line) -> None:
        await self._pen.append(line)

    async def entries(self, since: Mapping[str, int]) -> list[Entry]:
        async def work(raw: Raw, _: bool) -> list[Entry]:  # noqa: FBT001
            return [Entry(*row) for row in await raw.fetch(ENTRIES, list(since), list(since.values()))]

        return await self._read_raw(work)

    async def changed(self, mark: int) -> Changed:
        async def work(raw: Raw, _: bool) -> Changed:  # noqa: FBT001
            found = await raw.fetch(CHANGED, mark)
            newest, line, notice = found[0][:3]
            return Changed(newest, {row[3]: row[4] for row in found if row[3] is not None}, line, notice)

        return await self._read_raw(work)

    async def due(self, now: int, *, most: int) -> list[str]:
        async def work(raw: Raw, _: bool) -> list[str]:  # noqa: FBT001
            return [row[0] for row in await raw.fetch(DUE, now, most, now + LEASE)]

        return await self._read_raw(work)

    async def _read_raw(self, work: Callable[[Raw, bool], Any]) -> Any:
        try:
            return await self._reading_link.do(work)
        except PASSING as problem:
            raise _refused(Refusal, problem) from problem

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Serializable: what several processes do at once comes out as if one had come after the other."""
        deadline, races = monotonic() + PATIENCE, 0
        while True:
            is_committing = False
            try:
                async with self._writing.connect() as connection:
                    result = await connection.run_sync(work)
                    is_committing = True
                    await connection.commit()
                    return result
            except IntegrityError:
                races += 1  # Perhaps another process was faster, and the next look tells.
                if races >= 3:
                    raise
            except (*PASSING, DBAPIError) as problem:
                is_race = getattr(cause_of(problem), "sqlstate", None) in ("40001", "40P01")
                races += is_race
                is_sure = is_race or not is_committing
                may_try = is_passing(problem) and is_sure and monotonic() < deadline and races < MOST_RACES
                if not may_try:
                    if not is_passing(problem):
                        raise
                    raise _refused(NotKept, problem) from problem
            await asyncio.sleep(RACE_PAUSE * races if races else PAUSE)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._read(self._reading, work)

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """Once to the database and back, where a transaction is three times that."""
        return await self._read(self._asking, question)

    async def _read(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        deadline = monotonic() + PATIENCE
        while True:
            try:
                async with engine.connect() as connection:
                    return await connection.run_sync(work)
            except (*PASSING, DBAPIError) as problem:
                if not is_passing(problem):
                    raise
                if monotonic() > deadline:
                    raise _refused(Refusal, problem) from problem
            await asyncio.sleep(PAUSE)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncGenerator[None]:
        async with self._locks.of(name):
            try:
                raw = await connect(self._url)
                await raw.execute("SELECT pg_advisory_lock(hashtextextended($1, 0))", name)
            except PASSING as problem:
                raise _refused(NotKept, problem) from problem
            try:
                yield
            finally:
                raw.terminate()  # and with it the lock goes

    async def cleanse(self) -> None:
        """Let go of rows that were deleted or replaced; the log of PostgreSQL itself is its host's."""
        raw = await connect(self._url)
        try:
            for table in REWRITTEN:
                await raw.execute(f"VACUUM {table}", timeout=3600)
        except PASSING as problem:
            raise _refused(NotKept, problem) from problem
        finally:
            await raw.close(timeout=1)

    async def close(self) -> None:
        await self._pen.close()
        for link in (self._pen_link, self._reading_link):
            await link.close()
        await self._engine.dispose()


def engine_for(url: str) -> AsyncEngine:
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: connect(url),
        pool_size=CONNECTIONS,
        max_overflow=MORE_CONNECTIONS,
        pool_timeout=PATIENCE,
    )


def _refused(kind: type[Refusal], problem: BaseException) -> Refusal:
    reason, details = reason_of(problem)
    log.warning("storage failed", reason=reason, problem=f"{type(cause_of(problem)).__name__}: {problem}")
    return kind(reason, **details)
