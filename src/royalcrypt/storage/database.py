"""The interface of a database, on SQLite or PostgreSQL, and the base class of all stores."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Column, Connection, Row, Table, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.journal import JournalStorage

P = ParamSpec("P")
S = TypeVar("S", bound="Store")
T = TypeVar("T")


class StoredEntry(NamedTuple):
    """A journal entry with its key."""

    table: str
    ply: int
    content: bytes


class Changed(NamedTuple):
    mark: int
    """Pass this to the next call."""
    plies: dict[str, int]
    """By table with new entries, how many entries it has."""
    newest_line: int = 0
    """The id of the newest chat line."""
    newest_notice: int = 0


class Database(JournalStorage, Protocol):
    async def entries(self, since: Mapping[str, int]) -> list[StoredEntry]:
        """Entries of several tables, each from its ply on, in order."""
        ...

    async def changed(self, mark: int) -> Changed:
        """Tables whose journal has grown since an earlier mark. Some may be repeated, none is missed."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in its own transaction, and return once its changes are on the disk.

        An exception of the work rolls it back. Raises NotKept, and then nothing was stored.
        """
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work``, which only reads, on one snapshot that includes everything acknowledged before."""
        ...

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Like ``read`` for a single statement, which needs no transaction."""
        ...

    async def vacuum(self) -> None:
        """Remove the bytes of deleted and replaced rows from the files. Raises NotKept."""
        ...

    async def close(self) -> None:
        """Finish pending work and close the database."""
        ...


async def open_database(url: str | None, file: Path) -> Database:
    """Open PostgreSQL if there is a URL, else the file. Raises Refusal."""
    if url is None:
        from royalcrypt.storage.sqlite.database import SqliteDatabase  # noqa: PLC0415 (it imports this module)

        return await SqliteDatabase.open(file)
    if find_spec("asyncpg") is None or find_spec("greenlet") is None:
        raise Refusal(Reason.CLUSTER_NOT_INSTALLED)
    from royalcrypt.storage.postgres.database import PostgresDatabase  # noqa: PLC0415 (optional)

    return await PostgresDatabase.open(url)


class NamedLocks:
    """Locks of this process by name. One that nobody holds or waits for takes no memory."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def get(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())


class Store:
    """Reads and writes one subject. Each helper method here runs one statement."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def _rows(self, wanted: Any, **values: Any) -> Sequence[Any]:
        return await self.database.ask(lambda sql: sql.execute(wanted, values).all())

    async def _row(self, wanted: Any, **values: Any) -> Row[Any] | None:
        return await self.database.ask(lambda sql: sql.execute(wanted, values).first())

    async def _scalar(self, wanted: Any, **values: Any) -> Any:
        """The first column of the first row, or None."""
        return await self.database.ask(lambda sql: sql.scalar(wanted, values))

    async def _all(self, wanted: Any, *keys: Column[Any], page: int) -> AsyncIterator[Row[Any]]:
        """All rows in the order of ``keys``, read a page at a time."""
        wanted = wanted.order_by(*keys).limit(page)
        found = await self._rows(wanted)
        while found:
            for row in found:
                yield row
            last = tuple_(*(getattr(found[-1], key.name) for key in keys))
            found = await self._rows(wanted.where(tuple_(*keys) > last))

    async def _write(self, statement: Any) -> int:
        """Run one statement that changes rows. Returns how many."""
        return await self.database.run(lambda sql: sql.execute(statement).rowcount)

    async def _upsert(self, table: Table, **values: Any) -> None:
        await self.database.run(lambda sql: upsert(sql, table, values))


def transaction(
    work: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Turn a method that takes a connection into a coroutine that runs in its own transaction."""

    @wraps(work)
    async def run(store: S, *args: P.args, **options: P.kwargs) -> T:
        return await store.database.run(lambda sql: work(store, sql, *args, **options))

    return run


def snapshot(
    work: Callable[Concatenate[S, Connection, P], T],
) -> Callable[Concatenate[S, P], Coroutine[Any, Any, T]]:
    """Like ``transaction``, for a method that only reads."""

    @wraps(work)
    async def read(store: S, *args: P.args, **options: P.kwargs) -> T:
        return await store.database.read(lambda sql: work(store, sql, *args, **options))

    return read


def upsert(sql: Connection, table: Table, values: dict[str, Any]) -> None:
    """Insert a row, or update the one with the same primary key."""
    made = postgresql.insert(table) if sql.dialect.name == "postgresql" else sqlite.insert(table)
    keys = list(table.primary_key.columns)
    others = {name: value for name, value in values.items() if name not in {key.name for key in keys}}
    sql.execute(made.values(values).on_conflict_do_update(index_elements=keys, set_=others))
