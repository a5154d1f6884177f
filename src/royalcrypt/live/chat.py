"""Chat and reactions at tables."""

from collections.abc import Mapping
from typing import Protocol

from royalcrypt.live.connection import Connection
from royalcrypt.live.hub import Hub
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.row_feed import RowFeed
from royalcrypt.live.stores import ChatStore, StoredChatLine
from royalcrypt.live.updates import chat_line, shown
from royalcrypt.live.wire.messages import ChatLine, Reacted, Said, encode_message
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience, Reaction, clean_chat

LINES_SHOWN = 50
MAX_READS = 3
"""Attempts to read the chat; a read is repeated if a line was added during it."""


class NoChatStore:
    """Implements ``ChatStore`` where nobody can chat."""

    async def add(self, line: StoredChatLine) -> StoredChatLine:  # noqa: ARG002
        raise Refusal(Reason.MUTED)

    async def recent(self, table: str, audience: Audience, *, limit: int) -> list[StoredChatLine]:  # noqa: ARG002
        return []


class ChatListener(Protocol):
    """Learns of what people of this process say."""

    def on_line(self, table: str) -> None:
        """Called after a line was stored."""
        ...

    def on_reaction(self, table: str, audience: Audience, message: bytes) -> None:
        """Called with each reaction as an encoded message; reactions are not stored."""
        ...


class Chat:
    def __init__(self, store: ChatStore, tables: TableRegistry, hub: Hub) -> None:
        self._store = store
        self._tables = tables
        self._hub = hub
        self._listeners: list[ChatListener] = []
        self._lines = 0
        """Number of lines since the start."""
        self.feed = RowFeed()

    def subscribe(self, listener: ChatListener) -> None:
        self._listeners.append(listener)

    async def say(self, connection: Connection, table: Table, text: str) -> None:
        audience = audience_of(table, connection.person)
        line = await self._store.add(
            StoredChatLine(
                table=table.id,
                audience=audience,
                person=connection.person,
                name=connection.name,
                text=clean_chat(text),
                at=self._tables.now(),
            )
        )
        self.deliver(line)
        for listener in self._listeners:
            listener.on_line(table.id)

    def deliver(self, line: StoredChatLine) -> None:
        """Send a stored line to the connections of this process, unless that was done before."""
        if self.feed.is_new(line.id):
            self._lines += 1
            message = encode_message(Said(table=line.table, line=chat_line(line)))
            self.broadcast(line.table, line.audience, message)

    def react(self, connection: Connection, table: Table, reaction: Reaction) -> None:
        audience = audience_of(table, connection.person)
        message = encode_message(
            Reacted(
                table=table.id,
                audience=audience,
                person=connection.person,
                name=connection.name,
                reaction=reaction,
            )
        )
        self.broadcast(table.id, audience, message)
        for listener in self._listeners:
            listener.on_reaction(table.id, audience, message)

    def broadcast(self, table_id: str, audience: Audience, message: bytes) -> None:
        """Send a message of the chat; spectators' chat is not sent to players, as it could be advice."""
        table = self._tables.in_use(table_id)
        if table is None:
            return
        seated = {place.person for place in table.seats}
        for connection, _ in self._hub.watching(table_id):
            if audience is Audience.TABLE or connection.person not in seated:
                connection.push(message)

    async def recent(self, table: str, audience: Audience) -> list[ChatLine]:
        """Return the last lines; spectators also get the spectators' lines."""
        found: list[StoredChatLine] = []
        for _ in range(MAX_READS):
            before = self._lines
            found = await self._store.recent(table, Audience.TABLE, limit=LINES_SHOWN)
            if audience is Audience.SPECTATORS:
                found += await self._store.recent(table, Audience.SPECTATORS, limit=LINES_SHOWN)
                found.sort(key=lambda line: line.id)
            if before == self._lines:
                break
        return [chat_line(line) for line in found]

    async def send_rewritten(self, table: Table) -> None:
        """Send the whole table to everybody who watches it, after its journal was rewritten."""
        lines = {audience: await self.recent(table.id, audience) for audience in Audience}
        self._show(self._tables.in_use(table.id) or table, lines)  # It may have changed meanwhile.

    async def send_shortened(self, table: Table) -> None:
        """Send the whole table with all events to everybody who watches it, after its journal lost some."""
        lines = {audience: await self.recent(table.id, audience) for audience in Audience}
        self._show(self._tables.in_use(table.id) or table, lines, since=0)

    def _show(
        self, table: Table, lines: Mapping[Audience, list[ChatLine]], *, since: int | None = None
    ) -> None:
        if since is None:
            since = 0 if table.game is None else len(table.game.events)
        present, spectators = self._hub.present(table), self._hub.spectators(table)
        for connection, seat in self._hub.watching(table.id):
            connection.push(
                shown(
                    table,
                    connection.person,
                    seat,
                    since=since,
                    chat=lines[audience_of(table, connection.person)],
                    present=present,
                    spectators=spectators,
                    re=None,
                )
            )


def audience_of(table: Table, person: str) -> Audience:
    return Audience.TABLE if table.seats_of(person) else Audience.SPECTATORS
