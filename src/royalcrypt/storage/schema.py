"""The tables of the database. Times are in ms since 1970."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
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

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# Without a reference to `tables`: the row there is written after the entry, which may lose its race.
journal = Table(
    "journal",
    metadata,
    Column("table_id", Text, primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("entry", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

tables = Table(
    "tables",
    metadata,
    Column("id", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("is_listed", Boolean, nullable=False),
    Column("actor", SmallInteger),
    Column("due", BigInteger),
    Column("updated", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("told", LargeBinary, nullable=False),
    # How many entries its journal has.
    Column("ply", Integer, nullable=False, server_default=text("0")),
    # On PostgreSQL, the transaction that last wrote an entry: so processes find what others have changed.
    Column("changed", BigInteger, nullable=False, server_default=text("0")),
    Index(None, "status", "is_listed"),
    Index(None, "changed"),
    sqlite_with_rowid=False,
)
Index(
    "ix_tables_due",
    tables.c.due,
    sqlite_where=tables.c.due.is_not(None),
    postgresql_where=tables.c.due.is_not(None),
)

# A person is no foreign key: a move is never refused because whoever sits there was removed.
seats = Table(
    "seats",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("person_id", Text),
    sqlite_with_rowid=False,
)
Index(
    "ix_seats_person_id",
    seats.c.person_id,
    sqlite_where=seats.c.person_id.is_not(None),
    postgresql_where=seats.c.person_id.is_not(None),
)

records = Table(
    "records",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("record", LargeBinary, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Index(None, "ended", "table_id"),
)

# Read off the record in the same transaction; what became of a rating through the game is added later.
results = Table(
    "results",
    metadata,
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
    sqlite_with_rowid=False,
)
Index(
    "ix_results_unrated",
    results.c.ended,
    sqlite_where=results.c.is_rated.is_(False),
    postgresql_where=results.c.is_rated.is_(False),
)

people = Table(
    "people",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("is_muted", Boolean, nullable=False, server_default=text("false")),
    Column("is_banned", Boolean, nullable=False, server_default=text("false")),
    sqlite_with_rowid=False,
)

devices = Table(
    "devices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("revoked", BigInteger),
    sqlite_with_rowid=False,
)

codes = Table(
    "codes",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("expires", BigInteger, nullable=False, index=True),
    sqlite_with_rowid=False,
)

recoveries = Table(
    "recoveries",
    metadata,
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("digest", LargeBinary, nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# A program is somebody, too, kept by the person who answers for it.
programs = Table(
    "programs",
    metadata,
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("kept_by", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    # It stays known whose it was: at tables its keeper's name stands beside its own.
    Column("removed", BigInteger),
    sqlite_with_rowid=False,
)

tokens = Table(
    "tokens",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    sqlite_with_rowid=False,
)

addresses = Table(
    "addresses",
    metadata,
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("address", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("key", LargeBinary, nullable=False, unique=True),
    Column("asked", BigInteger, nullable=False),
    Column("confirmed", BigInteger),
    sqlite_with_rowid=False,
)

letters = Table(
    "letters",
    metadata,
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Text, primary_key=True),
    Column("taken", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

ratings = Table(
    "ratings",
    metadata,
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("updated", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

memos = Table(
    "memos",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),
    Column("updated", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Without a round once none stand any more: what was done by them stays to be told to whoever gave them.
standing_orders = Table(
    "standing_orders",
    metadata,
    Column("table_id", Text, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("person_id", Text, ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("round", SmallInteger),
    Column("orders", LargeBinary, nullable=False),
    Column("updated", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# The day as 2026-11-17. Its secret is told once the day is over.
dailies = Table(
    "dailies",
    metadata,
    Column("day", Text, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
    Column("collectors", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

daily_tries = Table(
    "daily_tries",
    metadata,
    Column("day", Text, ForeignKey("dailies.day"), primary_key=True),
    Column("person_id", Text, primary_key=True),
    Column("table_id", Text, nullable=False, unique=True),
    Column("begun", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# Several tables with one secret. What they share is in each table's own journal, too.
duplicates = Table(
    "duplicates",
    metadata,
    Column("id", Text, primary_key=True),
    Column("owner", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

duplicate_tables = Table(
    "duplicate_tables",
    metadata,
    Column("duplicate_id", Text, ForeignKey("duplicates.id", ondelete="CASCADE"), primary_key=True),
    Column("number", SmallInteger, primary_key=True),
    Column("table_id", Text, nullable=False, unique=True),
    sqlite_with_rowid=False,
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

# What every process must take note of soon, whatever becomes of hints: see ``storage.notices``.
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

house = Table(
    "house",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
