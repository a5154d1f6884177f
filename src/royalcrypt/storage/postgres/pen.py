"""The hot path: lines of journals, many in one statement, which is its own transaction.

``(table, ply)`` is unique. So a line whose fate is unknown, because the connection broke, is simply written
again: what is there already is then either the same line or another process's. And only the next ply is
kept: none is ever left out, whatever a process believes to know.
"""

import asyncio
from collections import deque
from collections.abc import Sequence

import asyncpg
import structlog

from royalcrypt.notation.reasons import Reason
from royalcrypt.storage.postgres.connecting import PASSING, Link, Raw, reason_of
from royalcrypt.tables.journal import Line, NotKept, PlyTaken

ROOM = 4096
MOST_AT_ONCE = 256
Key = tuple[str, int]
log = structlog.get_logger()

APPEND = """
    WITH given AS (
        SELECT * FROM unnest(
            $1::text[], $2::int[], $3::bytea[], $4::text[], $5::bool[], $6::smallint[], $7::bigint[],
            $8::bigint[], $9::bytea[]
        ) AS given (table_id, ply, entry, status, is_listed, actor, due, updated, told)
    ), kept AS (
        INSERT INTO journal (table_id, ply, entry) SELECT table_id, ply, entry FROM given
        WHERE ply = coalesce((SELECT tables.ply FROM tables WHERE id = given.table_id), 0)
        ON CONFLICT DO NOTHING RETURNING table_id, ply
    ), listed AS (
        INSERT INTO tables (id, status, is_listed, actor, due, updated, created, told, ply, changed)
        SELECT table_id, status, is_listed, actor, due, updated, updated, told, ply + 1,
            pg_current_xact_id()::text::bigint
        FROM given JOIN kept USING (table_id, ply)
        ON CONFLICT (id) DO UPDATE
        SET status = excluded.status, is_listed = excluded.is_listed, actor = excluded.actor,
            due = excluded.due, updated = excluded.updated, told = excluded.told, ply = excluded.ply,
            changed = excluded.changed
    )
    SELECT table_id, ply FROM kept
"""
FOUND = """
    SELECT journal.table_id, journal.ply, entry
    FROM unnest($1::text[], $2::int[]) AS wanted (table_id, ply) JOIN journal USING (table_id, ply)
"""
UNSEAT = "DELETE FROM seats WHERE table_id = ANY($1::text[])"
SEAT = "INSERT INTO seats (table_id, seat, person_id) VALUES ($1, $2, $3)"
KEEP_RECORD = """
    INSERT INTO records (table_id, record, ended) VALUES ($1, $2, $3)
    ON CONFLICT (table_id) DO UPDATE SET record = excluded.record, ended = excluded.ended
"""
KEEP_RESULT = """
    INSERT INTO results
        (table_id, seat, person_id, kind, players, collectors, score, place, is_winner, ended)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (table_id, seat) DO UPDATE
    SET person_id = excluded.person_id, kind = excluded.kind, players = excluded.players,
        collectors = excluded.collectors, score = excluded.score, place = excluded.place,
        is_winner = excluded.is_winner, ended = excluded.ended
"""


class Pen:
    """Writes all that waits in one go, while the next ones gather; answers once it is on the disk."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._waiting: deque[tuple[Line, asyncio.Future[None]]] = deque()
        self._is_closed = False
        self._wake = asyncio.Event()
        self._task = asyncio.create_task(self._serve())

    async def append(self, line: Line) -> None:
        """Raises PlyTaken or NotKept."""
        if self._is_closed:
            raise NotKept(Reason.STORAGE_CLOSED)
        if len(self._waiting) >= ROOM:
            raise NotKept(Reason.STORAGE_BUSY)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, future))
        self._wake.set()
        await future

    async def close(self) -> None:
        """What was handed in is still written."""
        self._is_closed = True
        self._wake.set()
        await self._task

    async def _serve(self) -> None:
        while self._waiting or not self._is_closed:
            if self._waiting:
                await self._write(self._take())
            else:
                self._wake.clear()
                await self._wake.wait()

    def _take(self) -> list[tuple[Line, asyncio.Future[None]]]:
        """One line a table at most, in the order that keeps two processes from waiting for each other."""
        taken: dict[str, tuple[Line, asyncio.Future[None]]] = {}
        left: list[tuple[Line, asyncio.Future[None]]] = []
        while self._waiting and len(taken) < MOST_AT_ONCE:
            one = self._waiting.popleft()
            if one[0].table in taken:
                left.append(one)
            else:
                taken[one[0].table] = one
        self._waiting.extendleft(reversed(left))
        return [taken[table] for table in sorted(taken)]

    async def _write(self, group: list[tuple[Line, asyncio.Future[None]]]) -> None:
        lines = [line for line, _ in group]
        try:
            kept = await self._link.do(lambda raw, is_repeated: keep(raw, lines, is_repeated=is_repeated))
        except (*PASSING, asyncpg.InsufficientResourcesError) as problem:
            reason, details = reason_of(problem)
            log.warning("storage failed", reason=reason, problem=f"{type(problem).__name__}: {problem}")
            for _, future in group:
                _fail(future, NotKept(reason, **details))
        except Exception as problem:  # noqa: BLE001 (bad input of one must not cost the others their entries)
            if len(group) == 1:
                _fail(group[0][1], problem)
                return
            for one in group:
                await self._write([one])
        else:
            for line, future in group:
                if (line.table, line.ply) not in kept:
                    _fail(future, PlyTaken())
                elif not future.done():
                    future.set_result(None)


def _fail(future: asyncio.Future[None], problem: Exception) -> None:
    if not future.done():  # else whoever asked has gone
        future.set_exception(problem)


async def keep(raw: Raw, lines: Sequence[Line], *, is_repeated: bool) -> set[Key]:
    """All of them, but for those whose ply is taken; tells which are there now."""
    if any(line.has_new_people or line.record is not None or line.results for line in lines):
        async with raw.transaction():
            kept = await _append(raw, lines)
            await _keep_the_rest(raw, [line for line in lines if (line.table, line.ply) in kept])
    else:
        kept = await _append(raw, lines)
    if is_repeated and len(kept) < len(lines):
        kept |= await _kept_before(raw, [line for line in lines if (line.table, line.ply) not in kept])
    return kept


async def _append(raw: Raw, lines: Sequence[Line]) -> set[Key]:
    told = [line.listing for line in lines]
    found = await raw.fetch(
        APPEND,
        [line.table for line in lines],
        [line.ply for line in lines],
        [line.entry for line in lines],
        [listing.status for listing in told],
        [listing.is_listed for listing in told],
        [listing.actor for listing in told],
        [listing.due for listing in told],
        [listing.updated for listing in told],
        [listing.told for listing in told],
    )
    return {(row[0], row[1]) for row in found}


async def _keep_the_rest(raw: Raw, lines: Sequence[Line]) -> None:
    seated = [line for line in lines if line.has_new_people]
    if seated:
        await raw.execute(UNSEAT, [line.table for line in seated])
        seats = [
            (line.table, seat, person) for line in seated for seat, person in enumerate(line.listing.people)
        ]
        await raw.executemany(SEAT, seats)
    records = [(line.table, line.record, line.listing.updated) for line in lines if line.record is not None]
    if records:
        await raw.executemany(KEEP_RECORD, records)
    results = [
        (
            line.table, result.seat, result.person, result.kind, result.players, result.collectors,
            result.score, result.place, result.is_winner, line.listing.updated,
        )
        for line in lines
        for result in line.results
    ]  # fmt: skip
    if results:
        await raw.executemany(KEEP_RESULT, results)


async def _kept_before(raw: Raw, lines: Sequence[Line]) -> set[Key]:
    """Those that are there word for word, as an earlier try has succeeded without anybody hearing of it."""
    entries = {(line.table, line.ply): line.entry for line in lines}
    found = await raw.fetch(FOUND, [line.table for line in lines], [line.ply for line in lines])
    return {(row[0], row[1]) for row in found if entries[row[0], row[1]] == row[2]}
