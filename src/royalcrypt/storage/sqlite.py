"""A database in one file: one thread writes, with group commit; another one reads."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, bindparam, select

from royalcrypt.notation.reasons import Refusal
from royalcrypt.storage.connecting import STORAGE_FAILURES, Tuning, connect, refusal_of
from royalcrypt.storage.copying import rewrite
from royalcrypt.storage.database import Changed, Entry
from royalcrypt.storage.folding import Folder
from royalcrypt.storage.lock import Lock
from royalcrypt.storage.locks import Locks
from royalcrypt.storage.migrating import migrate
from royalcrypt.storage.raw import Raw
from royalcrypt.storage.schema import journal, tables
from royalcrypt.storage.worker import Aside, Worker
from royalcrypt.tables.journal import Line

T = TypeVar("T")
# Made once: to put a statement together takes longer than to carry it out.
ENTRIES = (
    select(journal.c.ply, journal.c.entry)
    .where(journal.c.table_id == bindparam("table"), journal.c.ply >= bindparam("since"))
    .order_by(journal.c.ply)
)


class SqliteDatabase:
    """For one server process: the file is locked against others while this is open."""

    is_shared = False

    def __init__(self, path: Path, lock: Lock, *, vfs: str | None, tuning: Tuning) -> None:
        self.path = path
        self._lock = lock
        self._locks = Locks()

        def writing() -> Raw:
            return connect(path, vfs=vfs, tuning=tuning)

        def reading() -> Raw:
            raw = connect(path, vfs=vfs, tuning=tuning)
            raw.pragma("query_only", "ON")
            return raw

        self._writer = Worker("storage-writer", writing, begin="BEGIN IMMEDIATE")
        try:
            self._reader = Worker("storage-reader", reading, begin="BEGIN", failure=Refusal)
        except BaseException:
            self._writer.close()
            raise
        self._folder = Folder(writing, seconds=tuning.fold_every)

    @classmethod
    async def open(
        cls, path: Path, *, vfs: str | None = None, tuning: Tuning | None = None
    ) -> "SqliteDatabase":
        """Made or brought to this version if need be. Raises Refusal."""
        lock = Lock(path)
        try:
            migrate(path, vfs=vfs)
            return cls(path, lock, vfs=vfs, tuning=tuning or Tuning())
        except (*STORAGE_FAILURES, OSError) as problem:
            lock.release()
            raise refusal_of(problem, path) from problem
        except BaseException:
            lock.release()
            raise

    async def append(self, line: Line) -> None:
        await self._writer.hand_in(line)

    async def entries(self, since: Mapping[str, int]) -> list[Entry]:
        def work(sql: Connection) -> list[Entry]:
            return [
                Entry(table, ply, content)
                for table, first in since.items()
                for ply, content in sql.execute(ENTRIES, {"table": table, "since": first})
            ]

        return await self.read(work)

    async def changed(self, mark: int) -> Changed:
        return Changed(mark, {})  # Nobody else writes.

    async def due(self, now: int, *, most: int) -> list[str]:
        wanted = select(tables.c.id).where(tables.c.due <= now).order_by(tables.c.due).limit(most)
        return await self.read(lambda sql: list(sql.scalars(wanted)))

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await self._writer.hand_in(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._reader.hand_in(work)

    async def ask(self, question: Callable[[Connection], T]) -> T:
        return await self.read(question)

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        return self._locks.of(name)

    async def cleanse(self) -> None:
        await self._writer.hand_in(Aside(rewrite))

    async def close(self) -> None:
        # The writer goes last: whoever closes the file last folds the log into it.
        for worker in (self._folder, self._reader, self._writer):
            worker.close()
            await asyncio.to_thread(worker.join)
        self._lock.release()
