"""A SQLAlchemy dialect for apsw, with the parts of the DB-API that SQLAlchemy and Alembic need.

apsw bundles a recent SQLite; older versions may corrupt a write-ahead log.
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

from royalcrypt.storage.sqlite.connection import RawConnection, RawCursor

Description = tuple[tuple[str, str | None, None, None, None, None, None], ...]


class DbapiCursor:
    arraysize = 1

    def __init__(self, raw: RawConnection) -> None:
        self._raw = raw
        self._cursor = raw.cursor()
        self._cursor.exec_trace = self._before
        self.description: Description | None = None
        self.rowcount = -1

    def _before(self, cursor: RawCursor, _statement: str, _bindings: object) -> bool:
        # For an empty result, apsw returns the columns only before the first step.
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


class DbapiConnection:
    """DB-API connection that begins transactions only on request, and none at isolation level None."""

    def __init__(self, raw: RawConnection) -> None:
        self.raw = raw
        self.isolation_level: str | None = ""

    def cursor(self) -> DbapiCursor:
        return DbapiCursor(self.raw)

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
        return False  # The connection's owner handles disconnects.

    def do_begin(self, dbapi_connection: Any) -> None:
        dbapi_connection.begin()


registry.register("sqlite.apsw", __name__, ApswDialect.__name__)


def engine_on(raw: RawConnection, *, is_managed: bool = False) -> Engine:
    """Create an engine on one connection; if it is managed, its owner begins and ends transactions."""
    level: Any = "AUTOCOMMIT" if is_managed else "SERIALIZABLE"
    return create_engine(
        "sqlite+apsw://", creator=lambda: DbapiConnection(raw), poolclass=NullPool, isolation_level=level
    )
