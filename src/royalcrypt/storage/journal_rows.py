"""Rows that a journal line writes beside its entry. SQLite and PostgreSQL use the same statements."""

from royalcrypt.tables.journal import Line

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


def seat_rows(line: Line) -> Rows:
    return [(line.table, seat, person) for seat, person in enumerate(line.listing.people)]


def record_rows(line: Line) -> Rows:
    """One row once the game is over, else none."""
    return [] if line.record is None else [(line.table, line.record, line.listing.updated)]


def result_rows(line: Line) -> Rows:
    return [
        (
            line.table, result.seat, result.person, result.kind, result.players, result.collectors,
            result.score, result.place, result.is_winner, line.listing.updated,
        )
        for result in line.results
    ]  # fmt: skip
