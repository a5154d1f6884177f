"""What a PostgreSQL database holds in the end, as ``ledger.kept_in`` tells it of a file."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Collection
from typing import Any

import asyncpg

from tests.server.faults.ledger import Kept


def kept_at(url: str, tables: Collection[str]) -> Kept:
    """Of these tables."""
    return asyncio.run(read(url, tables))


async def read(url: str, tables: Collection[str]) -> Kept:
    kept = Kept(defaultdict(list), {}, {})
    connection: Any = await asyncpg.connect(url)

    async def rows(columns: str) -> Any:
        return await connection.fetch(f"SELECT {columns}", list(tables))

    try:
        for row in await rows("table_id, ply, entry FROM journal WHERE table_id = ANY($1) ORDER BY 1, 2"):
            assert row["ply"] == len(kept.entries[row["table_id"]]), "a ply is missing"
            kept.entries[row["table_id"]].append(json.loads(row["entry"]))
        kept.statuses.update(await rows("id, status FROM tables WHERE id = ANY($1)"))
        kept.records.update(await rows("table_id, record FROM records WHERE table_id = ANY($1)"))
    finally:
        await connection.close()
    return kept


def lines_at(url: str, table: str) -> list[bytes]:
    """A table's journal, as it is."""

    async def fetch() -> list[bytes]:
        connection: Any = await asyncpg.connect(url)
        try:
            rows: list[Any] = await connection.fetch(
                "SELECT entry FROM journal WHERE table_id = $1 ORDER BY ply", table
            )
        finally:
            await connection.close()
        return [row["entry"] for row in rows]

    return asyncio.run(fetch())
