"""Live tables without a server: a journal in memory, and clients that keep what they are told in a list."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from royalcrypt.live.bot_scheduler import MoveChooser
from royalcrypt.live.changes import TableCommand
from royalcrypt.live.connection import Close, Connection
from royalcrypt.live.live_tables import LiveTables
from royalcrypt.live.wire.commands import WireAction
from royalcrypt.notation.moves import Move
from royalcrypt.play.view_changes import apply_changes
from royalcrypt.tables.journal import StoredEntry
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.table import Table
from tests.live.memory import Json, MemoryChat, MemoryJournal

PROTOCOLS = (1, 2)


class Client:
    """Implements ``Transport`` for a client of one table: keeps every message, and the view they lead to."""

    def __init__(self, person: str, protocol: int) -> None:
        self.person = person
        self.protocol = protocol
        self.messages: list[bytes] = []
        self.arrived = asyncio.Event()
        self.view: Any = None
        self.ply = 0
        self.seat: int | None = None
        self.is_gone = False
        self.has_gap = False
        """Whether an update was missing; changes are of no use then until a view comes."""
        self._is_stale = False
        self.connection = Connection(self, person=person, name=person.title(), gets_views=protocol == 1)

    def push(self, message: bytes) -> None:
        self.messages.append(message)
        self._take(msgspec.json.decode(message))
        self.arrived.set()

    def close(self, code: Close) -> None:
        raise AssertionError(f"sent away: {code}")

    def _take(self, message: Json) -> None:
        if message["type"] == "gone":
            self.is_gone, self.view = True, None
            return
        if message["type"] == "update" and message["ply"] != self.ply + 1:
            self.has_gap = self._is_stale = True
        self.ply = message.get("ply", self.ply)
        if message.get("you"):
            self.seat = message["you"]["seat"]
        if message.get("view") is not None:
            self.view, self._is_stale = message["view"], False
        elif message.get("changes") is not None and not self._is_stale:
            self.view = apply_changes(self.view, message["changes"])


class Room(LiveTables):
    """Live tables in memory, and their clients; bots do not move without a ``chooser``."""

    def __init__(
        self,
        now: Callable[[], int],
        journal: MemoryJournal | None = None,
        *,
        chooser: MoveChooser | None = None,
    ) -> None:
        self.journal = journal or MemoryJournal()
        super().__init__(self.journal, clock=now, pace=Pace(bot_pause=0), chooser=chooser, chat=MemoryChat())

    def enter(self, person: str, protocol: int) -> Client:
        client = Client(person, protocol)
        self.hub.add(client.connection)
        return client

    def leave(self, client: Client) -> None:
        self.hub.remove(client.connection)

    async def tell(self, client: Client, **message: Any) -> Json:
        """Handle a command; returns the answer."""
        number = len(client.messages)
        text = msgspec.json.encode({"id": number} | message).decode()
        await self.commands.handle(client.connection, text)
        answers: list[Json] = [msgspec.json.decode(found) for found in client.messages[number:]]
        return next(answer for answer in answers if answer.get("re") == number)

    async def watch(self, client: Client, table: str, **how: Any) -> Json:
        return await self.tell(client, type="watch", table=table, **how)

    async def change(self, table: str, command: TableCommand) -> Table:
        return (await self.tables.change(table, command)).after

    async def change_elsewhere(self, table: str, command: TableCommand) -> None:
        """As if another process had stored an entry, of which this one learns."""
        since = len(await self.journal.entries(table))
        other = Room(self.tables.now, self.journal)
        await other.change(table, command)
        lines = await self.journal.entries(table, since=since)
        self.tables.apply_remote(StoredEntry(table, ply, line) for ply, line in enumerate(lines, since))

    async def rewrite(self, table: str) -> None:
        """Read a table again, and show it anew to everybody."""

        async def work() -> None: ...

        for _, after in await self.tables.rewrite(lambda found: found.id == table, work):
            await self.chat.send_rewritten(after)

    def evict(self) -> None:
        self.tables.loaded.clear()

    def flush(self) -> None:
        self.lists.flush()
        self.presence.flush()


def wire_actions(move: Move) -> list[Json]:
    """A move as the wire wants it."""
    return msgspec.to_builtins([WireAction.of(action) for action in move.actions])
