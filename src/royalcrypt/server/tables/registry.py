"""Registry of loaded tables: reads journals, stores changes entry by entry, and makes bots' moves."""

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
from royalcrypt.server.background import cancel_all
from royalcrypt.server.bots.pool import SUBSTITUTE, BotRunner
from royalcrypt.storage.database import StoredEntry
from royalcrypt.tables import commands
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.entries import AnyEntry, Moved, Opened, decode_entry, encode_entry
from royalcrypt.tables.journal import Journal, Line, PlyTaken, Status
from royalcrypt.tables.listings import Pace, due_at, listing_of, results_of
from royalcrypt.tables.table import Table

ID_BYTES = 9
MAX_CONFLICTS = 5
"""Maximum number of attempts to store a command while other processes store entries first."""
IDLE_SECONDS = 60.0
RETRY_MILLISECONDS = 3_600_000
"""Retry delay, in ms, for a table that failed to load."""

Decide = Callable[[Table, int], AnyEntry]
log = structlog.get_logger()


def wall_clock() -> int:
    """Return the current time in ms since 1970."""
    return time.time_ns() // 1_000_000


class ChangeSubscriber(Protocol):
    """Interface of the subscriber that is notified of each change after its entry is durable."""

    def on_change(self, entry: AnyEntry, before: Table, after: Table, trigger: object) -> None:
        """Called after this process has stored a change."""
        ...

    def on_remote_change(self, entry: AnyEntry, before: Table, after: Table) -> None:
        """Called after a change stored by another process was applied."""
        ...

    def is_watched(self, table: str) -> bool: ...


class NotDue(Exception):  # noqa: N818 (it is no error)
    """Raised when a table that was checked for deadlines needs no action yet."""


class LoadedTable:
    """A table in memory, with its lock and its bot task."""

    __slots__ = ("bot_task", "is_stale", "lock", "table", "used")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.is_stale = False
        """Whether the journal may contain entries that are not applied to the table."""
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.bot_task: asyncio.Task[None] | None = None


class TableRegistry:
    def __init__(
        self,
        journal: Journal,
        subscriber: ChangeSubscriber,
        bot_runner: BotRunner,
        *,
        pace: Pace,
        clock: Callable[[], int] = wall_clock,
    ) -> None:
        self.journal = journal
        self.subscriber = subscriber
        self.bot_runner = bot_runner
        self.pace = pace
        self.now = clock
        self.outages: list[Outage] = []
        self.loaded: dict[str, LoadedTable] = {}
        self.changes = 0
        """Number of changes since the caller last reset it."""
        self._loading: dict[str, asyncio.Future[LoadedTable]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._rewriting = asyncio.Lock()
        self._rewrites = 0

    async def table(self, table_id: str) -> Table:
        """Return a table's newest state, loading it if needed; raises Refusal if it does not exist."""
        is_fresh = table_id not in self.loaded
        loaded = await self._load(table_id)
        if loaded.is_stale or (self.journal.is_shared and not is_fresh):
            async with loaded.lock:
                await self._catch_up(loaded)
        return loaded.table

    def in_use(self, table_id: str) -> Table | None:
        """Return the table if it is loaded, else None."""
        loaded = self.loaded.get(table_id)
        return None if loaded is None else loaded.table

    async def open(self, opened: Opened, table_id: str | None = None) -> Table:
        table = Table(table_id or new_id(), self.outages)
        after = table.after(opened)
        try:
            await self._append(opened, table, after)
        except PlyTaken:  # Another process has opened the same table.
            return await self.table(table.id)
        self.loaded[table.id] = LoadedTable(after)
        self.subscriber.on_change(opened, table, after, None)
        return after

    async def change(self, table_id: str, decide: Decide, *, trigger: object = None) -> Table:
        """Call ``decide`` on the current table, store the returned entry, then notify the subscriber.

        ``decide`` raises Refusal to reject the change; it is called again if another process stored first.
        """
        loaded = await self._load(table_id)
        async with loaded.lock:
            for _ in range(MAX_CONFLICTS):
                if loaded.is_stale:
                    await self._catch_up(loaded)
                before = loaded.table
                try:
                    entry = decide(before, self.now())
                    after = before.after(entry)  # raises Refusal for illegal moves
                except (Refusal, NotDue):
                    if not (self.journal.is_shared and await self._catch_up(loaded)):
                        raise
                    continue
                try:
                    await self._append(entry, before, after)
                except PlyTaken:
                    await self._recover(loaded)
                    continue
                except BaseException:
                    loaded.is_stale = True
                    raise
                loaded.table = after
                self.changes += 1
                self.subscriber.on_change(entry, before, after, trigger)
                self._start_bots(loaded)
                return after
        raise Refusal(Reason.STALE, ply=loaded.table.ply, now=loaded.table.ply)

    async def _append(self, entry: AnyEntry, before: Table, after: Table) -> None:
        is_over = isinstance(entry, Moved) and after.status is Status.OVER
        record = after.game.record().to_json().encode() if is_over and after.game else None
        await self.journal.append(
            Line(
                after.id,
                before.ply,
                encode_entry(entry),
                listing_of(after, self.pace),
                record,
                results_of(after) if is_over else (),
                has_new_people=not isinstance(entry, Moved),
            )
        )

    # Reading the journal.

    async def _load(self, table_id: str) -> LoadedTable:
        loaded = self.loaded.get(table_id)
        if loaded is None:
            if table_id not in self._loading:
                self._loading[table_id] = asyncio.ensure_future(self._read(table_id))
            loaded = await asyncio.shield(self._loading[table_id])
        loaded.used = time.monotonic()
        return loaded

    async def _read(self, table_id: str) -> LoadedTable:
        try:
            lines = await self._entries(table_id)
            loaded = LoadedTable(Table.from_journal(table_id, lines, self.outages))
            return self.loaded.setdefault(table_id, loaded)
        finally:
            del self._loading[table_id]

    async def _entries(self, table_id: str) -> list[bytes]:
        """Read all entries of a table, again if they were rewritten meanwhile; raises Refusal if none."""
        while True:
            rewrites = self._rewrites
            lines = await self.journal.entries(table_id)
            if rewrites == self._rewrites:
                if not lines:
                    raise Refusal(Reason.NO_SUCH_TABLE)
                return lines

    async def _catch_up(self, loaded: LoadedTable) -> bool:
        """Apply new entries of other processes; returns whether there were any."""
        ply = loaded.table.ply
        for line in await self.journal.entries(loaded.table.id, since=ply):
            self._apply(loaded, line)
        loaded.is_stale = False
        return loaded.table.ply > ply

    async def _recover(self, loaded: LoadedTable) -> None:
        """Reload a table whose entry conflicts with the journal or is missing there; the journal decides."""
        loaded.is_stale = True
        ply = loaded.table.ply
        if not await self._catch_up(loaded):
            await self._reload(loaded)
            log.error(
                "table had entries that its journal lacks",
                table=loaded.table.id,
                ply=ply,
                now=loaded.table.ply,
            )

    async def _reload(self, loaded: LoadedTable) -> None:
        """Read a table's whole journal again, and apply the entries that are new to this process."""
        known = loaded.table
        lines = await self._entries(known.id)
        loaded.table = Table.from_journal(known.id, lines[: known.ply], self.outages)
        for line in lines[known.ply :]:
            self._apply(loaded, line)
        loaded.is_stale = False

    def _apply(self, loaded: LoadedTable, line: bytes) -> None:
        before, entry = loaded.table, decode_entry(line)
        loaded.table = before.after(entry)
        self.subscriber.on_remote_change(entry, before, loaded.table)

    def apply_remote(self, found: Iterable[StoredEntry]) -> None:
        """Apply ordered entries of other processes to loaded tables; known entries are skipped."""
        for table_id, lines in groupby(found, key=attrgetter("table")):
            loaded = self.loaded.get(table_id)
            if loaded is None:
                continue
            if loaded.lock.locked():  # The change in progress may apply the same entries.
                loaded.is_stale = True
                task = asyncio.create_task(self._refresh(table_id))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                continue
            try:
                for line in lines:
                    if line.ply == loaded.table.ply:
                        self._apply(loaded, line.content)
            except Exception:  # An unreadable table must not stop the others.
                log.exception("table not refreshed", table=table_id)
                loaded.is_stale = True

    async def _refresh(self, table_id: str) -> None:
        try:
            await self.table(table_id)
        except Refusal as refusal:  # The next command tries again.
            log.warning("table not refreshed", table=table_id, reason=refusal.reason)

    async def rewrite(
        self, concerns: Callable[[Table], bool], work: Callable[[], Awaitable[None]]
    ) -> list[tuple[Table, Table]]:
        """Lock the loaded tables that match ``concerns`` while ``work`` rewrites journals; then reload them.

        Returns these tables before and after.
        """
        async with self._rewriting, contextlib.AsyncExitStack() as stack:
            found = await self._lock(concerns, set(), stack)
            await work()
            self._rewrites += 1
            found |= await self._lock(concerns, found, stack)  # includes tables loaded during the work
            changed: list[tuple[Table, Table]] = []
            for loaded in found:
                before = loaded.table
                await self._reload(loaded)
                changed.append((before, loaded.table))
            return changed

    async def _lock(
        self, concerns: Callable[[Table], bool], locked: set[LoadedTable], stack: contextlib.AsyncExitStack
    ) -> set[LoadedTable]:
        """Lock the matching loaded tables that are not in ``locked``, until the stack is closed."""
        found = {one for one in self.loaded.values() if one not in locked and concerns(one.table)}
        for loaded in found:
            await stack.enter_async_context(loaded.lock)
            loaded.is_stale = True  # until it is reloaded
        return found

    # Bots and deadlines.

    def _start_bots(self, loaded: LoadedTable) -> None:
        if loaded.bot_task is None and is_bots_turn(loaded.table):
            loaded.bot_task = asyncio.create_task(self._run_bots(loaded))

    async def _run_bots(self, loaded: LoadedTable) -> None:
        """Make moves as long as a bot's turn lasts, with a pause before each move."""
        try:
            while is_bots_turn(loaded.table):
                await asyncio.sleep(self.pace.bot_pause / 1000)
                if is_bots_turn(loaded.table):
                    await self._play_for(loaded.table)
        except Refusal as refusal:  # The next sweep tries again.
            log.warning("bot could not move", table=loaded.table.id, reason=refusal.reason)
        except Exception:
            log.exception("bot could not move", table=loaded.table.id)
        finally:
            loaded.bot_task = None

    async def _play_for(self, table: Table) -> None:
        seat = table.actor
        assert seat is not None and table.game is not None  # noqa: S101, PT018 (it is a bot's turn)
        level = table.seats[seat].level or SUBSTITUTE
        move = await self.bot_runner.choose(level, table.game.view(seat))

        def decide(found: Table, now: int) -> AnyEntry:
            if found.ply != table.ply:
                raise Refusal(Reason.STALE, ply=table.ply, now=found.ply)
            return commands.act_for(found, seat, move, now=now)

        try:
            await self.change(table.id, decide)
        except Refusal as refusal:
            if refusal.reason is not Reason.STALE:  # After another change, the bot's move is computed again.
                raise

    async def sweep(self, *, most: int = 200) -> int:
        """Handle up to ``most`` due tables: bots' turns, expired clocks, abandoned tables."""
        running = sum(loaded.bot_task is not None for loaded in self.loaded.values())  # in progress
        found = await self.journal.due(self.now(), most=most + running)
        for table_id in found:
            try:
                await self._sweep(table_id)
            except Refusal as refusal:
                log.warning("due table not handled", table=table_id, reason=refusal.reason)
            except Exception:  # An unreadable table must not stop the others.
                log.exception("due table not handled", table=table_id)
                await self.journal.postpone(table_id, self.now() + RETRY_MILLISECONDS)
        return len(found)

    async def _sweep(self, table_id: str) -> None:
        table = await self.table(table_id)
        loaded = self.loaded[table_id]
        if is_bots_turn(table):
            self._start_bots(loaded)
            return
        try:
            await self.change(table_id, self._decide_due)
        except NotDue:
            async with loaded.lock:
                await self.journal.postpone(table_id, due_at(loaded.table, self.pace))

    def _decide_due(self, table: Table, now: int) -> AnyEntry:
        """Return the entry for an expired clock or an abandoned table; raises NotDue if neither applies."""
        due = due_at(table, self.pace)
        if due is None or now < due or is_bots_turn(table):
            raise NotDue
        return commands.run_out(table, now=now) or commands.close(table, why="abandoned", now=now)

    def forget_idle(self) -> None:
        """Unload tables that are neither watched nor recently used."""
        oldest = time.monotonic() - IDLE_SECONDS
        for table_id, loaded in list(self.loaded.items()):
            is_idle = loaded.bot_task is None and not loaded.lock.locked() and loaded.used < oldest
            if is_idle and not self.subscriber.is_watched(table_id):
                del self.loaded[table_id]

    async def close(self) -> None:
        bot_tasks = [loaded.bot_task for loaded in self.loaded.values() if loaded.bot_task is not None]
        await cancel_all([*bot_tasks, *self._tasks])


def new_id() -> str:
    return secrets.token_urlsafe(ID_BYTES)


def is_bots_turn(table: Table) -> bool:
    return table.actor is not None and table.is_attended and table.seats[table.actor].is_played_by_bot
