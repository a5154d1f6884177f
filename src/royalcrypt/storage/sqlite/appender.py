"""Writer of journal lines on SQLite (the hot path), with prepared statements of many rows each.

A thread releases the interpreter lock with every statement, and must wait to reacquire it. So the number of
statements determines the speed.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import TypeVar

import apsw

from royalcrypt.storage.journal import UPDATE_TABLE, dependent_rows
from royalcrypt.storage.sqlite.connection import RawConnection
from royalcrypt.tables.journal import Line, PlyTaken

Item = TypeVar("Item")
INSERT_ENTRIES = "INSERT INTO journal (table_id, ply, entry) VALUES ROWS"
UPSERT_TABLES = """
    INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply, lobby) VALUES ROWS
    ON CONFLICT (id) DO UPDATE SET CHANGES
""".replace("CHANGES", UPDATE_TABLE)  # nosec B608
UPDATE_TABLES = """
    UPDATE tables SET actor = new.column2, updated = new.column3, told = new.column4, ply = new.column5
    FROM (VALUES ROWS) AS new WHERE id = new.column1
"""
"""After a move within a game. SQLite rewrites the index of every column that is set, so no indexed one is."""
UPDATE_DUE = "UPDATE tables SET due = new.column2 FROM (VALUES ROWS) AS new WHERE id = new.column1"
MAX_ROWS = 64
"""Maximum number of rows per statement."""


@cache
def for_rows(statement: str, columns: int, count: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.replace("ROWS", ", ".join([row] * count))


def table_row(line: Line) -> tuple[object, ...]:
    new = line.listing
    return (
        line.table, new.status, new.is_listed, new.actor, new.due, new.updated, new.opened, new.info,
        line.ply + 1, new.lobby,
    )  # fmt: skip


def moved_row(line: Line) -> tuple[object, ...]:
    new = line.listing
    return line.table, new.actor, new.updated, new.info, line.ply + 1


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
        moves = [line for line in lines if not line.has_dependents]
        others = [line for line in lines if line.has_dependents]
        self._write(UPDATE_TABLES, [moved_row(line) for line in moves])
        self._write(UPDATE_DUE, [(line.table, line.listing.due) for line in moves if line.has_new_due])
        self._write(UPSERT_TABLES, [table_row(line) for line in others])
        for statement, rows in dependent_rows(others):
            self._executemany(statement, rows)

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        for group in in_powers_of_two(rows):
            self._execute(for_rows(statement, len(group[0]), len(group)), flat(group))

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


def in_powers_of_two(found: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Split into groups of few distinct sizes, so that all statements stay prepared."""
    at, size = 0, MAX_ROWS
    while at < len(found):
        while size > len(found) - at:
            size //= 2
        yield found[at : at + size]
        at += size
