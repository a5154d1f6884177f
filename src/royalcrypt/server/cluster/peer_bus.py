"""The bus between the processes of a server: sends hints, and handles received ones."""

import asyncio
from itertools import count
from secrets import token_hex
from time import monotonic

import msgspec
import structlog

from royalcrypt.live.changes import Change
from royalcrypt.live.chat import Chat
from royalcrypt.live.hub import Hub
from royalcrypt.live.registry import TableRegistry
from royalcrypt.server.cluster.change_poller import ChangePoller
from royalcrypt.server.cluster.channel import Channel, open_channel
from royalcrypt.server.cluster.hints import (
    EVERYBODY,
    LOBBY,
    PERSON,
    PROCESS,
    TABLE,
    AnyHint,
    ChatHint,
    ConnectedQuery,
    Heartbeat,
    HintCipher,
    ListingHint,
    NoticeHint,
    PeopleReply,
    PresenceHint,
    PresenceQuery,
    ReactionHint,
    TableHint,
    decode_hint,
    encode_hint,
)
from royalcrypt.server.cluster.listings import ListingUpdates
from royalcrypt.tables.texts import Audience

REPLY_SECONDS = 0.4
"""Seconds for which a query waits for replies of other processes."""
SILENT_SECONDS = 7.0
"""Seconds without a heartbeat after which a process counts as gone."""
log = structlog.get_logger()


class PeerBus:
    """Exchanges hints about tables and people that connections of this process watch or follow."""

    def __init__(
        self,
        url: str | None,
        key: bytes,
        hub: Hub,
        tables: TableRegistry,
        chat: Chat,
        poller: ChangePoller,
        listing_updates: ListingUpdates,
    ) -> None:
        self.process = token_hex(6)
        self._hub = hub
        self._tables = tables
        self._chat = chat
        self._poller = poller
        self._listing_updates = listing_updates
        self._processes: dict[str, tuple[float, int]] = {}
        """Maps each other process to the time of its last hint and its number of connections."""
        self._numbers = count()
        self._replies: dict[int, set[str]] = {}
        self._subscribed_at: dict[str, float] = {}
        """Maps each table to when the subscription to its topic became active."""
        self._up_since = monotonic()
        self.channel: Channel | None = None
        """None if there are no other processes, or if these only poll the database."""
        if url is None:
            return
        self.channel = open_channel(url, self)
        self._cipher = HintCipher(key)
        for topic in (EVERYBODY, LOBBY, PROCESS + self.process):
            self.channel.subscribe(topic)

    def on_table_interest(self, table: str, *, begins: bool) -> None:
        self._subscribed_at.pop(table, None)
        self._set_topic(TABLE + table, begins=begins)

    def on_person_interest(self, person: str, *, begins: bool) -> None:
        if begins:
            self._listing_updates.begin_following(person)
        else:
            self._listing_updates.end_following(person)
        self._set_topic(PERSON + person, begins=begins)

    def _set_topic(self, topic: str, *, begins: bool) -> None:
        if self.channel is not None:
            change = self.channel.subscribe if begins else self.channel.unsubscribe
            change(topic)

    # Outgoing hints.

    def _publish(self, topic: str, hint: AnyHint) -> None:
        if self.channel is not None:
            self.channel.publish(topic, self._cipher.encrypt(encode_hint(hint), topic))

    def on_change(self, change: Change) -> None:
        """Send a table hint to each process with the table open; to its topic until these are known."""
        if change.is_remote or self.channel is None:
            return
        table = change.after
        hint = TableHint(self.process, table.id, table.ply)
        for process in self._hub.remote_presence(table.id):
            self._publish(PROCESS + process, hint)
        since = self._subscribed_at.get(table.id)
        if since is None or monotonic() - since <= REPLY_SECONDS:
            self._publish(TABLE + table.id, hint)
        listing = ListingHint(self.process, table.id)
        if change.concerns_lobby:
            self._publish(LOBBY, listing)
        for person in change.people:
            self._publish(PERSON + person, listing)

    def on_line(self, table: str) -> None:
        self._publish(TABLE + table, ChatHint(self.process))

    def on_reaction(self, table: str, audience: Audience, message: bytes) -> None:
        self._publish(TABLE + table, ReactionHint(self.process, audience, message))

    def publish_presence(self, *tables: str) -> None:
        for table in tables:
            people = tuple(self._hub.people_at(table))
            self._publish(TABLE + table, PresenceHint(self.process, people))

    def publish_notice(self) -> None:
        self._publish(EVERYBODY, NoticeHint(self.process))

    def heartbeat(self) -> None:
        self._publish(EVERYBODY, Heartbeat(self.process, len(self._hub.connections)))
        self._remove_silent_processes()

    async def remote_people(self, table: str) -> set[str]:
        """Query other processes for people with a table open; ignores late replies."""
        number = next(self._numbers)
        return await self._query(TABLE + table, number, PresenceQuery(self.process, number))

    async def people_elsewhere(self, table: str) -> set[str] | None:
        """Return the people with a table open in other processes; None if these cannot be reached."""
        if self._tables.journal.is_shared and not self.is_connected:
            return None
        return await self.remote_people(table)

    async def all_remote_people(self) -> set[str]:
        """Query other processes for their connected people; ignores late replies."""
        number = next(self._numbers)
        return await self._query(EVERYBODY, number, ConnectedQuery(self.process, number))

    async def connected_people(self) -> set[str]:
        """Return everybody who is connected to this process or another."""
        return {*self._hub.of_person, *await self.all_remote_people()}

    async def _query(self, topic: str, number: int, query: AnyHint) -> set[str]:
        if self.channel is None:
            return set()
        found = self._replies[number] = set()
        self._publish(topic, query)
        await asyncio.sleep(REPLY_SECONDS)
        del self._replies[number]
        return found

    @property
    def is_connected(self) -> bool:
        """Whether the channel exists and is up."""
        return self.channel is not None and self.channel.is_up

    def remote_connections(self) -> int:
        return sum(connections for _, connections in self._processes.values())

    # Incoming hints.

    def on_message(self, topic: str, hint: bytes) -> None:
        if self._cipher.is_own(hint) or (topic == LOBBY and not self._hub.lobby):
            return
        content = self._cipher.decrypt(hint, topic)
        try:
            decoded = None if content is None else decode_hint(content)
        except msgspec.DecodeError:  # sent by a process of another version
            decoded = None
        if decoded is None:
            log.warning("unreadable hint", topic=topic)
        else:
            self._handle(topic.removeprefix(TABLE), decoded)

    def _handle(self, table: str, hint: AnyHint) -> None:
        match hint:
            case TableHint():
                self._poller.refresh(hint.table, hint.ply)
            case ListingHint():
                self._listing_updates.mark(hint.table)
            case ChatHint():
                self._poller.chat.request()
            case ReactionHint():
                self._chat.broadcast(table, hint.audience, hint.message)
            case NoticeHint():
                self._poller.notices.request()
            case PresenceHint():
                self._set_presence(table, hint)
            case PresenceQuery():
                people = tuple(self._hub.people_at(table))
                if hint.number is not None:
                    self._reply(hint.process, hint.number, people)
                elif people:
                    self.publish_presence(table)
            case ConnectedQuery():
                self._reply(hint.process, hint.number, tuple(self._hub.of_person))
            case PeopleReply():
                self._replies.get(hint.number, set()).update(hint.people)
            case Heartbeat():
                self._processes[hint.process] = monotonic(), hint.connections

    def _set_presence(self, table: str, hint: PresenceHint) -> None:
        """Store remote presence; a process that has just opened the table also gets the latest table hint."""
        _, connections = self._processes.get(hint.process, (0.0, 0))
        self._processes[hint.process] = monotonic(), connections
        is_new = hint.people and hint.process not in self._hub.remote_presence(table)
        self._hub.set_remote_presence(table, hint.process, frozenset(hint.people))
        found = self._tables.in_use(table) if is_new else None
        if found is not None:
            self._publish(PROCESS + hint.process, TableHint(self.process, found.id, found.ply))

    def _reply(self, process: str, number: int, people: tuple[str, ...]) -> None:
        self._publish(PROCESS + process, PeopleReply(self.process, number, people))

    def on_subscribed(self, topic: str) -> None:
        if topic.startswith(TABLE):
            table = topic.removeprefix(TABLE)
            self._subscribed_at[table] = monotonic()
            self._poller.refresh(table)
            self._publish(topic, PresenceQuery(self.process))
            self.publish_presence(table)
        elif topic.startswith(PERSON):
            self._listing_updates.on_subscribed(topic.removeprefix(PERSON))

    def _remove_silent_processes(self) -> None:
        """Remove presence of processes without heartbeats, unless the channel was down; if a process was
        only paused, it answers the presence query that follows."""
        now = monotonic()
        if not self.is_connected:
            self._up_since = now
        if now - self._up_since < SILENT_SECONDS:
            return
        for process, (last, _) in list(self._processes.items()):
            if now - last > SILENT_SECONDS:
                del self._processes[process]
        for table in self._hub.retain_processes(set(self._processes)):
            self._publish(TABLE + table, PresenceQuery(self.process))

    async def close(self) -> None:
        if self.channel is not None:
            await self.channel.close()
