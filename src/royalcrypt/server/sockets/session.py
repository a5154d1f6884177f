"""Session of one socket: handles its commands one at a time, and answers each."""

import json
import time
from typing import Any

import msgspec
import structlog

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.access import admit, seat_shown
from royalcrypt.server.http.rate_limits import MESSAGES, PROGRAM_MESSAGES, TALK, WATCH, Bucket, spend
from royalcrypt.server.service import Service
from royalcrypt.server.sockets.broadcaster import Trigger, game_line_of
from royalcrypt.server.sockets.connection import Close, Connection
from royalcrypt.server.sockets.updates import chat_line, refused, shown
from royalcrypt.server.wire.commands import (
    MAX_MESSAGE_LENGTH,
    Act,
    AnyCommand,
    Fault,
    Follow,
    MessageId,
    Ping,
    React,
    Say,
    Unwatch,
    Watch,
    decode_command,
    unreadable,
)
from royalcrypt.server.wire.messages import (
    ChatLine,
    Done,
    Games,
    Lobby,
    Reacted,
    Said,
    encode_message,
    raw_json,
)
from royalcrypt.storage.table_data import StoredChatLine
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience, clean_chat

MAX_WATCHED = 8
CHAT_SHOWN = 50
CHAT_TRIES = 3
"""Attempts to read the chat; a read is repeated if a line was added during it."""
MAX_STRIKES = 100
"""Rate-limit strikes before the socket is closed."""
log = structlog.get_logger()


class SocketSession:
    """Handles the commands of one connection."""

    def __init__(self, service: Service, connection: Connection) -> None:
        self.service = service
        self.connection = connection
        self._strikes = 0

    async def handle(self, text: str | bytes) -> None:
        """Handle one message and send its answer; errors affect only the sender."""
        command: AnyCommand | None = None
        try:
            self._check_rate()
            command = read_command(text)
            await self._run(command)
        except Refusal as refusal:
            self._refuse(refusal, text, command)
        except Exception:
            log.exception("message failed", command=type(command).__name__)
            self._refuse(Refusal(Reason.SERVER_FAILED), text, command)

    def _refuse(self, refusal: Refusal, text: str | bytes, command: AnyCommand | None) -> None:
        self.service.metrics.refusals.labels(refusal.reason).inc()
        re = id_in(text) if command is None else command.id
        table = self._table_in(command)
        seat = None if table is None else self.connection.watching.get(table.id)
        self.connection.push(refused(refusal, re=re, table=table, seat=seat))

    def _check_rate(self) -> None:
        if not self.service.limits.is_on:
            return
        connection = self.connection
        try:
            if connection.keeper is None:
                connection.bucket = connection.bucket or Bucket(MESSAGES)
                spend(connection.bucket)
            else:  # All sockets of one program share one limit.
                self.service.limits.take(PROGRAM_MESSAGES, connection.person)
        except Refusal:
            self._strikes += 1
            if self._strikes > MAX_STRIKES:
                connection.close(Close.POLICY)
            raise
        self._strikes = max(0, self._strikes - 1)

    def _table_in(self, command: AnyCommand | None) -> Table | None:
        """Return the table of a refused command if the sender is watching it."""
        table_id = getattr(command, "table", None)
        if table_id is None or table_id not in self.connection.watching:
            return None
        return self.service.tables.loaded[table_id].table

    async def _run(self, command: AnyCommand) -> None:
        match command:
            case Act():
                await self._act(command)
            case Watch():
                await self._watch(command)
            case Unwatch():
                self.service.hub.unwatch(self.connection, command.table)
                self._done(command.id)
            case Say():
                await self._say(command)
            case React():
                await self._react(command)
            case Follow():
                await self._follow(command)
            case Ping():
                self._done(command.id)

    def _done(self, re: int | None) -> None:
        self.connection.push(encode_message(Done(re=re, now=self.service.tables.now())))

    async def _act(self, command: Act) -> None:
        began = time.perf_counter()
        connection = self.connection
        if command.table not in connection.watching:
            raise Refusal(Reason.NOT_WATCHING)
        shown_seat = connection.watching[command.table]
        seat = shown_seat if command.seat is None else command.seat
        if seat is None:
            raise Refusal(Reason.NOT_SEATED)
        move = command.move()

        def decide(table: Table, now: int) -> AnyEntry:
            return commands.act(table, connection.person, seat, command.ply, move, now=now)

        await self.service.tables.change(command.table, decide, trigger=Trigger(connection, command.id))
        self.service.metrics.moves.inc()
        self.service.metrics.seconds.observe(time.perf_counter() - began)

    async def _watch(self, command: Watch) -> None:
        service, connection = self.service, self.connection
        service.limits.take(WATCH, connection.person)
        if len(connection.watching) >= MAX_WATCHED and command.table not in connection.watching:
            raise Refusal(Reason.TOO_MANY, most=MAX_WATCHED)
        table = await service.tables.table(command.table)
        admit(table, connection.person, command.invite)
        chat = await self._chat(table)
        table = await service.tables.table(command.table)  # read again, as nothing below awaits
        admit(table, connection.person, command.invite)
        seat = seat_shown(table, connection.person, command.seat)
        service.hub.watch(connection, table.id, seat)
        connection.push(
            shown(
                table,
                connection.person,
                seat,
                since=command.since,
                chat=chat,
                present=service.hub.present(table),
                spectators=service.hub.spectators(table),
                re=command.id,
            )
        )

    async def _chat(self, table: Table) -> list[ChatLine]:
        return await chat_at(self.service, table.id, self._audience(table))

    def _audience(self, table: Table) -> Audience:
        return Audience.TABLE if table.seats_of(self.connection.person) else Audience.SPECTATORS

    async def _say(self, command: Say) -> None:
        table = await self._table_to_chat_at(command.table)
        connection = self.connection
        audience = self._audience(table)
        kept = await self.service.chat.add(
            StoredChatLine(
                table=table.id,
                audience=audience,
                person=connection.person,
                name=connection.name,
                text=clean_chat(command.text),
                at=self.service.tables.now(),
            )
        )
        service = self.service
        service.hub.chat_lines += 1
        if service.change_poller.is_new_line(kept.id):
            message = encode_message(Said(table=table.id, line=chat_line(kept)))
            service.broadcaster.broadcast_chat(table, audience, message)
        service.peers.publish_chat(table.id)
        self._done(command.id)

    async def _react(self, command: React) -> None:
        table = await self._table_to_chat_at(command.table)
        connection, audience = self.connection, self._audience(table)
        message = encode_message(
            Reacted(
                table=table.id,
                audience=audience,
                person=connection.person,
                name=connection.name,
                reaction=command.reaction,
            )
        )
        self.service.broadcaster.broadcast_chat(table, audience, message)
        self.service.peers.publish_reaction(table.id, audience, message)
        self._done(command.id)

    async def _table_to_chat_at(self, table_id: str) -> Table:
        connection = self.connection
        if table_id not in connection.watching:
            raise Refusal(Reason.NOT_WATCHING)
        if connection.keeper is not None:
            raise Refusal(Reason.NOT_FOR_PROGRAMS)
        person = await self.service.people.find(connection.person)
        if person is None or person.is_muted:
            raise Refusal(Reason.MUTED)
        self.service.limits.take(TALK, connection.person)
        return await self.service.tables.table(table_id)

    async def _follow(self, command: Follow) -> None:
        """Send the lists, then the changes that arrived while the lists were read."""
        service, connection = self.service, self.connection
        service.hub.follow_games(connection, is_following=command.games)
        service.hub.lobby.discard(connection)
        connection.held = []
        try:
            if command.lobby:
                service.hub.lobby.add(connection)
                listings = await service.journal.listings((Status.OPEN, Status.RUNNING))
                connection.push(
                    encode_message(Lobby(tables=[raw_json(listing.info) for listing in listings]))
                )
            if command.games:
                found = await service.journal.listings_of(connection.person)
                games = [game_line_of(listing, connection.person) for listing in found]
                connection.push(encode_message(Games(games=games)))
        finally:
            held, connection.held = connection.held, None
            for message in held:
                connection.push(message)
        self._done(command.id)


def read_command(text: str | bytes) -> AnyCommand:
    if isinstance(text, bytes):
        raise Refusal(Reason.NOT_A_MESSAGE, why=Fault.BINARY)
    if len(text) > MAX_MESSAGE_LENGTH:
        raise Refusal(Reason.MESSAGE_TOO_LONG, most=MAX_MESSAGE_LENGTH)
    try:
        return decode_command(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise unreadable(error) from None


def id_in(text: str | bytes) -> int | None:
    """Return the id of a message that could not be decoded as a command, if it has one."""
    try:
        found: Any = json.loads(text)
        return msgspec.convert(found["id"], MessageId)
    except (ValueError, LookupError, TypeError, RecursionError):  # msgspec's errors are ValueErrors
        return None


async def chat_at(service: Service, table: str, audience: Audience) -> list[ChatLine]:
    """Return the last chat lines; spectators also get the spectators' lines."""
    found: list[StoredChatLine] = []
    for _ in range(CHAT_TRIES):
        before = service.hub.chat_lines
        found = await service.chat.recent(table, Audience.TABLE, limit=CHAT_SHOWN)
        if audience is Audience.SPECTATORS:
            found += await service.chat.recent(table, Audience.SPECTATORS, limit=CHAT_SHOWN)
            found.sort(key=lambda line: line.id)
        if before == service.hub.chat_lines:
            break
    return [chat_line(line) for line in found]
