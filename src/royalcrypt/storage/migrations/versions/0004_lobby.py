"""Adds each table's rank in the lobby, so that one page of the lobby is read without all others."""

import json
from typing import Any

from alembic import op
from sqlalchemy import text

from royalcrypt.storage import columns as col

revision = "0004"
down_revision = "0003"

IN_PLAY, FULL, JOINABLE = range(3)


def upgrade() -> None:
    op.add_column("tables", col.small("lobby", nullable=True))
    sql = op.get_bind()
    sql.execute(
        text("UPDATE tables SET lobby = :lobby WHERE status = 'running' AND is_listed"), {"lobby": IN_PLAY}
    )
    found = sql.execute(text("SELECT id, told FROM tables WHERE status = 'open' AND is_listed")).all()
    for table, told in found:
        rank = {"id": table, "lobby": JOINABLE if _has_room(told) else FULL}
        sql.execute(text("UPDATE tables SET lobby = :lobby WHERE id = :id"), rank)
    op.create_index(
        "ix_tables_lobby",
        "tables",
        ["lobby", "created", "id"],
        sqlite_where=text("lobby IS NOT NULL"),
        postgresql_where=text("lobby IS NOT NULL"),
    )


def _has_room(told: bytes) -> bool:
    info: Any = json.loads(told)
    return any(seat["kind"] == "free" for seat in info["seats"])
