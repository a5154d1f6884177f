"""What a PostgreSQL database holds in the end, as ``ledger.kept_in`` tells it of a file."""

import asyncio
import json
from collections import defaultdict

import asyncpg

from tests.server.faults.ledger import Kept


def kept_at(url: str) -> Kept:
    return asyncio.run(read(url))


async def read(url: str) -> Kept:
    kept = Kept(defaultdict(list), {}, {})
    connection = await asyncpg.connect(url)
    try:
        for row in await connection.fetch("SELECT table_id, ply, entry FROM journal ORDER BY 1, 2"):
            assert row["ply"] == len(kept.entries[row["table_id"]]), "a ply is missing"
            kept.entries[row["table_id"]].append(json.loads(row["entry"]))
        kept.statuses.update(await connection.fetch("SELECT id, status FROM tables"))
        kept.records.update(await connection.fetch("SELECT table_id, record FROM records"))
    finally:
        await connection.close()
    return kept
