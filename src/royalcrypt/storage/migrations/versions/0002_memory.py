"""Results, ratings, daily games, duplicates, memos, standing orders, mail and programs."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from royalcrypt.storage import schema

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


TABLES = (
    "results",
    "recoveries",
    "programs",
    "tokens",
    "addresses",
    "letters",
    "ratings",
    "memos",
    "standing_orders",
    "dailies",
    "daily_tries",
    "duplicates",
    "duplicate_tables",
)


def upgrade() -> None:
    schema.metadata.create_all(op.get_bind(), tables=[schema.metadata.tables[name] for name in TABLES])
    _read_results()


def _read_results() -> None:
    """Fill ``results`` from the records of finished games. Unreadable records are skipped."""
    sql = op.get_bind()
    people = {
        (table, seat): person for table, seat, person in sql.execute(sa.text("SELECT * FROM seats")).all()
    }
    for table, record, ended in sql.execute(sa.text("SELECT table_id, record, ended FROM records")).all():
        try:
            rows = _rows(json.loads(record))
        except (KeyError, TypeError, ValueError):
            continue
        for row in rows:
            known = {"table_id": table, "person_id": people.get((table, row["seat"])), "ended": ended}
            sql.execute(_RESULT, row | known)


def _rows(record: Any) -> list[dict[str, Any]]:
    game, result = record["game"], record["result"]
    return [
        {
            "seat": seat,
            "kind": game["seats"][seat]["kind"],
            "players": game["players"],
            "collectors": game["collectors"],
            "score": score,
            "place": result["places"][seat],
            "is_winner": seat in result["winners"],
        }
        for seat, score in enumerate(result["scores"])
    ]


_RESULT = sa.text("""
    INSERT INTO results
        (table_id, seat, person_id, kind, players, collectors, score, place, is_winner, ended)
    VALUES
        (:table_id, :seat, :person_id, :kind, :players, :collectors, :score, :place, :is_winner, :ended)
""")
