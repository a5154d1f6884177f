"""First schema: journals, tables, records, people, chat, outages and settings."""

from alembic import op
from sqlalchemy import CheckConstraint, Index, text
from sqlalchemy.schema import SchemaItem

from royalcrypt.storage import columns as col

revision = "0001"
down_revision = None

APPLICATION = 0x52437279


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id = {APPLICATION}")
    _create("journal", col.key("table_id"), col.integer("ply", primary_key=True), col.blob("entry"))
    _create_tables()
    _create_people()
    op.create_table(
        "outages", col.moment("since", primary_key=True, autoincrement=False), col.moment("until")
    )
    _create("house", col.key("key"), col.blob("value"))


def _create(name: str, *items: SchemaItem) -> None:
    op.create_table(name, *items, sqlite_with_rowid=False)


def _create_tables() -> None:
    _create(
        "tables",
        col.key("id"),
        col.string("status"),
        col.flag("is_listed"),
        col.small("actor", nullable=True),
        col.optional_moment("due"),
        col.moment("updated"),
        col.moment("created"),
        col.blob("told"),
        Index(None, "status", "is_listed"),
    )
    _create_index_where_known("tables", "due")
    _create("seats", col.table_key(), col.seat_key(), col.string("person_id", nullable=True))
    _create_index_where_known("seats", "person_id")
    op.create_table(
        "records", col.table_key(), col.blob("record"), col.moment("ended"), Index(None, "ended", "table_id")
    )


def _create_index_where_known(table: str, column: str) -> None:
    where = text(f"{column} IS NOT NULL")
    op.create_index(f"ix_{table}_{column}", table, [column], sqlite_where=where, postgresql_where=where)


def _create_people() -> None:
    _create(
        "people",
        col.key("id"),
        col.string("name"),
        col.moment("created"),
        col.moment("seen"),
        col.flag_off("is_muted"),
        col.flag_off("is_banned"),
    )
    _create(
        "devices",
        col.key("id"),
        col.of_person(index=True),
        col.moment("created"),
        col.optional_moment("revoked"),
    )
    _create(
        "codes",
        col.blob("digest", primary_key=True),
        col.of_person(index=True),
        col.moment("expires", index=True),
    )
    op.create_table(
        "chat",
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
