"""The tables in use: loaded from the journal, changed one entry at a time; told is only what is kept."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable
from itertools import groupby
from operator import attrgetter
from typing import Protocol

import structlog

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.thinking import SUBSTITUTE, Thinker
from royalcrypt.storage.database import StoredEntry
from royalcrypt.tables import commands
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.entries import AnyEntry, Moved, Opened, decode_entry, encode_entry
from royalcrypt.tables.journal import Journal, Line, PlyTaken, Status
from royalcrypt.tables.listings import Pace, due_at, listing_of, results_of
from royalcrypt.tables.table import Table

ID_BYTES = 9
MOST_RACES = 5
"""How often a command is tried again because another process was faster."""
IDLE_SECONDS = 60.0
SET_ASIDE = 3_600_000
"""Milliseconds until a table is looked at again that could not be read."""

Decide = Callable[[Table, int], AnyEntry]
log = structlog.get_logger()


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Audience(Protocol):
    """Who is told of changes, once they are kept."""

    def tell(self, entry: AnyEntry, before: Table, after: Table, cause: object) -> None:
        """What was done here: everybody, and other processes."""
        ...

    def tell_here(self, entry: AnyEntry, before: Table, after: Table) -> None:
        """What was done in another process."""
        ...

    def is_watched(self, table: str) -> bool: ...


class NotDue(Exception):  # noqa: N818 (it is no error)
    """The table needs nothing yet."""


class Desk:
    """A table in memory."""

    __slots__ = ("is_unsure", "lock", "table", "thinking", "used")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.is_unsure = False
        """Whether the journal may hold entries that the table lacks."""
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.thinking: asyncio.Task[None] | None = None


class House:
    def __init__(
        self,
        journal: Journal,
        audience: Audience,
        thinker: Thinker,
        *,
        pace: Pace,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        self.journal = journal
        self.audience = audience
        self.thinker = thinker
        self.pace = pace
        self.now = clock
        self.outages: list[Outage] = []
        self.desks: dict[str, Desk] = {}
        self.changes = 0
        """Since somebody last looked."""
        self._loading: dict[str, asyncio.Future[Desk]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._rewriting = asyncio.Lock()
        self._rewrites = 0

    async def table(self, table_id: str) -> Table:
        """As it stands; refused if there is none."""
        is_fresh = table_id not in self.desks
        desk = await self._desk(table_id)
        if desk.is_unsure or (self.journal.is_shared and not is_fresh):
            async with desk.lock:
                await self._catch_up(desk)
        return desk.table

    def in_use(self, table_id: str) -> Table | None:
        """The table if it is in memory."""
        desk = self.desks.get(table_id)
        return None if desk is None else desk.table

    async def open(self, opened: Opened, table_id: str | None = None) -> Table:
        table = Table(table_id or new_id(), self.outages)
        after = table.after(opened)
        try:
            await self._keep(opened, table, after)
        except PlyTaken:  # by somebody who opened the very same one
            return await self.table(table.id)
        self.desks[table.id] = Desk(after)
        self.audience.tell(opened, table, after, None)
        return after

    async def change(self, table_id: str, decide: Decide, *, cause: object = None) -> Table:
        """Let somebody do something: decided on the table as it stands, kept, then told.

        ``decide`` raises Refusal, and then nothing has changed. Nothing is told before it is kept.
        """
        desk = await self._desk(table_id)
        async with desk.lock:
            for _ in range(MOST_RACES):
                if desk.is_unsure:
                    await self._catch_up(desk)
                before = desk.table
                try:
                    entry = decide(before, self.now())
                    after = before.after(entry)  # refuses moves against the rules
                except (Refusal, NotDue):
                    if not await self._has_moved_on(desk):
                        raise
                    continue
                try:
                    await self._keep(entry, before, after)
                except PlyTaken:
                    await self._come_second(desk)
                    continue
                except BaseException:
                    desk.is_unsure = True
                    raise
                desk.table = after
                self.changes += 1
                self.audience.tell(entry, before, after, cause)
                self._plan(desk)
                return after
        raise Refusal(Reason.STALE, ply=desk.table.ply, now=desk.table.ply)

    async def _keep(self, entry: AnyEntry, before: Table, after: Table) -> None:
        is_over = isinstance(entry, Moved) and after.status is Status.OVER
        record = after.game.record().to_json().encode() if is_over and after.game else None
        listing = listing_of(after, self.pace)
        results = results_of(after) if is_over else ()
        await self.journal.append(
            Line(
                after.id,
                before.ply,
                encode_entry(entry),
                listing,
                record,
                results,
                has_new_people=not isinstance(entry, Moved),
            )
        )

    async def _desk(self, table_id: str) -> Desk:
        desk = self.desks.get(table_id)
        if desk is None:
            if table_id not in self._loading:
                self._loading[table_id] = asyncio.ensure_future(self._load(table_id))
            desk = await asyncio.shield(self._loading[table_id])
        desk.used = time.monotonic()
        return desk

    async def _load(self, table_id: str) -> Desk:
        try:
            lines = await self._entries(table_id)
            if not lines:
                raise Refusal(Reason.NO_SUCH_TABLE)
            desk = Desk(Table.from_journal(table_id, lines, self.outages))
            self.desks.setdefault(table_id, desk)
            return self.desks[table_id]
        finally:
            del self._loading[table_id]

    async def _entries(self, table_id: str) -> list[bytes]:
        """All of a table's, as they are now: read again if they were rewritten meanwhile."""
        while True:
            rewrites = self._rewrites
            lines = await self.journal.entries(table_id)
            if rewrites == self._rewrites:
                return lines

    async def _catch_up(self, desk: Desk) -> None:
        """Adopt, and tell, what the journal holds beyond the table."""
        for line in await self.journal.entries(desk.table.id, since=desk.table.ply):
            self._adopt(desk, line)
        desk.is_unsure = False

    async def _come_second(self, desk: Desk) -> None:
        """Something else was kept, or the journal lacks what this process knows: it alone is right."""
        desk.is_unsure = True
        ply = desk.table.ply
        await self._catch_up(desk)
        if desk.table.ply == ply:
            await self._reread(desk)
            log.error("a table was ahead of its journal", table=desk.table.id, ply=ply, now=desk.table.ply)

    async def _reread(self, desk: Desk) -> None:
        """All of it; what is new here is told."""
        known = desk.table
        lines = await self._entries(known.id)
        if not lines:
            raise Refusal(Reason.NO_SUCH_TABLE)
        desk.table = Table.from_journal(known.id, lines[: known.ply], self.outages)
        for line in lines[known.ply :]:
            self._adopt(desk, line)
        desk.is_unsure = False

    def _adopt(self, desk: Desk, line: bytes) -> None:
        before, entry = desk.table, decode_entry(line)
        desk.table = before.after(entry)
        self.audience.tell_here(entry, before, desk.table)

    async def _has_moved_on(self, desk: Desk) -> bool:
        """Whether another process has, so that what was refused may have to be decided again."""
        if not self.journal.is_shared:
            return False
        ply = desk.table.ply
        await self._catch_up(desk)
        return desk.table.ply > ply

    def adopt(self, found: Iterable[StoredEntry]) -> None:
        """What other processes have added to tables in use, in order; it may be known here already."""
        for table_id, lines in groupby(found, key=attrgetter("table")):
            desk = self.desks.get(table_id)
            if desk is None:
                continue
            if desk.lock.locked():  # whoever changes it now may add the same
                desk.is_unsure = True
                self._look_later(table_id)
                continue
            try:
                for line in lines:
                    if line.ply == desk.table.ply:
                        self._adopt(desk, line.content)
            except Exception:  # others must not wait for a table that cannot be read
                log.exception("table could not be read on", table=table_id)
                desk.is_unsure = True

    def _look_later(self, table_id: str) -> None:
        async def look() -> None:
            try:
                await self.table(table_id)
            except Refusal as refusal:  # who acts there next will look
                log.warning("table could not be read on", table=table_id, reason=refusal.reason)

        task = asyncio.create_task(look())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def rewrite(
        self, concerns: Callable[[Table], bool], work: Callable[[], Awaitable[None]]
    ) -> list[tuple[Table, Table]]:
        """Let ``work`` rewrite what is kept, while nothing happens at the tables in use that it concerns.

        Gives these tables, as they were and as they are now.
        """
        async with self._rewriting, contextlib.AsyncExitStack() as stack:
            desks = await self._hold(concerns, set(), stack)
            await work()
            self._rewrites += 1
            desks |= await self._hold(concerns, desks, stack)  # those that were read too early
            changed: list[tuple[Table, Table]] = []
            for desk in desks:
                before = desk.table
                await self._reread(desk)
                changed.append((before, desk.table))
            return changed

    async def _hold(
        self, concerns: Callable[[Table], bool], held: set[Desk], stack: contextlib.AsyncExitStack
    ) -> set[Desk]:
        """Let nothing happen any more at tables in use."""
        found = {desk for desk in self.desks.values() if desk not in held and concerns(desk.table)}
        for desk in found:
            await stack.enter_async_context(desk.lock)
            desk.is_unsure = True  # until it is read again
        return found

    # What the server does by itself.

    def _plan(self, desk: Desk) -> None:
        """Let a bot think about its move, after a pause as people make it."""
        if desk.thinking is None and is_bots_turn(desk.table):
            desk.thinking = asyncio.create_task(self._think(desk))

    async def _think(self, desk: Desk) -> None:
        """Play for bots as long as it is their turn."""
        try:
            while is_bots_turn(desk.table):
                await asyncio.sleep(self.pace.bot_pause / 1000)
                if is_bots_turn(desk.table):
                    await self._play_for(desk.table)
        except Refusal as refusal:  # the sweeper will come by
            log.warning("bot could not move", table=desk.table.id, reason=refusal.reason)
        except Exception:
            log.exception("bot could not move", table=desk.table.id)
        finally:
            desk.thinking = None

    async def _play_for(self, table: Table) -> None:
        seat = table.actor
        assert seat is not None and table.game is not None  # noqa: S101, PT018 (it is a bot's turn)
        level = table.seats[seat].level or SUBSTITUTE
        move = await self.thinker.choose(level, table.game.view(seat))

        def decide(found: Table, now: int) -> AnyEntry:
            if found.ply != table.ply:
                raise Refusal(Reason.STALE, ply=table.ply, now=found.ply)
            return commands.act_for(found, seat, move, now=now)

        try:
            await self.change(table.id, decide)
        except Refusal as refusal:
            if refusal.reason is not Reason.STALE:  # else somebody acted meanwhile: think again
                raise

    async def sweep(self, *, most: int = 200) -> int:
        """Attend to tables that are due: bots to move, time that ran out, tables nobody comes to."""
        thinking = sum(desk.thinking is not None for desk in self.desks.values())  # due, and attended to
        found = await self.journal.due(self.now(), most=most + thinking)
        for table_id in found:
            try:
                await self._attend(table_id)
            except Refusal as refusal:
                log.warning("table could not be attended to", table=table_id, reason=refusal.reason)
            except Exception:  # the others must not wait for a table that cannot be read
                log.exception("table could not be attended to", table=table_id)
                await self.journal.postpone(table_id, self.now() + SET_ASIDE)
        return len(found)

    async def _attend(self, table_id: str) -> None:
        table = await self.table(table_id)
        desk = self.desks[table_id]
        if is_bots_turn(table):
            self._plan(desk)
            return
        try:
            await self.change(table_id, self._overdue)
        except NotDue:
            async with desk.lock:
                await self.journal.postpone(table_id, due_at(desk.table, self.pace))

    def _overdue(self, table: Table, now: int) -> AnyEntry:
        """Somebody's time has run out, or nobody came by for so long that nobody will."""
        due = due_at(table, self.pace)
        if due is None or now < due or is_bots_turn(table):
            raise NotDue
        return commands.run_out(table, now=now) or commands.close(table, why="abandoned", now=now)

    def forget_idle(self) -> None:
        """Put away tables that nobody looks at: the journal has them."""
        oldest = time.monotonic() - IDLE_SECONDS
        for table_id, desk in list(self.desks.items()):
            is_quiet = desk.thinking is None and not desk.lock.locked() and desk.used < oldest
            if is_quiet and not self.audience.is_watched(table_id):
                del self.desks[table_id]

    async def close(self) -> None:
        thinking = [desk.thinking for desk in self.desks.values() if desk.thinking is not None]
        for task in (*thinking, *self._tasks):
            task.cancel()
        await asyncio.gather(*thinking, *self._tasks, return_exceptions=True)


def new_id() -> str:
    return secrets.token_urlsafe(ID_BYTES)


def is_bots_turn(table: Table) -> bool:
    return table.actor is not None and table.is_attended and table.seats[table.actor].is_played_by_bot
