"""Rows that a journal line writes beside its entry. SQLite and PostgreSQL use the same statements."""

from collections.abc import Sequence

from royalcrypt.tables.journal import Line

DELETE_SEATS = "DELETE FROM seats WHERE table_id = $1"
INSERT_SEAT = "INSERT INTO seats (table_id, seat, person_id) VALUES ($1, $2, $3)"
UPSERT_RECORD = """
    INSERT INTO records (table_id, record, ended) VALUES ($1, $2, $3)
    ON CONFLICT (table_id) DO UPDATE SET record = excluded.record, ended = excluded.ended
"""
UPSERT_RESULT = """
    INSERT INTO results
        (table_id, seat, person_id, kind, players, collectors, score, place, is_winner, ended)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (table_id, seat) DO UPDATE
    SET person_id = excluded.person_id, kind = excluded.kind, players = excluded.players,
        collectors = excluded.collectors, score = excluded.score, place = excluded.place,
        is_winner = excluded.is_winner, ended = excluded.ended
"""
Rows = list[tuple[object, ...]]


def dependent_rows(lines: Sequence[Line]) -> list[tuple[str, Rows]]:
    """Statements, each with its rows, for the seats, records and results of lines of different tables."""
    seated = [line for line in lines if line.has_new_people]
    finished = [line for line in lines if line.record is not None]
    found: list[tuple[str, Rows]] = [
        (DELETE_SEATS, [(line.table,) for line in seated]),
        (INSERT_SEAT, [(line.table, *seat) for line in seated for seat in enumerate(line.listing.people)]),
        (UPSERT_RECORD, [(line.table, line.record, line.listing.updated) for line in finished]),
        (UPSERT_RESULT, [row for line in lines for row in _result_rows(line)]),
    ]
    return [(statement, rows) for statement, rows in found if rows]


def _result_rows(line: Line) -> Rows:
    return [
        (
            line.table, result.seat, result.person, result.kind, result.players, result.collectors,
            result.score, result.place, result.is_winner, line.listing.updated,
        )
        for result in line.results
    ]  # fmt: skip
