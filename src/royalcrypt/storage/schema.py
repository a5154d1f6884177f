"""The database schema; every change here requires a migration that makes the same change."""

from typing import Any

from sqlalchemy import CheckConstraint, Column, ColumnElement, Float, ForeignKey, Index, MetaData, Table, text
from sqlalchemy.schema import SchemaItem

from royalcrypt.storage import columns as col

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _table(name: str, *items: SchemaItem) -> Table:
    """Declare a table; on SQLite WITHOUT ROWID, so that rows are stored in primary-key order."""
    return Table(name, metadata, *items, sqlite_with_rowid=False)


def _partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool]) -> None:
    Index(name, *columns, sqlite_where=where, postgresql_where=where)


# No foreign key to `tables`, whose row is written after the entry (which may conflict with another process).
journal = _table("journal", col.key("table_id"), col.integer("ply", primary_key=True), col.blob("entry"))

tables = _table(
    "tables",
    col.key("id"),
    col.string("status"),
    col.flag("is_listed"),
    col.small("actor", nullable=True),
    col.optional_moment("due"),
    col.moment("updated"),
    col.moment("created"),
    col.blob("told"),
    # Number of entries in the table's journal.
    col.integer("ply", server_default=text("0")),
    # On PostgreSQL, the transaction that last wrote an entry; processes find each other's changes by it.
    col.moment("changed", server_default=text("0")),
    # Rank in the lobby, highest first; NULL for tables that are not there.
    col.small("lobby", nullable=True),
    Index(None, "status", "is_listed"),
    Index(None, "changed"),
)
_partial_index("ix_tables_due", tables.c.due, where=tables.c.due.is_not(None))
_partial_index(
    "ix_tables_lobby", tables.c.lobby, tables.c.created, tables.c.id, where=tables.c.lobby.is_not(None)
)

# No foreign key to `people`: a move must not fail because the person was deleted.
seats = _table("seats", col.table_key(), col.seat_key(), col.string("person_id", nullable=True))
_partial_index("ix_seats_person_id", seats.c.person_id, where=seats.c.person_id.is_not(None))

records = Table(
    "records",
    metadata,
    col.table_key(),
    col.blob("record"),
    col.moment("ended"),
    Index(None, "ended", "table_id"),
)

# Written in the record's transaction, except for the rating after the game, which is added later.
results = _table(
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
_partial_index("ix_results_unrated", results.c.ended, where=results.c.is_rated.is_(False))

people = _table(
    "people",
    col.key("id"),
    col.string("name"),
    col.moment("created"),
    col.moment("seen"),
    col.flag_off("is_muted"),
    col.flag_off("is_banned"),
)

devices = _table(
    "devices", col.key("id"), col.of_person(index=True), col.moment("created"), col.optional_moment("revoked")
)

codes = _table(
    "codes",
    col.blob("digest", primary_key=True),
    col.of_person(index=True),
    col.moment("expires", index=True),
)

recoveries = _table("recoveries", col.person_key(), col.blob("digest", unique=True), col.moment("created"))

# Each program also has a row in `people`; the person in kept_by is responsible for it.
programs = _table(
    "programs",
    col.person_key(),
    col.reference("kept_by", "people", index=True),
    # Rows stay after removal, because tables show the keeper's name next to the program's.
    col.optional_moment("removed"),
)

tokens = _table(
    "tokens",
    col.blob("digest", primary_key=True),
    col.of_person(index=True),
    col.moment("created"),
    col.optional_moment("used"),
)

addresses = _table(
    "addresses",
    col.person_key(),
    col.string("address"),
    col.string("language"),
    col.blob("key", unique=True),
    col.moment("asked"),
    col.optional_moment("confirmed"),
)

letters = _table("letters", col.person_key(), col.table_key(), col.key("day"), col.moment("taken"))

ratings = _table(
    "ratings",
    col.person_key(),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    col.integer("games"),
    col.moment("updated"),
)

memos = _table("memos", col.table_key(), col.person_key(), col.string("text"), col.moment("updated"))

# The round is NULL if no order is valid; executed orders are kept, to be shown to the person.
standing_orders = _table(
    "standing_orders",
    col.table_key(),
    col.seat_key(),
    col.of_person(index=True),
    col.small("round", nullable=True),
    col.blob("orders"),
    col.moment("updated"),
)

# The day has the form 2026-11-17; its secret is published after the day.
dailies = _table(
    "dailies", col.key("day"), col.blob("secret"), col.string("collectors"), col.moment("created")
)

daily_tries = _table(
    "daily_tries",
    col.key("day", ForeignKey("dailies.day")),
    col.key("person_id"),
    col.string("table_id", unique=True),
    col.moment("begun"),
)

# Several tables with one secret; each table's journal also contains the shared data.
duplicates = _table("duplicates", col.key("id"), col.string("owner"), col.moment("created"))

duplicate_tables = _table(
    "duplicate_tables",
    col.reference("duplicate_id", "duplicates", primary_key=True),
    col.small("number", primary_key=True),
    col.string("table_id", unique=True),
)

chat = Table(
    "chat",
    metadata,
    col.serial("id"),
    col.of_table(),
    col.string("audience"),
    col.string("person_id", index=True),
    col.string("name"),
    col.string("text"),
    col.moment("at"),
    CheckConstraint("audience IN ('table', 'spectators')", name="audience"),
    Index(None, "table_id", "audience", "id"),
    sqlite_autoincrement=True,
)

# Notices from one process to all processes.
notices = Table(
    "notices",
    metadata,
    col.serial("id"),
    col.string("kind"),
    col.string("subject"),
    col.moment("at", index=True),
    sqlite_autoincrement=True,
)

outages = Table(
    "outages", metadata, col.moment("since", primary_key=True, autoincrement=False), col.moment("until")
)

# Settings of the server, and state shared by its processes.
house = _table("house", col.key("key"), col.blob("value"))
