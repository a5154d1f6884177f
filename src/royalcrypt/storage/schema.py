"""The tables of the database. Times are in ms since 1970.

Migrations create tables from here. Before you change a table, copy its old definition into the migration
that creates it, and add a migration with the change.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    text,
)
from sqlalchemy.schema import SchemaItem

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _table(name: str, *items: SchemaItem) -> Table:
    """On SQLite, without a rowid: the primary key alone orders the rows."""
    return Table(name, metadata, *items, sqlite_with_rowid=False)


def _partial_index(name: str, column: Column[Any], where: ColumnElement[bool]) -> None:
    Index(name, column, sqlite_where=where, postgresql_where=where)


# No foreign key to `tables`: that row is written after the entry, which may conflict with another process.
journal = _table(
    "journal",
    Column("table_id", Text, primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("entry", LargeBinary, nullable=False),
)

tables = _table(
    "tables",
    Column("id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("is_listed", Boolean, nullable=False),
    Column("actor", SmallInteger),
    Column("due", BigInteger),
    Column("updated", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("told", LargeBinary, nullable=False),
    # The number of entries in its journal.
    Column("ply", Integer, nullable=False, server_default=text("0")),
    # On PostgreSQL, the transaction that last wrote an entry. Processes find changes of others by it.
    Column("changed", BigInteger, nullable=False, server_default=text("0")),
    Index(None, "status", "is_listed"),
    Index(None, "changed"),
)
_partial_index("ix_tables_due", tables.c.due, tables.c.due.is_not(None))

# The person is no foreign key: a move must not fail because the person was deleted.
seats = _table(
    "seats",
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("person_id", Text),
)
_partial_index("ix_seats_person_id", seats.c.person_id, seats.c.person_id.is_not(None))

records = Table(
    "records",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("record", LargeBinary, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Index(None, "ended", "table_id"),
)

# Written with the record in the same transaction. The rating after the game is added later.
results = _table(
    "results",
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("person_id", Text),
    Column("kind", Text, nullable=False),
    Column("players", SmallInteger, nullable=False),
    Column("collectors", Text, nullable=False),
    Column("score", SmallInteger, nullable=False),
    Column("place", SmallInteger, nullable=False),
    Column("is_winner", Boolean, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("is_rated", Boolean, nullable=False, server_default=text("false")),
    Column("mu", Float),
    Column("sigma", Float),
    Index(None, "person_id", "ended"),
)
_partial_index("ix_results_unrated", results.c.ended, results.c.is_rated.is_(False))

people = _table(
    "people",
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("is_muted", Boolean, nullable=False, server_default=text("false")),
    Column("is_banned", Boolean, nullable=False, server_default=text("false")),
)

devices = _table(
    "devices",
    Column("id", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("revoked", BigInteger),
)

codes = _table(
    "codes",
    Column("digest", LargeBinary, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", BigInteger, nullable=False, index=True),
)

recoveries = _table(
    "recoveries",
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
)

# A program is a row of `people`, too. The person in kept_by is responsible for it.
programs = _table(
    "programs",
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kept_by", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    # The row stays after removal: tables show the keeper's name beside the program's.
    Column("removed", BigInteger),
)

tokens = _table(
    "tokens",
    Column("digest", LargeBinary, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
)

addresses = _table(
    "addresses",
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("key", LargeBinary, nullable=False, unique=True),
    Column("asked", BigInteger, nullable=False),
    Column("confirmed", BigInteger),
)

letters = _table(
    "letters",
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Text, primary_key=True),
    Column("taken", BigInteger, nullable=False),
)

ratings = _table(
    "ratings",
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
)

memos = _table(
    "memos",
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("updated", BigInteger, nullable=False),
)

# The round is NULL when no order is valid any more. Executed orders stay, to be shown to the person.
standing_orders = _table(
    "standing_orders",
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("round", SmallInteger),
    Column("orders", LargeBinary, nullable=False),
    Column("updated", BigInteger, nullable=False),
)

# The day as 2026-11-17. Its secret is published after the day.
dailies = _table(
    "dailies",
    Column("day", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("collectors", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

daily_tries = _table(
    "daily_tries",
    Column("day", Text, ForeignKey("dailies.day"), primary_key=True),
    Column("person_id", Text, primary_key=True),
    Column("table_id", Text, nullable=False, unique=True),
    Column("begun", BigInteger, nullable=False),
)

# Several tables with one secret. Each table's journal holds the shared data, too.
duplicates = _table(
    "duplicates",
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

duplicate_tables = _table(
    "duplicate_tables",
    Column("duplicate_id", Text, ForeignKey("duplicates.id", ondelete="CASCADE"), primary_key=True),
    Column("number", SmallInteger, primary_key=True),
    Column("table_id", Text, nullable=False, unique=True),
)

chat = Table(
    "chat",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("audience", Text, nullable=False),
    Column("person_id", Text, nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    CheckConstraint("audience IN ('table', 'spectators')", name="audience"),
    Index(None, "table_id", "audience", "id"),
    sqlite_autoincrement=True,
)

# Notices to all processes: see ``storage.notices``.
notices = Table(
    "notices",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    sqlite_autoincrement=True,
)

outages = Table(
    "outages",
    metadata,
    Column("since", BigInteger, primary_key=True, autoincrement=False),
    Column("until", BigInteger, nullable=False),
)

house = _table(
    "house",
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
