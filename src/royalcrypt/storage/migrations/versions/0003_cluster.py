"""What several processes need to notice each other's changes."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (("ply", sa.Integer), ("changed", sa.BigInteger)):
        op.add_column("tables", sa.Column(name, kind, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE tables SET ply = (SELECT count(*) FROM journal WHERE journal.table_id = tables.id)")
    op.create_index("ix_tables_changed", "tables", ["changed"])
    op.create_table(
        "notices",
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True
        ),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_notices_at", "notices", ["at"])
