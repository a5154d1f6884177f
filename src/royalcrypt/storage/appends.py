"""The hot path: lines of journals, kept on SQLite by prepared statements, many lines in one of them.

A thread lets go of the interpreter with every statement, and waits for it again while others compute: so what
counts is the number of statements.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

import apsw

from royalcrypt.storage.raw import Raw
from royalcrypt.tables.journal import Line, PlyTaken, SeatResult

INSERT_ENTRIES = "INSERT INTO journal (table_id, ply, entry) VALUES ROWS"
UPSERT_TABLES = """
    INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply) VALUES ROWS
    ON CONFLICT (id) DO UPDATE
    SET status = excluded.status, is_listed = excluded.is_listed, actor = excluded.actor,
        due = excluded.due, updated = excluded.updated, told = excluded.told, ply = excluded.ply
"""
DELETE_SEATS = "DELETE FROM seats WHERE table_id = ?"
INSERT_SEAT = "INSERT INTO seats (table_id, seat, person_id) VALUES (?, ?, ?)"
UPSERT_RECORD = "INSERT OR REPLACE INTO records (table_id, record, ended) VALUES (?, ?, ?)"
UPSERT_RESULT = """
    INSERT OR REPLACE INTO results
        (table_id, seat, person_id, kind, players, collectors, score, place, is_winner, ended)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
MOST_IN_ONE = 64


@cache
def for_rows(statement: str, columns: int, count: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.replace("ROWS", ", ".join([row] * count))


def entry_row(line: Line) -> tuple[object, ...]:
    return line.table, line.ply, line.entry


def table_row(line: Line) -> tuple[object, ...]:
    told = line.listing
    return (
        line.table, told.status, told.is_listed, told.actor, told.due, told.updated, told.updated, told.told,
        line.ply + 1,
    )  # fmt: skip


def result_row(line: Line, result: SeatResult) -> tuple[object, ...]:
    return (
        line.table, result.seat, result.person, result.kind, result.players, result.collectors, result.score,
        result.place, result.is_winner, line.listing.updated,
    )  # fmt: skip


def flat(rows: Iterable[tuple[object, ...]]) -> tuple[object, ...]:
    return tuple(chain.from_iterable(rows))


class Appender:
    def __init__(self, raw: Raw) -> None:
        self._execute = raw.cursor().execute

    def append(self, lines: Sequence[Line]) -> None:
        """All of them, or an error, and then what was done is to be undone: PlyTaken if one came too late."""
        for group in in_powers_of_two(lines):
            self._insert(group)
            self._execute(for_rows(UPSERT_TABLES, 9, len(group)), flat(map(table_row, group)))
        for line in lines:
            if line.has_new_people:
                self._seat(line)
            if line.record is not None:
                self._execute(UPSERT_RECORD, (line.table, line.record, line.listing.updated))
            for result in line.results:
                self._execute(UPSERT_RESULT, result_row(line, result))

    def _insert(self, group: Sequence[Line]) -> None:
        try:
            self._execute(for_rows(INSERT_ENTRIES, 3, len(group)), flat(map(entry_row, group)))
        except apsw.ConstraintError as problem:
            if getattr(problem, "extendedresult", None) != apsw.SQLITE_CONSTRAINT_PRIMARYKEY:
                raise
            raise PlyTaken from None

    def _seat(self, line: Line) -> None:
        self._execute(DELETE_SEATS, (line.table,))
        for seat, person in enumerate(line.listing.people):
            self._execute(INSERT_SEAT, (line.table, seat, person))


def in_powers_of_two(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """So few lengths, that all statements stay prepared."""
    at, size = 0, MOST_IN_ONE
    while at < len(lines):
        while size > len(lines) - at:
            size //= 2
        yield lines[at : at + size]
        at += size
