"""SQLAlchemy on apsw, which brings its own SQLite: an older one may corrupt a write-ahead log.

As much of the DB-API as SQLAlchemy and Alembic ask for, and a dialect on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import SimpleNamespace
from typing import Any

import apsw
from sqlalchemy import Engine, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.pool import NullPool

from royalcrypt.storage.raw import Raw, RawCursor

Description = tuple[tuple[str, str | None, None, None, None, None, None], ...]


class Cursor:
    arraysize = 1

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._cursor = raw.cursor()
        self._cursor.exec_trace = self._before
        self.description: Description | None = None
        self.rowcount = -1

    def _before(self, cursor: RawCursor, _statement: str, _bindings: object) -> bool:
        # Asked before the first step: afterwards apsw no longer tells the columns of an empty result.
        columns = cursor.get_description()
        self.description = tuple((name, kind, None, None, None, None, None) for name, kind in columns) or None
        return True

    @property
    def lastrowid(self) -> int:
        return self._raw.last_insert_rowid()

    def execute(self, statement: str, bindings: Sequence[Any] = ()) -> None:
        self._cursor.execute(statement, tuple(bindings))
        self.rowcount = -1 if self.description else self._raw.changes()

    def executemany(self, statement: str, bindings: Iterable[Sequence[Any]]) -> None:
        before = self._raw.total_changes()
        self._cursor.executemany(statement, bindings)
        self.rowcount = self._raw.total_changes() - before

    def fetchone(self) -> Any:
        return self._cursor.fetchone()

    def fetchmany(self, size: int | None = None) -> list[Any]:
        return list(islice(self._cursor, size or self.arraysize))

    def fetchall(self) -> list[Any]:
        return self._cursor.fetchall()

    def close(self) -> None:
        self._cursor.close(force=True)


class Connection:
    """Begins a transaction when it is told to, and not at all while its isolation level is None."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self.isolation_level: str | None = ""

    def cursor(self) -> Cursor:
        return Cursor(self.raw)

    def begin(self) -> None:
        if self.isolation_level is not None:
            self.raw.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self._end("COMMIT")

    def rollback(self) -> None:
        self._end("ROLLBACK")

    def _end(self, statement: str) -> None:
        if self.isolation_level is not None and self.raw.in_transaction:
            self.raw.execute(statement)

    def close(self) -> None:
        self.raw.close()


class ApswDialect(SQLiteDialect_pysqlite):
    driver = "apsw"
    supports_statement_cache = True
    dbapi_exception_translation_map: Mapping[str, str] = {  # pyright: ignore[reportIncompatibleVariableOverride]
        "ConstraintError": "IntegrityError",
        "SQLError": "OperationalError",
        "BusyError": "OperationalError",
        "FullError": "OperationalError",
        "IOError": "OperationalError",
    }

    @classmethod
    def import_dbapi(cls) -> Any:
        return SimpleNamespace(
            Binary=bytes,
            Error=apsw.Error,
            paramstyle="qmark",
            sqlite_version_info=tuple(int(part) for part in apsw.sqlite_lib_version().split(".")),
        )

    def on_connect(self) -> Any:
        return None

    def is_disconnect(self, e: Any, connection: Any, cursor: Any) -> bool:  # noqa: ARG002 (SQLAlchemy's names)
        return False  # Whoever owns the connection sees to that.

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.begin()


registry.register("sqlite.apsw", __name__, ApswDialect.__name__)


def engine_on(raw: Raw, *, is_managed: bool = False) -> Engine:
    """An engine whose only connection is this one; if managed, its owner begins and ends transactions."""
    level: Any = "AUTOCOMMIT" if is_managed else "SERIALIZABLE"
    return create_engine(
        "sqlite+apsw://", creator=lambda: Connection(raw), poolclass=NullPool, isolation_level=level
    )
