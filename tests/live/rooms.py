"""Live tables without a server: a journal in memory, and clients that keep what they are told in a list."""

import contextlib
from collections import defaultdict
from collections.abc import Callable, Collection
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec

from royalcrypt.live.changes import TableCommand
from royalcrypt.live.chat import Chat
from royalcrypt.live.connection import Close, Connection
from royalcrypt.live.dispatcher import Dispatcher
from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import Lists
from royalcrypt.live.presence import PresenceUpdates
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.session import CommandHandler
from royalcrypt.live.stores import IN_PROGRESS, Moment, StoredChatLine, StoredRecord
from royalcrypt.live.updates import TableUpdates
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason
from royalcrypt.play.view_changes import apply_changes
from royalcrypt.tables.journal import Line, Listing, PlyTaken, Status, StoredEntry
from royalcrypt.tables.listings import Pace
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience

Json = dict[str, Any]
PROTOCOLS = (1, 2)
NOBODYS_TURN = Pace(bot_pause=3_600_000)


class MemoryJournal:
    """Implements ``TableJournal`` for registries of one process, or of several that take turns."""

    is_shared = False

    def __init__(self) -> None:
        self._lines: defaultdict[str, list[Line]] = defaultdict(list)

    async def append(self, line: Line) -> None:
        if line.ply != len(self._lines[line.table]):
            raise PlyTaken(line.table, line.ply)
        self._lines[line.table].append(line)

    async def entries(self, table: str, *, since: int = 0) -> list[bytes]:
        return [line.entry for line in self._lines[table][since:]]

    async def postpone(self, table: str, due: int | None) -> None:
        pass

    async def due(self, now: int, *, most: int) -> list[str]:
        return []

    def lock(self, name: str) -> AbstractAsyncContextManager[None]:
        return contextlib.nullcontext()

    async def listing(self, table: str) -> Listing | None:
        lines = self._lines[table]
        return lines[-1].listing if lines else None

    async def listings(self, statuses: Collection[Status]) -> list[Listing]:
        return [found for found in self._listings() if found.is_listed and found.status in statuses]

    async def listings_of(self, person: str, statuses: Collection[Status] = IN_PROGRESS) -> list[Listing]:
        return [found for found in self._listings() if person in found.people and found.status in statuses]

    def _listings(self) -> list[Listing]:
        return [lines[-1].listing for lines in self._lines.values() if lines]

    async def record(self, table: str) -> bytes | None:
        return self._lines[table][-1].record

    async def records_of(self, person: str, *, before: Moment | None = None) -> list[StoredRecord]:
        return []


class MemoryChat:
    """Implements ``ChatStore``."""

    def __init__(self) -> None:
        self._lines: list[StoredChatLine] = []

    async def add(self, line: StoredChatLine) -> StoredChatLine:
        self._lines.append(msgspec.structs.replace(line, id=len(self._lines) + 1))
        return self._lines[-1]

    async def recent(self, table: str, audience: Audience, *, limit: int) -> list[StoredChatLine]:
        return [line for line in self._lines if (line.table, line.audience) == (table, audience)][-limit:]


class NoLimits:
    """Implements ``CommandPolicy``: everything is allowed."""

    def __init__(self) -> None:
        self.refused: list[Reason] = []

    def check_message(self) -> None: ...

    def check_watch(self) -> None: ...

    async def check_chat(self) -> None: ...

    def on_refused(self, reason: Reason) -> None:
        self.refused.append(reason)


class Client:
    """A client of one table: keeps every message, and the view to which they lead."""

    def __init__(self, person: str, protocol: int) -> None:
        self.person = person
        self.protocol = protocol
        self.messages: list[bytes] = []
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


class Room:
    """The components of ``live`` around tables in memory."""

    def __init__(self, now: Callable[[], int], journal: MemoryJournal | None = None) -> None:
        self.now = now
        self.journal = journal or MemoryJournal()
        self.hub = Hub()
        self.limits = NoLimits()
        dispatcher = Dispatcher()
        self.tables = TableRegistry(self.journal, dispatcher, clock=now, pace=NOBODYS_TURN)
        self.lists = Lists(self.hub, self.journal)
        self.chat = Chat(MemoryChat(), self.tables, self.hub)
        self.presence = PresenceUpdates(self.hub, self.tables)
        self.commands = CommandHandler(self.tables, self.hub, self.lists, self.chat)
        dispatcher.subscribe(TableUpdates(self.hub), self.lists)

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
        await self.commands.handle(client.connection, text, self.limits)
        answers: list[Json] = [msgspec.json.decode(found) for found in client.messages[number:]]
        return next(answer for answer in answers if answer.get("re") == number)

    async def watch(self, client: Client, table: str, **how: Any) -> Json:
        return await self.tell(client, type="watch", table=table, **how)

    async def change(self, table: str, command: TableCommand) -> Table:
        return (await self.tables.change(table, command)).after

    async def change_elsewhere(self, table: str, command: TableCommand) -> None:
        """As if another process had stored an entry, of which this one learns."""
        since = len(await self.journal.entries(table))
        other = Room(self.now, self.journal)
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
    return [
        {
            "do": action.verb,
            "place": [{"slot": put.slot, "dice": put.dice, "effort": put.effort} for put in action.place],
            "slot": action.slot,
            "flip": list(action.flip),
        }
        for action in move.actions
    ]
