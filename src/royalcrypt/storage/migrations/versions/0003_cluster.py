"""Adds columns and notices by which several processes find each other's changes."""

from alembic import op
from sqlalchemy import text

from royalcrypt.storage import columns as col

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", col.integer("ply", server_default=text("0")))
    op.add_column("tables", col.moment("changed", server_default=text("0")))
    op.execute("UPDATE tables SET ply = (SELECT count(*) FROM journal WHERE journal.table_id = tables.id)")
    op.create_index("ix_tables_changed", "tables", ["changed"])
    op.create_table(
        "notices",
        col.serial("id"),
        col.string("kind"),
        col.string("subject"),
        col.moment("at", index=True),
        sqlite_autoincrement=True,
    )
