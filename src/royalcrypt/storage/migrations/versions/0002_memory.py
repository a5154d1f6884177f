"""What people come back for: results, ratings, daily games, duplicates, memos, orders, letters, programs."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_results()
    _create_people()
    _create_games()
    _read_results()


def _create_results() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("person_id", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("players", sa.SmallInteger, nullable=False),
        sa.Column("collectors", sa.Text, nullable=False),
        sa.Column("score", sa.SmallInteger, nullable=False),
        sa.Column("place", sa.SmallInteger, nullable=False),
        sa.Column("is_winner", sa.Boolean, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("is_rated", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_results_person_id_ended", "results", ["person_id", "ended"])
    op.create_index(
        "ix_results_unrated",
        "results",
        ["ended"],
        sqlite_where=sa.text("is_rated IS 0"),
        postgresql_where=sa.text("is_rated IS false"),
    )


def _create_people() -> None:
    op.create_table(
        "recoveries",
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "programs",
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kept_by", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("removed", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_programs_kept_by", "programs", ["kept_by"])
    op.create_table(
        "tokens",
        sa.Column("digest", sa.LargeBinary, primary_key=True),
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tokens_person_id", "tokens", ["person_id"])
    op.create_table(
        "addresses",
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "letters",
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("taken", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def _create_games() -> None:
    op.create_table(
        "memos",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing_orders",
        sa.Column("table_id", sa.Text, sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("person_id", sa.Text, sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False),
        sa.Column("round", sa.SmallInteger),
        sa.Column("orders", sa.LargeBinary, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_standing_orders_person_id", "standing_orders", ["person_id"])
    op.create_table(
        "dailies",
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("collectors", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily_tries",
        sa.Column("day", sa.Text, sa.ForeignKey("dailies.day"), primary_key=True),
        sa.Column("person_id", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False, unique=True),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "duplicates",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "duplicate_tables",
        sa.Column(
            "duplicate_id", sa.Text, sa.ForeignKey("duplicates.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.SmallInteger, primary_key=True),
        sa.Column("table_id", sa.Text, nullable=False, unique=True),
        sqlite_with_rowid=False,
    )


def _read_results() -> None:
    """Of the games that were finished before; a record that cannot be read stays what it is."""
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
