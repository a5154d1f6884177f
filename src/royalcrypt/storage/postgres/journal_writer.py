"""Writer of journal lines on PostgreSQL (the hot path): many lines in one single-statement transaction.

``(table, ply)`` is unique. So after a broken connection a line can be written again: an entry that is
already stored is either identical or from another process. A line is stored only at the next ply, so none is
skipped.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import NamedTuple

import asyncpg

from royalcrypt.notation.reasons import Reason
from royalcrypt.storage.journal import UPDATE_TABLE, dependent_rows
from royalcrypt.storage.postgres.connection import AsyncpgConnection, ReconnectingConnection, failure
from royalcrypt.tables.journal import Line, NotKept, PlyTaken

CAPACITY = 4096
MAX_BATCH = 256


class Pending(NamedTuple):
    line: Line
    future: asyncio.Future[None]
    since: float
    """When the line was queued, on the monotonic clock."""


APPEND = """
    WITH given AS (
        SELECT * FROM unnest(
            $1::text[], $2::int[], $3::bytea[], $4::text[], $5::bool[], $6::smallint[], $7::bigint[],
            $8::bigint[], $9::bytea[], $10::bigint[], $11::smallint[]
        ) AS given (table_id, ply, entry, status, is_listed, actor, due, updated, told, created, lobby)
    ), kept AS (
        INSERT INTO journal (table_id, ply, entry) SELECT table_id, ply, entry FROM given
        WHERE ply = coalesce((SELECT tables.ply FROM tables WHERE id = given.table_id), 0)
        ON CONFLICT DO NOTHING RETURNING table_id, ply
    ), listed AS (
        INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply, lobby, changed)
        SELECT table_id, status, is_listed, actor, due, updated, created, told, ply + 1, lobby,
            pg_current_xact_id()::text::bigint
        FROM given JOIN kept USING (table_id, ply)
        ON CONFLICT (id) DO UPDATE SET CHANGES, changed = excluded.changed
    )
    SELECT table_id, ply FROM kept
""".replace("CHANGES", UPDATE_TABLE)  # nosec B608
FOUND = """
    SELECT journal.table_id, journal.ply, entry
    FROM unnest($1::text[], $2::int[]) AS wanted (table_id, ply) JOIN journal USING (table_id, ply)
"""


class JournalWriter:
    """Writes all queued lines in one batch while new ones queue; ``append`` returns once they are on disk."""

    def __init__(self, connection: ReconnectingConnection) -> None:
        self._connection = connection
        self._waiting: deque[Pending] = deque()
        self._is_closed = False
        self._has_work = asyncio.Event()
        self._task = asyncio.create_task(self._serve())

    async def append(self, line: Line) -> None:
        """Store a line; raises PlyTaken or NotKept."""
        if self._is_closed:
            raise NotKept(Reason.STORAGE_CLOSED)
        if len(self._waiting) >= CAPACITY:
            raise NotKept(Reason.STORAGE_BUSY)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(Pending(line, future, monotonic()))
        self._has_work.set()
        await future

    async def close(self) -> None:
        """Write all submitted lines, then stop."""
        self._is_closed = True
        self._has_work.set()
        await self._task

    async def _serve(self) -> None:
        while self._waiting or not self._is_closed:
            if self._waiting:
                await self._write(self._take())
            else:
                self._has_work.clear()
                await self._has_work.wait()

    def _take(self) -> list[Pending]:
        """Take the next batch: at most one line per table, sorted so that processes cannot deadlock."""
        taken: dict[str, Pending] = {}
        left: list[Pending] = []
        while self._waiting and len(taken) < MAX_BATCH:
            one = self._waiting.popleft()
            if taken.setdefault(one.line.table, one) is not one:
                left.append(one)
        self._waiting.extendleft(reversed(left))
        return [taken[table] for table in sorted(taken)]

    async def _write(self, group: list[Pending]) -> None:
        lines = [one.line for one in group]
        try:
            kept = await self._connection.do(
                lambda raw, again: store(raw, lines, is_repeated=again),
                kind=NotKept,
                since=min(one.since for one in group),
            )
        except asyncpg.InsufficientResourcesError as problem:
            _fail_all(group, failure(NotKept, problem))
        except NotKept as refusal:
            _fail_all(group, refusal)
        except Exception as problem:  # noqa: BLE001 (one invalid line must not affect the others)
            if len(group) == 1:
                _fail_all(group, problem)
                return
            for one in group:
                await self._write([one])
        else:
            for one in group:
                if one.line.key not in kept:
                    _fail_all([one], PlyTaken())
                elif not one.future.done():
                    one.future.set_result(None)


def _fail_all(group: Sequence[Pending], problem: Exception) -> None:
    for one in group:
        if not one.future.done():  # Otherwise the caller was cancelled.
            one.future.set_exception(problem)


async def store(raw: AsyncpgConnection, lines: Sequence[Line], *, is_repeated: bool) -> set[tuple[str, int]]:
    """Store all lines except those whose ply is taken; returns the keys of the stored lines."""
    if any(line.has_dependents for line in lines):
        async with raw.transaction():
            kept = await _append(raw, lines)
            for statement, rows in dependent_rows([line for line in lines if line.key in kept]):
                if len(rows) == 1:  # Saves a round trip.
                    await raw.execute(statement, *rows[0])
                else:
                    await raw.executemany(statement, rows)
    else:
        kept = await _append(raw, lines)
    if is_repeated and len(kept) < len(lines):
        kept |= await _stored_before(raw, [line for line in lines if line.key not in kept])
    return kept


async def _append(raw: AsyncpgConnection, lines: Sequence[Line]) -> set[tuple[str, int]]:
    listings = [line.listing for line in lines]
    found = await raw.fetch(
        APPEND,
        [line.table for line in lines],
        [line.ply for line in lines],
        [line.entry for line in lines],
        [listing.status for listing in listings],
        [listing.is_listed for listing in listings],
        [listing.actor for listing in listings],
        [listing.due for listing in listings],
        [listing.updated for listing in listings],
        [listing.info for listing in listings],
        [listing.opened for listing in listings],
        [listing.lobby for listing in listings],
    )
    return {(row[0], row[1]) for row in found}


async def _stored_before(raw: AsyncpgConnection, lines: Sequence[Line]) -> set[tuple[str, int]]:
    """Return the keys of lines that an earlier attempt stored, although its answer was lost."""
    entries = {line.key: line.entry for line in lines}
    found = await raw.fetch(FOUND, [line.table for line in lines], [line.ply for line in lines])
    return {(row[0], row[1]) for row in found if entries[row[0], row[1]] == row[2]}
