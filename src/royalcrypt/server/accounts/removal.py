"""Removal of people from their tables, and account deletion; running games continue with bots.

After a deletion, no stored data identifies the person.
"""

from collections.abc import Awaitable, Callable

from royalcrypt.live.access import belongs
from royalcrypt.live.changes import TableCommand
from royalcrypt.live.chat import Chat
from royalcrypt.live.connection import Close
from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import Lists
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.wire.messages import Gone, encode_message, reason_of
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Identities
from royalcrypt.server.cluster.notices import NoticePublisher
from royalcrypt.server.operations.heartbeat import nothing
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.personal_data import PersonalData
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, WhyTakenOver
from royalcrypt.tables.journal import NotKept, Status
from royalcrypt.tables.table import Table

ALREADY_GONE = (Reason.NOT_SEATED, Reason.ALREADY_AWAY, Reason.GAME_OVER, Reason.TABLE_CLOSED)
ALL = 1_000_000
MAX_PASSES = 5
"""Deletion passes; a request in progress may store data after the first pass."""
Work = Callable[[], Awaitable[None]]


class TableRewriter:
    """Reloads tables whose journals were rewritten, and shows them anew to everybody who watches them."""

    def __init__(self, tables: TableRegistry, hub: Hub, chat: Chat, lists: Lists) -> None:
        self._tables = tables
        self._hub = hub
        self._chat = chat
        self._lists = lists

    async def rewrite(self, people: list[str], work: Work) -> None:
        """Run ``work``, which rewrites journals, then reload the loaded tables that mention these people."""

        def concerns(table: Table) -> bool:
            return any(belongs(table, one) for one in people)

        for before, after in await self._tables.rewrite(concerns, work):
            await self._chat.send_rewritten(after)
            self._lists.on_rewritten(before, after)

    async def show_shortened(self, before: Table) -> None:
        """Show a table anew whose journal has lost entries; ``before`` is what its watchers have seen."""
        after = self._tables.in_use(before.id)
        if after is not None:
            await self._chat.send_shortened(after)
            self._lists.on_rewritten(before, after)
            return
        gone = encode_message(Gone(table=before.id, reason=reason_of(Refusal(Reason.NO_SUCH_TABLE))))
        for connection, _ in self._hub.watching(before.id):
            self._hub.unwatch(connection, before.id)
            connection.push(gone)

    async def reload(self, person: str) -> None:
        """Reload the loaded tables that mention a person whose entries another process rewrote."""
        await self.rewrite([person], nothing)


class Removal:
    def __init__(
        self,
        tables: TableRegistry,
        journal: SqlJournal,
        hub: Hub,
        identities: Identities,
        personal: PersonalData,
        rewriter: TableRewriter,
        notices: NoticePublisher,
    ) -> None:
        self._tables = tables
        self._journal = journal
        self._hub = hub
        self._identities = identities
        self._personal = personal
        self._rewriter = rewriter
        self._notices = notices

    async def remove(self, person: str, why: WhyTakenOver) -> None:
        """Close a person's sockets, hand their running games to bots, and free their other seats."""
        self._hub.disconnect(person, Close.POLICY)
        await self._notices.publish(NoticeKind.PERSON, person)
        for listing in await self._journal.listings_of(person):
            await self._change(
                listing.table, lambda table, now: commands.leave(table, person, now=now, why=why)
            )

    async def delete(self, person: str) -> None:
        """Delete a person and their programs; if this fails, the person has lost only their seats."""
        everybody = [person, *await self._personal.programs_of(person)]
        self._identities.deleting |= set(everybody)
        try:
            for one in everybody:
                self._identities.forget(one)
                self._hub.disconnect(one, Close.POLICY)
            await self._notices.publish(NoticeKind.LEAVING, *everybody)
            for one in everybody:
                await self._leave_tables(one)
            for _ in range(MAX_PASSES):
                await self._rewriter.rewrite(everybody, lambda: self._personal.delete(person))
                await self._notices.publish(NoticeKind.REWRITTEN, *everybody)
                if not any([await self._personal.is_mentioned(one) for one in everybody]):
                    break
        finally:
            self._identities.deleting -= set(everybody)
            for one in everybody:
                self._identities.forget(one)

    async def _leave_tables(self, person: str) -> None:
        """Hand the person's seats to bots, and close tables without other people."""
        for listing in await self._journal.listings_of(person, limit=ALL):
            await self._change(listing.table, lambda table, now: commands.leave(table, person, now=now))
            await self._change(listing.table, lambda table, now: close_if_alone(table, person, now=now))

    async def _change(self, table: str, command: TableCommand) -> None:
        """Change a table; does nothing if the person has already left it."""
        try:
            await self._tables.change(table, command)
        except NotKept:
            raise
        except Refusal as refusal:
            if refusal.reason not in ALREADY_GONE:
                raise


def close_if_alone(table: Table, person: str, *, now: int) -> AnyEntry:
    is_shared = any(place.person not in (None, person) for place in table.seats)
    if table.status is not Status.RUNNING or is_shared:
        raise Refusal(Reason.NOT_SEATED)
    return commands.close(table, why="abandoned", now=now)
