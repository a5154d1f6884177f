"""Live tables with everything that follows from their changes, built from a journal."""

import asyncio
from collections.abc import Callable

from royalcrypt.live.bot_scheduler import BotScheduler, MoveChooser
from royalcrypt.live.chat import Chat, NoChatStore
from royalcrypt.live.deadlines import Deadlines
from royalcrypt.live.dispatcher import Dispatcher
from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import Lists
from royalcrypt.live.presence import PresenceUpdates
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.session import CommandHandler
from royalcrypt.live.stores import ChatStore, TableJournal
from royalcrypt.live.updates import TableUpdates
from royalcrypt.tables.listings import Pace


class LiveTables:
    """Call ``commands.handle`` with each message of a connection."""

    def __init__(
        self,
        journal: TableJournal,
        *,
        clock: Callable[[], int],
        pace: Pace = Pace(),  # noqa: B008 (immutable)
        chooser: MoveChooser | None = None,
        chat: ChatStore = NoChatStore(),  # noqa: B008 (without state)
        gathers: bool = False,
    ) -> None:
        dispatcher = Dispatcher()
        self.hub = Hub()
        self.tables = TableRegistry(journal, dispatcher, clock=clock, pace=pace)
        self.lists = Lists(self.hub, journal)
        self.chat = Chat(chat, self.tables, self.hub)
        self.presence = PresenceUpdates(self.hub, self.tables, gathers=gathers)
        self.commands = CommandHandler(self.tables, self.hub, self.lists, self.chat)
        self.bots = BotScheduler(self.tables, chooser)
        self.deadlines = Deadlines(self.tables, self.bots)
        self.subscribe = dispatcher.subscribe
        self.subscribe(TableUpdates(self.hub), self.lists, self.bots)

    async def forget_idle(self) -> None:
        """Unload tables that nobody uses or watches."""

        def is_needed(table: str) -> bool:
            return table in self.hub.watchers or self.bots.is_running(table)

        while self.tables.forget_idle(is_needed):  # noqa: ASYNC110 (a pause, not a wait)
            await asyncio.sleep(0)

    async def close(self) -> None:
        await self.bots.close()
        await self.tables.close()
