"""Journals, tables, records, people, chat, outages and settings."""

import sqlalchemy as sa
from alembic import op

from royalcrypt.storage import schema

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPLICATION = 0x52437279


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute(f"PRAGMA application_id = {APPLICATION}")
    # As it was before version 0003.
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_listed", sa.Boolean, nullable=False),
        sa.Column("actor", sa.SmallInteger),
        sa.Column("due", sa.BigInteger),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_tables_status_is_listed", "tables", ["status", "is_listed"])
    where = sa.text("due IS NOT NULL")
    op.create_index("ix_tables_due", "tables", ["due"], sqlite_where=where, postgresql_where=where)
    names = ("journal", "seats", "records", "people", "devices", "codes", "chat", "outages", "house")
    schema.metadata.create_all(op.get_bind(), tables=[schema.metadata.tables[name] for name in names])
