"""What a PostgreSQL database holds in the end, as ``ledger.kept_in`` tells it of a file."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager
from typing import Any, cast

import asyncpg

from tests.server.faults.ledger import Kept


@asynccontextmanager
async def connected(url: str) -> AsyncGenerator[Any]:
    connection = await cast("Any", asyncpg).connect(url)
    try:
        yield connection
    finally:
        await connection.close()


def kept_at(url: str, tables: Collection[str]) -> Kept:
    """Of these tables."""
    return asyncio.run(_kept(url, list(tables)))


async def _kept(url: str, tables: list[str]) -> Kept:
    kept = Kept(defaultdict(list), {}, {})
    async with connected(url) as database:
        for row in await database.fetch(
            "SELECT table_id, ply, entry FROM journal WHERE table_id = ANY($1) ORDER BY 1, 2", tables
        ):
            assert row["ply"] == len(kept.entries[row["table_id"]]), "a ply is missing"
            kept.entries[row["table_id"]].append(json.loads(row["entry"]))
        found = await database.fetch("SELECT id, status FROM tables WHERE id = ANY($1)", tables)
        kept.statuses.update(found)
        found = await database.fetch("SELECT table_id, record FROM records WHERE table_id = ANY($1)", tables)
        kept.records.update(found)
    return kept


def lines_at(url: str, table: str) -> list[bytes]:
    """A table's journal, as it is."""

    async def fetch() -> list[bytes]:
        async with connected(url) as database:
            rows = await database.fetch("SELECT entry FROM journal WHERE table_id = $1 ORDER BY ply", table)
            return [row["entry"] for row in rows]

    return asyncio.run(fetch())
