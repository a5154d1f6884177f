"""The tables of the database. Times are in ms since 1970."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
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
    Index(None, "status", "is_listed"),
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
