"""The database interface (SQLite or PostgreSQL), and the base class of all stores."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Column, Connection, Row, Table, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.journal import JournalStorage, StoredEntry

if TYPE_CHECKING:
    from types import CoroutineType

P = ParamSpec("P")
S = TypeVar("S", bound="Store")
T = TypeVar("T")


class Changed(NamedTuple):
    mark: int
    """Position to pass to the next call."""
    plies: dict[str, int]
    """Maps each table with new entries to its number of entries."""
    newest_line: int = 0
    """Id of the newest chat line."""
    newest_notice: int = 0
    connections: int = 1
    """How many connections were opened to answer this; after a new one, the newest entries may be lost.

    It may lead to another server, which was a standby and lacked them.
    """


class Database(JournalStorage, Protocol):
    async def entries(self, since: Mapping[str, int]) -> list[StoredEntry]:
        """Return the entries of several tables, each from its given ply on, in order."""
        ...

    async def changed(self, mark: int) -> Changed:
        """Return the tables whose journal has grown since ``mark``; may repeat tables, but misses none."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a separate transaction, and return once its changes are on disk.

        An exception in ``work`` rolls it back. Raises NotKept if nothing could be stored.
        """
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run read-only ``work`` on one snapshot that includes all previously acknowledged writes."""
        ...

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Like ``read``, but for a single statement, which needs no transaction."""
        ...

    async def vacuum(self) -> None:
        """Remove the bytes of deleted and replaced rows from the files; raises NotKept."""
        ...

    async def close(self) -> None:
        """Finish pending work and close the database."""
        ...


async def open_database(url: str | None, file: Path, key: Path | None = None) -> Database:
    """Open the PostgreSQL database at ``url``, or without one the SQLite file; raises Refusal.

    ``key`` is a file that exists only beside an existing SQLite file.
    """
    if url is None:
        from royalcrypt.storage.sqlite.database import SqliteDatabase  # noqa: PLC0415 (it imports this module)

        return await SqliteDatabase.open(file, key=key)
    if find_spec("asyncpg") is None or find_spec("greenlet") is None:
        raise Refusal(Reason.CLUSTER_NOT_INSTALLED)
    from royalcrypt.storage.postgres.database import PostgresDatabase  # noqa: PLC0415 (optional)

    return await PostgresDatabase.open(url)


class NamedLocks:
    """In-process locks by name; unused locks take no memory."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def get(self, name: str) -> asyncio.Lock:
        return self._locks.setdefault(name, asyncio.Lock())


class Store:
    """Base class of stores, each for one kind of data; every helper method runs one statement."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def _rows(self, wanted: Any, **values: Any) -> Sequence[Any]:
        return await self.database.ask(lambda sql: sql.execute(wanted, values).all())

    async def _row(self, wanted: Any, **values: Any) -> Row[Any] | None:
        return await self.database.ask(lambda sql: sql.execute(wanted, values).first())

    async def _scalar(self, wanted: Any, **values: Any) -> Any:
        """Return the first column of the first row, or None."""
        return await self.database.ask(lambda sql: sql.scalar(wanted, values))

    async def _all(self, wanted: Any, *keys: Column[Any], page: int) -> AsyncIterator[Row[Any]]:
        """Yield all rows in the order of ``keys``, reading one page at a time."""
        wanted = wanted.order_by(*keys).limit(page)
        found = await self._rows(wanted)
        while found:
            for row in found:
                yield row
            last = tuple_(*(getattr(found[-1], key.name) for key in keys))
            found = await self._rows(wanted.where(tuple_(*keys) > last))

    async def _write(self, statement: Any) -> int:
        """Run one statement that changes rows; returns the number of changed rows."""
        return await self.database.run(lambda sql: sql.execute(statement).rowcount)

    async def _upsert(self, table: Table, **values: Any) -> None:
        await self.database.run(lambda sql: upsert(sql, table, values))


def transaction(
    work: Callable[Concatenate[S, Connection, P], T],
) -> "Callable[Concatenate[S, P], CoroutineType[Any, Any, T]]":
    """Turn a method that takes a connection into a coroutine that runs in a separate transaction."""

    @wraps(work)
    async def run(store: S, *args: P.args, **options: P.kwargs) -> T:
        return await store.database.run(lambda sql: work(store, sql, *args, **options))

    return run


def snapshot(
    work: Callable[Concatenate[S, Connection, P], T],
) -> "Callable[Concatenate[S, P], CoroutineType[Any, Any, T]]":
    """Like ``transaction``, but for a method that only reads."""

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
