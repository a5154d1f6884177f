"""Reads changes by other processes from the database, after hints and by polling, as hints may be lost."""

from collections import deque
from collections.abc import Awaitable, Callable

from royalcrypt.live.background import SingleFlight
from royalcrypt.live.chat import Chat
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.row_feed import RowFeed
from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.cluster.listings import ListingUpdates
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.server_state import Notices, ProcessNotice
from royalcrypt.storage.table_data import ChatLines
from royalcrypt.tables.table import Table

NOTHING_YET = (1 << 62) - 1
COMPARED = 200
"""Loaded tables that are compared with the journal by one query."""
UNSURE_POLLS = 5
"""Polls before a detected channel outage that count as without hints, because detection is late."""


class ChangePoller:
    def __init__(
        self,
        tables: TableRegistry,
        journal: SqlJournal,
        listing_updates: ListingUpdates,
        chat: Chat,
        lines: ChatLines,
        notices: Notices,
        on_notice: Callable[[ProcessNotice], Awaitable[None]],
        on_shortened: Callable[[Table], Awaitable[None]],
    ) -> None:
        self._tables = tables
        self._journal = journal
        self._listing_updates = listing_updates
        self._chat = chat
        self._lines = lines
        self._notices = notices
        self._on_notice = on_notice
        self._on_shortened = on_shortened
        self._connections = 0
        """How many connections the database had opened when the loaded tables were last compared with it."""
        self._mark = NOTHING_YET
        """Position in the database's change log up to which journal entries have been polled."""
        self._outdated: set[str] = set()
        """Ids of loaded tables to which other processes have added entries that are not applied yet."""
        self._notice_feed = RowFeed()
        self._recent: deque[list[str]] = deque(maxlen=UNSURE_POLLS)
        self.entries = SingleFlight(self._read_entries)
        self.chat = SingleFlight(self._read_chat)
        self.notices = SingleFlight(self._read_notices)

    async def start(self) -> None:
        """Set the starting position: later polls report only changes from now on."""
        changed = await self._journal.changed(self._mark)
        self._mark = changed.mark
        self._connections = changed.connections
        self._chat.feed.start(changed.newest_line)
        self._notice_feed.start(changed.newest_notice)

    async def poll(self, *, has_hints: bool) -> list[str]:
        """Read all changes since the last poll; returns loaded tables that changed without a hint."""
        changed = await self._journal.changed(self._mark)
        self._mark = changed.mark
        if changed.connections != self._connections:
            await self._compare()
            self._connections = changed.connections
        while self._tables.shortened:
            await self._on_shortened(self._tables.shortened.popitem()[1])
        missed = [table for table, ply in changed.plies.items() if self.refresh(table, ply)]
        if self._outdated:  # includes tables whose last read failed
            self.entries.request()
        self._recent.append(list(changed.plies))
        if not has_hints:
            for tables in self._recent:
                self._listing_updates.mark(*tables)
            self._recent.clear()
        if self._chat.feed.may_have_more(changed.newest_line):
            await self._read_chat()
        if self._notice_feed.may_have_more(changed.newest_notice):
            await self._read_notices()
        return missed

    async def _compare(self) -> None:
        """Reload the loaded tables whose journal has lost entries, or has others.

        Numbers of transactions may begin anew behind the mark of the last poll, so it is not used.
        """
        tables = list(self._tables.loaded)
        for first in range(0, len(tables), COMPARED):
            names = tables[first : first + COMPARED]
            known = {
                name: table.ply - 1 for name in names if (table := self._tables.in_use(name)) is not None
            }
            found = {(one.table, one.ply): one.content for one in await self._journal.entries_of(known)}
            for table, ply in known.items():
                await self._tables.recover(table, ply, found.get((table, ply)))
            for table, ply in found:
                self.refresh(table, ply + 1)

    def refresh(self, table: str, ply: int | None = None) -> bool:
        """Read new entries of a loaded table if it has fewer than ``ply``; returns whether it had fewer."""
        loaded = self._tables.loaded.get(table)
        if loaded is None or (ply is not None and loaded.table.ply >= ply):
            return False
        self._outdated.add(table)
        self.entries.request()
        return True

    async def _read_entries(self) -> None:
        """Read and apply the new entries of all outdated tables with one query."""
        loaded = {table: self._tables.in_use(table) for table in self._outdated}
        since = {name: table.ply for name, table in loaded.items() if table is not None}
        self._outdated.clear()
        try:
            if since:
                self._tables.apply_remote(await self._journal.entries_of(since))
        except Refusal:
            self._outdated.update(since)
            raise

    async def _read_chat(self) -> None:
        for line in await self._lines.since(self._chat.feed.since):
            self._chat.deliver(line)

    async def _read_notices(self) -> None:
        for notice in await self._notices.since(self._notice_feed.since):
            if self._notice_feed.is_new(notice.id):
                await self._on_notice(notice)

    async def close(self) -> None:
        for reading in (self.entries, self.chat, self.notices):
            await reading.close()
