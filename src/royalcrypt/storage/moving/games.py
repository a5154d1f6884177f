"""Games as they have come to PostgreSQL, a few at a time, for whoever plays them again."""

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

from royalcrypt.storage.moving.target import Target

AT_ONCE = 10
GAMES = "SELECT id, status, ply FROM tables WHERE id > $1 ORDER BY id LIMIT $2"
ENTRIES = """
    SELECT table_id, ply, entry FROM journal WHERE table_id = ANY($1::text[]) ORDER BY table_id, ply
"""
RECORDS = "SELECT table_id, record FROM records WHERE table_id = ANY($1::text[])"
OUTAGES = "SELECT since, until FROM outages ORDER BY since"


class KeptGame(NamedTuple):
    id: str
    status: str
    ply: int
    """As the list of tables says; the entries are what it is read off."""
    plies: list[int]
    entries: list[bytes]
    record: bytes | None


class Games(NamedTuple):
    kept: list[KeptGame]
    outages: list[tuple[int, int]]


def games_in(runner: asyncio.Runner, target: Target) -> Iterator[Games]:
    outages = [(since, until) for since, until in runner.run(target.fetch(OUTAGES))]
    last = ""
    while found := runner.run(_games_after(target, last)):
        yield Games(found, outages)
        last = found[-1].id


async def _games_after(target: Target, last: str) -> list[KeptGame]:
    found = {
        name: KeptGame(name, status, ply, [], [], None)
        for name, status, ply in await target.fetch(GAMES, last, AT_ONCE)
    }
    for name, ply, entry in await target.fetch(ENTRIES, list(found)):
        found[name].plies.append(ply)
        found[name].entries.append(entry)
    for name, record in await target.fetch(RECORDS, list(found)):
        found[name] = found[name]._replace(record=record)
    return list(found.values())
