"""Writer of journal lines on SQLite (the hot path), with prepared statements of many rows each.

A thread releases the interpreter lock with every statement, and must wait to reacquire it. So the number of
statements determines the speed.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

import apsw

from royalcrypt.storage.journal import UPDATE_TABLE, dependent_rows
from royalcrypt.storage.sqlite.connection import RawConnection
from royalcrypt.tables.journal import Line, PlyTaken

INSERT_ENTRIES = "INSERT INTO journal (table_id, ply, entry) VALUES ROWS"
UPSERT_TABLES = """
    INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply) VALUES ROWS
    ON CONFLICT (id) DO UPDATE SET CHANGES
""".replace("CHANGES", UPDATE_TABLE)  # nosec B608
MAX_ROWS = 64
"""Maximum number of rows per statement."""


@cache
def for_rows(statement: str, columns: int, count: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.replace("ROWS", ", ".join([row] * count))


def table_row(line: Line) -> tuple[object, ...]:
    new = line.listing
    return (
        line.table, new.status, new.is_listed, new.actor, new.due, new.updated, new.updated, new.info,
        line.ply + 1,
    )  # fmt: skip


def flat(rows: Iterable[tuple[object, ...]]) -> tuple[object, ...]:
    return tuple(chain.from_iterable(rows))


class Appender:
    def __init__(self, raw: RawConnection) -> None:
        cursor = raw.cursor()
        self._execute, self._executemany = cursor.execute, cursor.executemany

    def append(self, lines: Sequence[Line]) -> None:
        """Write all lines; raises PlyTaken for a conflict. After an error the caller must roll back."""
        for group in in_powers_of_two(lines):
            self._insert(group)
            self._execute(for_rows(UPSERT_TABLES, 9, len(group)), flat(map(table_row, group)))
        for line in lines:
            if line.has_dependents:
                for statement, rows in dependent_rows([line]):
                    self._executemany(statement, rows)

    def _insert(self, group: Sequence[Line]) -> None:
        try:
            self._execute(
                for_rows(INSERT_ENTRIES, 3, len(group)),
                flat((line.table, line.ply, line.entry) for line in group),
            )
        except apsw.ConstraintError as problem:
            if getattr(problem, "extendedresult", None) != apsw.SQLITE_CONSTRAINT_PRIMARYKEY:
                raise
            raise PlyTaken from None


def in_powers_of_two(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Split lines into groups of few distinct sizes, so that all statements stay prepared."""
    at, size = 0, MAX_ROWS
    while at < len(lines):
        while size > len(lines) - at:
            size //= 2
        yield lines[at : at + size]
        at += size
