"""Registry of loaded tables: reads journals, and stores changes entry by entry."""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable
from itertools import groupby
from operator import attrgetter

from royalcrypt.live.background import TaskSet
from royalcrypt.live.changes import Change, Sender, TableCommand, change
from royalcrypt.live.dispatcher import Dispatcher
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.entries import Opened, decode_entry, encode_entry
from royalcrypt.tables.journal import Journal, Line, PlyTaken, Status, StoredEntry
from royalcrypt.tables.listings import Pace, due_at, listing_of, results_of
from royalcrypt.tables.table import Table

ID_BYTES = 9
MAX_CONFLICTS = 5
"""Maximum number of attempts to store a command while other processes store entries first."""
IDLE_MILLISECONDS = 60_000
SLICE = 25
"""Entries of a journal that are applied before other work continues; some 5 ms."""
TABLES_SEARCHED = 500
"""Loaded tables that are searched for a person before other work continues; some 4 ms."""
TABLES_FORGOTTEN = 100
"""Tables that are unloaded at once; some 5 ms."""
log = logging.getLogger(__name__)


class NotDue(Exception):  # noqa: N818 (it is no error)
    """Raised when a table that was checked for deadlines needs no action yet."""


class LoadedTable:
    """A table in memory, with its lock."""

    __slots__ = ("digest", "is_stale", "lock", "table", "used")

    def __init__(self, table: Table, now: int, digest: int) -> None:
        self.table = table
        self.digest = digest
        """Of the table's last entry, because the journal may have another one there after a failover."""
        self.is_stale = False
        """Whether the journal may contain entries that are not applied to the table."""
        self.lock = asyncio.Lock()
        self.used = now


class TableRegistry:
    def __init__(
        self, journal: Journal, dispatcher: Dispatcher, *, clock: Callable[[], int], pace: Pace
    ) -> None:
        self.journal = journal
        self.now = clock
        self.pace = pace
        self.outages: list[Outage] = []
        self.loaded: dict[str, LoadedTable] = {}
        self.shortened: dict[str, Table] = {}
        """Tables that had entries which the journal has lost, as they were, until the caller empties it."""
        self.changes = 0
        """Number of changes since the caller last reset it."""
        self._publish = dispatcher.publish
        self._loading: dict[str, asyncio.Future[LoadedTable]] = {}
        self._tasks = TaskSet()
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
        made = change(table, lambda _, now: opened, opened.at)  # noqa: ARG005
        try:
            digest = await self._append(made)
        except PlyTaken:  # Another process has opened the same table.
            return await self.table(table.id)
        self.loaded[table.id] = LoadedTable(made.after, self.now(), digest)
        self._publish(made)
        return made.after

    async def change(self, table_id: str, command: TableCommand, *, sender: Sender | None = None) -> Change:
        """Decide on a command, store its entry, then publish the change; raises Refusal if it is refused.

        The command is decided again if another process stored an entry first.
        """
        loaded = await self._load(table_id)
        async with loaded.lock:
            for _ in range(MAX_CONFLICTS):
                if loaded.is_stale:
                    await self._catch_up(loaded)
                try:
                    made = change(loaded.table, command, self.now(), sender=sender)
                except (Refusal, NotDue):
                    if not (self.journal.is_shared and await self._catch_up(loaded)):
                        raise
                    continue
                try:
                    digest = await self._append(made)
                except PlyTaken:
                    await self._recover(loaded)
                    continue
                except BaseException:
                    loaded.is_stale = True
                    raise
                loaded.table, loaded.digest = made.after, digest
                self.changes += 1
                self._publish(made)
                return made
        raise Refusal(Reason.STALE, ply=loaded.table.ply, now=loaded.table.ply)

    async def _append(self, made: Change) -> int:
        """Store the entry of a change; returns the entry's digest."""
        after, content = made.after, encode_entry(made.entry)
        is_over = made.is_move and after.status is Status.OVER
        record = after.game.record().to_json().encode() if is_over and after.game else None
        listing = listing_of(after, self.pace)
        await self.journal.append(
            Line(
                after.id,
                made.before.ply,
                content,
                listing,
                record,
                results_of(after) if is_over else (),
                has_new_people=not made.is_move,
                has_new_due=not made.is_move or listing.due != due_at(made.before, self.pace),
            )
        )
        return hash(content)

    async def postpone(self, table_id: str) -> None:
        """Store again when a table is next due, for example after an outage was credited."""
        loaded = await self._load(table_id)
        async with loaded.lock:
            await self.journal.postpone(table_id, due_at(loaded.table, self.pace))

    # Reading the journal.

    async def _load(self, table_id: str) -> LoadedTable:
        loaded = self.loaded.get(table_id)
        if loaded is None:
            if table_id not in self._loading:
                self._loading[table_id] = asyncio.ensure_future(self._read(table_id))
            loaded = await asyncio.shield(self._loading[table_id])
        loaded.used = self.now()
        return loaded

    async def _read(self, table_id: str) -> LoadedTable:
        try:
            table, digest = await self._replay(table_id)
            loaded = LoadedTable(table, self.now(), digest)
            loaded.is_stale = self.journal.is_shared and table.ply > SLICE
            return self.loaded.setdefault(table_id, loaded)
        finally:
            del self._loading[table_id]

    async def _replay(self, table_id: str, most: int | None = None) -> tuple[Table, int]:
        """Apply the first ``most`` entries of a journal, in slices; again if it or the outages changed.

        Returns the table, and the digest of its last entry.
        """
        while True:
            rewrites, outages = self._rewrites, self.outages[:]
            lines = (await self._entries(table_id))[:most]
            table = Table(table_id, self.outages)
            for first in range(0, len(lines), SLICE):
                table.catch_up(lines[first : first + SLICE])
                await asyncio.sleep(0)
            if rewrites == self._rewrites and outages == self.outages:
                return table, hash(lines[-1])

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
        """Bring a table up to its journal, which decides; reload it if the journal lacks its last entry.

        Raises Refusal if the journal lacks the whole table, which is then unloaded.
        """
        loaded.is_stale = True
        before = loaded.table
        lines = await self.journal.entries(before.id, since=before.ply - 1)
        is_there = bool(lines) and hash(lines[0]) == loaded.digest
        if is_there and len(lines) > 1:
            for line in lines[1:]:
                self._apply(loaded, line)
            loaded.is_stale = False
            return
        try:
            await self._reload(loaded)
        except Refusal as refusal:
            if refusal.reason is not Reason.NO_SUCH_TABLE:
                raise
            self.loaded.pop(before.id, None)
            self._note_shortened(before, 0)
            raise
        if not is_there:
            self._note_shortened(before, loaded.table.ply)

    def _note_shortened(self, before: Table, ply: int) -> None:
        self.shortened.setdefault(before.id, before)
        details = {"table": before.id, "ply": before.ply, "now": ply}
        log.error("table had entries that its journal lacks", extra=details)

    async def recover(self, table_id: str, ply: int, content: bytes | None) -> None:
        """Reload a loaded table unless its last entry is this one, which the journal has at this ply.

        After the failover to a standby, the journal may lack entries, or have others.
        """
        loaded = self.loaded.get(table_id)
        if loaded is not None and (loaded.table.ply != ply + 1 or loaded.digest != hash(content)):
            async with loaded.lock:
                with contextlib.suppress(Refusal):  # It is gone, or stale and read at the next command.
                    await self._recover(loaded)

    async def _reload(self, loaded: LoadedTable) -> None:
        """Read a table's whole journal again, and apply the entries that are new to this process."""
        known = loaded.table
        loaded.table, loaded.digest = await self._replay(known.id, known.ply)
        await self._catch_up(loaded)
        loaded.is_stale = False

    def _apply(self, loaded: LoadedTable, line: bytes) -> None:
        before, entry = loaded.table, decode_entry(line)
        loaded.table, loaded.digest = before.after(entry), hash(line)
        self._publish(Change(before, entry, loaded.table, is_remote=True))

    def apply_remote(self, found: Iterable[StoredEntry]) -> None:
        """Apply ordered entries of other processes to loaded tables; known entries are skipped."""
        for table_id, lines in groupby(found, key=attrgetter("table")):
            loaded = self.loaded.get(table_id)
            if loaded is None:
                continue
            if loaded.lock.locked():  # The change in progress may apply the same entries.
                loaded.is_stale = True
                self._tasks.start(self._refresh(table_id))
                continue
            try:
                for line in lines:
                    if line.ply == loaded.table.ply:
                        self._apply(loaded, line.content)
            except Exception:  # An unreadable table must not stop the others.
                log.exception("table not refreshed", extra={"table": table_id})
                loaded.is_stale = True

    async def _refresh(self, table_id: str) -> None:
        try:
            await self.table(table_id)
        except Refusal as refusal:  # The next command tries again.
            log.warning("table not refreshed", extra={"table": table_id, "reason": refusal.reason})

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
            rewritten: list[tuple[Table, Table]] = []
            for loaded in found:
                before = loaded.table
                await self._reload(loaded)
                rewritten.append((before, loaded.table))
            return rewritten

    async def _lock(
        self, concerns: Callable[[Table], bool], locked: set[LoadedTable], stack: contextlib.AsyncExitStack
    ) -> set[LoadedTable]:
        """Lock the matching loaded tables that are not in ``locked``, until the stack is closed."""
        found: set[LoadedTable] = set()
        for number, loaded in enumerate(list(self.loaded.values()), 1):
            if loaded not in locked and concerns(loaded.table):
                found.add(loaded)
            if number % TABLES_SEARCHED == 0:
                await asyncio.sleep(0)
        for loaded in found:
            await stack.enter_async_context(loaded.lock)
            loaded.is_stale = True  # until it is reloaded
        return found

    def forget_idle(self, is_needed: Callable[[str], bool]) -> bool:
        """Unload tables that were not used recently, except those that are still needed.

        Returns whether some are left for another call, because freeing the memory of many takes time.
        """
        oldest, forgotten = self.now() - IDLE_MILLISECONDS, 0
        for table_id, loaded in list(self.loaded.items()):
            if forgotten == TABLES_FORGOTTEN:
                return True
            if loaded.used < oldest and not loaded.lock.locked() and not is_needed(table_id):
                del self.loaded[table_id]
                forgotten += 1
        return False

    async def close(self) -> None:
        await self._tasks.close()


def new_id() -> str:
    return secrets.token_urlsafe(ID_BYTES)
