"""Reads changes by other processes from the database, after hints and by polling, as hints may be lost."""

from collections import deque
from collections.abc import Awaitable, Callable

from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.background import SingleFlight
from royalcrypt.server.cluster.listings import ListingUpdates
from royalcrypt.server.sockets.broadcaster import Broadcaster
from royalcrypt.server.sockets.updates import chat_line
from royalcrypt.server.tables.registry import TableRegistry
from royalcrypt.server.wire.messages import Said, encode_message
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.server_state import Notices, ProcessNotice
from royalcrypt.storage.table_data import Chat
from royalcrypt.tables.texts import Audience

NOTHING_YET = (1 << 62) - 1
UNSURE_POLLS = 5
"""Polls before a detected channel outage that count as without hints, because detection is late."""
OVERLAP = 32
"""Rows that each poll reads again, because a row may become visible after one with a higher number."""
LATE_POLLS = 2
"""Polls after the newest row that still look for rows with lower numbers."""


class RowFeed:
    """Tracks which numbered rows (such as chat lines) this process has seen; any process may add rows."""

    def __init__(self, newest: int) -> None:
        self.since = newest
        """Number above which the next poll reads rows."""
        self._first = newest
        self._newest = newest
        self._polls_left = 0
        self._seen: deque[int] = deque(maxlen=4 * OVERLAP)

    def may_have_more(self, newest: int) -> bool:
        """Whether the next poll must read rows; ``newest`` is the highest row number now."""
        self._polls_left = LATE_POLLS if newest != self._newest else self._polls_left - 1
        self._newest = newest
        return self._polls_left > 0

    def is_new(self, number: int) -> bool:
        """Whether the row has not been seen before; marks it as seen."""
        if number <= self._first or number in self._seen:
            return False
        self._seen.append(number)
        self.since = max(self.since, number - OVERLAP)
        return True


class ChangePoller:
    def __init__(
        self,
        tables: TableRegistry,
        broadcaster: Broadcaster,
        listing_updates: ListingUpdates,
        journal: SqlJournal,
        chat: Chat,
        notices: Notices,
    ) -> None:
        self.tables = tables
        self.on_notice: Callable[[ProcessNotice], Awaitable[None]] | None = None
        self._broadcaster = broadcaster
        self._listing_updates = listing_updates
        self._journal = journal
        self._chat = chat
        self._notices = notices
        self._mark = NOTHING_YET
        """Position in the database's change log up to which journal entries have been polled."""
        self._outdated: set[str] = set()
        """Ids of loaded tables to which other processes have added entries that are not applied yet."""
        self._chat_feed = self._notice_feed = RowFeed(0)
        self._recent: deque[list[str]] = deque(maxlen=UNSURE_POLLS)
        self.entries = SingleFlight(self._read_entries)
        self.chat = SingleFlight(self._read_chat)
        self.notices = SingleFlight(self._read_notices)

    async def start(self) -> None:
        """Set the starting position: later polls report only changes from now on."""
        changed = await self._journal.changed(self._mark)
        self._mark = changed.mark
        self._chat_feed, self._notice_feed = RowFeed(changed.newest_line), RowFeed(changed.newest_notice)

    async def poll(self, *, has_hints: bool) -> list[str]:
        """Read all changes since the last poll; returns loaded tables that changed without a hint."""
        changed = await self._journal.changed(self._mark)
        self._mark = changed.mark
        missed = [table for table, ply in changed.plies.items() if self.refresh(table, ply)]
        if self._outdated:  # includes tables whose last read failed
            self.entries.request()
        self._recent.append(list(changed.plies))
        if not has_hints:
            for tables in self._recent:
                self._listing_updates.mark(*tables)
            self._recent.clear()
        if self._chat_feed.may_have_more(changed.newest_line):
            await self._read_chat()
        if self._notice_feed.may_have_more(changed.newest_notice):
            await self._read_notices()
        return missed

    def refresh(self, table: str, ply: int | None = None) -> bool:
        """Read new entries of a loaded table if it has fewer than ``ply``; returns whether it had fewer."""
        loaded = self.tables.loaded.get(table)
        if loaded is None or (ply is not None and loaded.table.ply >= ply):
            return False
        self._outdated.add(table)
        self.entries.request()
        return True

    async def _read_entries(self) -> None:
        """Read and apply the new entries of all outdated tables with one query."""
        loaded = {table: self.tables.in_use(table) for table in self._outdated}
        since = {name: table.ply for name, table in loaded.items() if table is not None}
        self._outdated.clear()
        try:
            if since:
                self.tables.apply_remote(await self._journal.entries_of(since))
        except Refusal:
            self._outdated.update(since)
            raise

    def is_new_line(self, number: int) -> bool:
        """Whether a chat line has not been broadcast in this process before; marks it as broadcast."""
        return self._chat_feed.is_new(number)

    async def _read_chat(self) -> None:
        for line in await self._chat.since(self._chat_feed.since):
            if self._chat_feed.is_new(line.id):
                message = encode_message(Said(table=line.table, line=chat_line(line)))
                self.broadcast_chat(line.table, line.audience, message)

    def broadcast_chat(self, table: str, audience: Audience, message: bytes) -> None:
        """Send a chat line or reaction from any process to the connections of this process."""
        found = self.tables.in_use(table)
        if found is not None:
            self._broadcaster.broadcast_chat(found, audience, message)

    async def _read_notices(self) -> None:
        for notice in await self._notices.since(self._notice_feed.since):
            if self._notice_feed.is_new(notice.id) and self.on_notice is not None:
                await self.on_notice(notice)

    async def close(self) -> None:
        for reading in (self.entries, self.chat, self.notices):
            await reading.close()
