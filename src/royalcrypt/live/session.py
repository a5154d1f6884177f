"""Handling of commands from connections: one at a time for each connection, and each is answered."""

import json
import logging
from functools import partial
from time import perf_counter
from typing import Any, Protocol, cast

import msgspec

from royalcrypt.live.access import admit, belongs, seat_shown
from royalcrypt.live.changes import Sender, TableCommand
from royalcrypt.live.chat import Chat, audience_of
from royalcrypt.live.connection import Connection
from royalcrypt.live.hub import Hub
from royalcrypt.live.lists import Lists
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.updates import refused, shown
from royalcrypt.live.wire.commands import (
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
from royalcrypt.live.wire.messages import Done, encode_message
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.table import Table

MAX_WATCHED = 8
log = logging.getLogger(__name__)


class CommandPolicy(Protocol):
    """Limits of one connection; each method raises Refusal for what is not allowed now."""

    def check_message(self) -> None:
        """Called for each message, before it is decoded."""
        ...

    def check_watch(self) -> None: ...

    def check_spectators(self, watchers: int) -> None:
        """Called before a spectator joins the connections that watch a table."""
        ...

    async def check_chat(self) -> None: ...

    def on_refused(self, reason: Reason) -> None:
        """Called after a command was refused."""
        ...


class NoLimits:
    """Implements ``CommandPolicy`` where everything is allowed."""

    def check_message(self) -> None:
        pass

    def check_watch(self) -> None:
        pass

    def check_spectators(self, watchers: int) -> None:
        pass

    async def check_chat(self) -> None:
        pass

    def on_refused(self, reason: Reason) -> None:
        pass


NO_LIMITS = NoLimits()


class CommandHandler:
    def __init__(self, tables: TableRegistry, hub: Hub, lists: Lists, chat: Chat) -> None:
        self._tables = tables
        self._hub = hub
        self._lists = lists
        self._chat = chat

    def now(self) -> int:
        return self._tables.now()

    async def handle(
        self, connection: Connection, text: str | bytes, policy: CommandPolicy = NO_LIMITS
    ) -> None:
        """Handle one message and send its answer; errors affect only the sender."""
        command: AnyCommand | None = None
        try:
            policy.check_message()
            command = read_command(text)
            await self._run(connection, command, policy)
        except Refusal as refusal:
            policy.on_refused(refusal.reason)
            self._refuse(connection, refusal, text, command)
        except Exception:
            log.exception("message failed", extra={"command": type(command).__name__})
            refusal = Refusal(Reason.SERVER_FAILED)
            policy.on_refused(refusal.reason)
            self._refuse(connection, refusal, text, command)

    def _refuse(
        self, connection: Connection, refusal: Refusal, text: str | bytes, command: AnyCommand | None
    ) -> None:
        re = id_in(text) if command is None else command.id
        table = self._watched_table(connection, command)
        seat = None if table is None else connection.watching[table.id]
        connection.push(refused(refusal, re=re, table=table, seat=seat))

    def _watched_table(self, connection: Connection, command: AnyCommand | None) -> Table | None:
        """Return the table that a command is for, if the connection watches it."""
        if command is None or isinstance(command, Follow | Ping):
            return None
        return self._tables.in_use(command.table) if command.table in connection.watching else None

    async def _run(self, connection: Connection, command: AnyCommand, policy: CommandPolicy) -> None:
        match command:
            case Act():
                await self._act(connection, command)
                return
            case Watch():
                policy.check_watch()
                await self._watch(connection, command, policy)
                return
            case Unwatch():
                self._hub.unwatch(connection, command.table)
            case Say():
                table = await self._table_to_chat_at(connection, command.table, policy)
                await self._chat.say(connection, table, command.text)
            case React():
                table = await self._table_to_chat_at(connection, command.table, policy)
                self._chat.react(connection, table, command.reaction)
            case Follow():
                await self._lists.follow(connection, lobby=command.lobby, games=command.games)
            case Ping():
                pass
        connection.push(encode_message(Done(re=command.id, now=self._tables.now())))

    async def _act(self, connection: Connection, command: Act) -> None:
        began = perf_counter()
        if command.table not in connection.watching:
            raise Refusal(Reason.NOT_WATCHING)
        shown_seat = connection.watching[command.table]
        seat = shown_seat if command.seat is None else command.seat
        if seat is None:
            raise Refusal(Reason.NOT_SEATED)
        act = partial(commands.act, person=connection.person, seat=seat, ply=command.ply, move=command.move())
        sender = Sender(connection, command.id, began)
        await self._tables.change(command.table, cast("TableCommand", act), sender=sender)

    async def _watch(self, connection: Connection, command: Watch, policy: CommandPolicy) -> None:
        if len(connection.watching) >= MAX_WATCHED and command.table not in connection.watching:
            raise Refusal(Reason.TOO_MANY, most=MAX_WATCHED)
        person, hub = connection.person, self._hub
        table = await self._tables.table(command.table)
        admit(table, person, command.invite)
        chat = await self._chat.recent(table.id, audience_of(table, person))
        table = await self._tables.table(command.table)  # read again, as nothing below awaits
        admit(table, person, command.invite)
        seat = seat_shown(table, person, command.seat)
        watchers = hub.watchers.get(table.id, {})
        if connection not in watchers and not belongs(table, person):
            policy.check_spectators(len(watchers))
        hub.watch(connection, table.id, seat)
        connection.push(
            shown(
                table,
                person,
                seat,
                since=command.since,
                chat=chat,
                present=hub.present(table),
                spectators=hub.spectators(table),
                re=command.id,
            )
        )

    async def _table_to_chat_at(self, connection: Connection, table_id: str, policy: CommandPolicy) -> Table:
        if table_id not in connection.watching:
            raise Refusal(Reason.NOT_WATCHING)
        if connection.keeper is not None:
            raise Refusal(Reason.NOT_FOR_PROGRAMS)
        await policy.check_chat()
        return await self._tables.table(table_id)


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
