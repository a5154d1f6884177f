"""Adds results, ratings, daily games, duplicates, memos, standing orders, letters and programs."""

import json
from typing import Any

from alembic import op
from sqlalchemy import Column, Float, ForeignKey, Index, text
from sqlalchemy.schema import SchemaItem

from royalcrypt.storage import columns as col

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _create_results()
    _create_people()
    _create_games()
    _read_results()


def _create(name: str, *items: SchemaItem) -> None:
    op.create_table(name, *items, sqlite_with_rowid=False)


def _create_results() -> None:
    _create(
        "results",
        col.table_key(),
        col.seat_key(),
        col.string("person_id", nullable=True),
        col.string("kind"),
        col.small("players"),
        col.string("collectors"),
        col.small("score"),
        col.small("place"),
        col.flag("is_winner"),
        col.moment("ended"),
        col.flag_off("is_rated"),
        Column("mu", Float),
        Column("sigma", Float),
        Index(None, "person_id", "ended"),
    )
    op.create_index(
        "ix_results_unrated",
        "results",
        ["ended"],
        sqlite_where=text("is_rated IS 0"),
        postgresql_where=text("is_rated IS false"),
    )


def _create_people() -> None:
    _create("recoveries", col.person_key(), col.blob("digest", unique=True), col.moment("created"))
    _create(
        "programs",
        col.person_key(),
        col.reference("kept_by", "people", index=True),
        col.optional_moment("removed"),
    )
    _create(
        "tokens",
        col.blob("digest", primary_key=True),
        col.of_person(index=True),
        col.moment("created"),
        col.optional_moment("used"),
    )
    _create(
        "addresses",
        col.person_key(),
        col.string("address"),
        col.string("language"),
        col.blob("key", unique=True),
        col.moment("asked"),
        col.optional_moment("confirmed"),
    )
    _create("letters", col.person_key(), col.table_key(), col.key("day"), col.moment("taken"))
    _create(
        "ratings",
        col.person_key(),
        Column("mu", Float, nullable=False),
        Column("sigma", Float, nullable=False),
        col.integer("games"),
        col.moment("updated"),
    )


def _create_games() -> None:
    _create("memos", col.table_key(), col.person_key(), col.string("text"), col.moment("updated"))
    _create(
        "standing_orders",
        col.table_key(),
        col.seat_key(),
        col.of_person(index=True),
        col.small("round", nullable=True),
        col.blob("orders"),
        col.moment("updated"),
    )
    _create("dailies", col.key("day"), col.blob("secret"), col.string("collectors"), col.moment("created"))
    _create(
        "daily_tries",
        col.key("day", ForeignKey("dailies.day")),
        col.key("person_id"),
        col.string("table_id", unique=True),
        col.moment("begun"),
    )
    _create("duplicates", col.key("id"), col.string("owner"), col.moment("created"))
    _create(
        "duplicate_tables",
        col.reference("duplicate_id", "duplicates", primary_key=True),
        col.small("number", primary_key=True),
        col.string("table_id", unique=True),
    )


def _read_results() -> None:
    """Add the results of games that are already finished, skipping unreadable records."""
    sql = op.get_bind()
    seats = sql.execute(text("SELECT table_id, seat, person_id FROM seats")).all()
    people = {(table, seat): person for table, seat, person in seats}
    for table, record, ended in sql.execute(text("SELECT table_id, record, ended FROM records")).all():
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


_RESULT = text("""
    INSERT INTO results
        (table_id, seat, person_id, kind, players, collectors, score, place, is_winner, ended)
    VALUES
        (:table_id, :seat, :person_id, :kind, :players, :collectors, :score, :place, :is_winner, :ended)
""")
