"""Columns and notices by which several processes see each other's changes."""

import sqlalchemy as sa
from alembic import op

from royalcrypt.storage import schema

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (("ply", sa.Integer), ("changed", sa.BigInteger)):
        op.add_column("tables", sa.Column(name, kind, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE tables SET ply = (SELECT count(*) FROM journal WHERE journal.table_id = tables.id)")
    op.create_index("ix_tables_changed", "tables", ["changed"])
    schema.notices.create(op.get_bind())
