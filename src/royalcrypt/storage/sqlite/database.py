"""A database in one file: one thread writes with group commit, another one reads."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, bindparam, select

from royalcrypt.notation.reasons import Refusal
from royalcrypt.storage.database import Changed, NamedLocks
from royalcrypt.storage.schema import journal, tables
from royalcrypt.storage.sqlite.backup import rewrite
from royalcrypt.storage.sqlite.connection import (
    STORAGE_FAILURES,
    Checkpointer,
    DatabaseFileLock,
    RawConnection,
    Tuning,
    connect,
    refusal_of,
)
from royalcrypt.storage.sqlite.integrity import check_whole
from royalcrypt.storage.sqlite.migration import migrate
from royalcrypt.storage.sqlite.worker import DatabaseWorker, OutsideTransaction
from royalcrypt.tables.journal import Line, StoredEntry

T = TypeVar("T")
# Built once, because building a statement takes longer than running it.
ENTRIES = (
    select(journal.c.ply, journal.c.entry)
    .where(journal.c.table_id == bindparam("table"), journal.c.ply >= bindparam("since"))
    .order_by(journal.c.ply)
)


class SqliteDatabase:
    """A SQLite database for one server process; while open, it is locked against other processes."""

    is_shared = False

    def __init__(self, path: Path, lock: DatabaseFileLock, *, vfs: str | None, tuning: Tuning) -> None:
        self.path = path
        self._file_lock = lock
        self._locks = NamedLocks()

        def writing() -> RawConnection:
            return connect(path, vfs=vfs, tuning=tuning)

        def reading() -> RawConnection:
            raw = connect(path, vfs=vfs, tuning=tuning)
            raw.pragma("query_only", "ON")
            return raw

        self._writer = DatabaseWorker("storage-writer", writing, begin="BEGIN IMMEDIATE")
        try:
            self._reader = DatabaseWorker("storage-reader", reading, begin="BEGIN", failure=Refusal)
        except BaseException:
            self._writer.close()
            raise
        self._checkpointer = Checkpointer(writing, seconds=tuning.checkpoint_every)

    @classmethod
    async def open(
        cls, path: Path, *, key: Path | None = None, vfs: str | None = None, tuning: Tuning | None = None
    ) -> "SqliteDatabase":
        """Open a database, creating or migrating it if needed; raises Refusal.

        ``key`` is a file that exists only beside an existing database.
        """
        lock = DatabaseFileLock(path)
        try:
            check_whole(path, key, vfs=vfs)
            migrate(path, vfs=vfs)
            return cls(path, lock, vfs=vfs, tuning=tuning or Tuning())
        except (*STORAGE_FAILURES, OSError) as problem:
            lock.close()
            raise refusal_of(problem, path) from problem
        except BaseException:
            lock.close()
            raise

    async def append(self, line: Line) -> None:
        await self._writer.submit(line)

    async def entries(self, since: Mapping[str, int]) -> list[StoredEntry]:
        def work(sql: Connection) -> list[StoredEntry]:
            return [
                StoredEntry(table, ply, content)
                for table, first in since.items()
                for ply, content in sql.execute(ENTRIES, {"table": table, "since": first})
            ]

        return await self.read(work)

    async def changed(self, mark: int) -> Changed:
        return Changed(mark, {})  # No other process writes.

    async def due(self, now: int, *, most: int) -> list[str]:
        wanted = select(tables.c.id).where(tables.c.due <= now).order_by(tables.c.due).limit(most)
        return await self.read(lambda sql: list(sql.scalars(wanted)))

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await self._writer.submit(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._reader.submit(work)

    async def ask(self, work: Callable[[Connection], T]) -> T:
        return await self._reader.submit(work)

    def lock(self, name: str) -> AbstractAsyncContextManager[None]:
        return self._locks.get(name)

    async def vacuum(self) -> None:
        await self._writer.submit(OutsideTransaction(rewrite))

    async def close(self) -> None:
        # The writer closes last: the last connection runs the final checkpoint.
        for worker in (self._checkpointer, self._reader, self._writer):
            worker.close()
            await asyncio.to_thread(worker.join)
        self._file_lock.close()
