"""A server whose neighbours misbehave: raw connections to it, and what must hold whatever they send."""

import asyncio
import contextlib
import logging
import random
import traceback
from collections.abc import AsyncGenerator, Awaitable
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import httpx
import msgspec
from structlog.typing import EventDict

from royalcrypt.live.updates import events_json
from tests.server.captured import captured_logs
from tests.server.harness import (
    Host,
    Json,
    Person,
    any_action,
    catch_up,
    person,
    seated,
    serving,
    until,
)

QUICK = 5.0
"""Seconds in which the server has to answer others, on a busy machine."""
MOST_MEMORY = 96 * 2**20
"""Bytes by which the process may grow, the clients included."""
MOST_CONNECTIONS = 8
TEXT_FRAME, WHOLE = 1, 0x80


COOKIE, HOST, TABLE = b"{cookie}", b"{host}", b"{table-here}"
"""They stand for what is known only when it is sent; the table's has the length of an id."""


KNOWN = ("Invalid UTF-8 sequence received from client.",)
"""What uvicorn reports as its own error although it is the client's, who is closed with 1007."""


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one connection does; with bytes as latin-1, to be kept as JSON."""

    do: Literal["connect", "send", "abort", "close", "write_eof", "pause_reading", "resume_reading"]
    which: int = 0
    parts: tuple[str, ...] = ()


class RawConnection(asyncio.Protocol):
    """A connection that keeps all it is sent, and reads it or not."""

    def __init__(self) -> None:
        self.received = bytearray()
        self.is_closed = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.received += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_closed = True

    def messages(self) -> list[Json]:
        """Whole texts that came in frames after a handshake."""
        head, _, stream = bytes(self.received).partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            return []
        return [msgspec.json.decode(payload) for payload in texts_in(stream)]

    @property
    def statuses(self) -> list[int]:
        """Of what seem to be answers; bodies have none."""
        lines = bytes(self.received).split(b"\r\n")
        return [int(line[9:12]) for line in lines if line.startswith(b"HTTP/1.1 ") and line[9:12].isdigit()]


def texts_in(stream: bytes) -> list[bytes]:
    """The texts of the whole frames in a server's stream, which are never masked."""
    found: list[bytes] = []
    at = 0
    while at + 2 <= len(stream):
        opcode, length = stream[at] & 0x0F, stream[at + 1]
        assert length < WHOLE, "a server masks nothing"
        assert stream[at] & WHOLE, "a server sends messages whole"
        more = {126: 2, 127: 8}.get(length, 0)
        if more:
            length = int.from_bytes(stream[at + 2 : at + 2 + more])
        at += 2 + more
        if at + length > len(stream):
            break
        if opcode == TEXT_FRAME:
            found.append(stream[at : at + length])
        at += length
    return found


class Edge:
    """Bo and Eve play at a listed table, while Mallory's connections send anything."""

    def __init__(
        self, host: Host, http: httpx.AsyncClient, people: list[Person], log: list[EventDict]
    ) -> None:
        self.host = host
        self.connections: list[RawConnection] = []
        self._http = http
        self._mallory, *self._players = people
        self._log = log
        self._chance = random.Random(1)
        self._table = ""
        self.fault = ""
        """The first one."""
        self.history: list[Step] = []
        """Since nobody was connected."""
        self._views: dict[tuple[str, int], Json] = {}
        """By table and ply, what a spectator may see."""
        self._events: dict[tuple[str, int], set[str]] = {}
        """By table and number, how spectators may have been told of an event."""
        self._memory = 0
        self._ports: set[tuple[str, int]] = set()
        """Of Mallory's connections, as the server sees them."""

    @classmethod
    @contextlib.asynccontextmanager
    async def opened(cls, data: Path) -> AsyncGenerator["Edge"]:
        async with contextlib.AsyncExitStack() as stack:
            log = stack.enter_context(captured_logs())
            stack.enter_context(errors_of("asyncio", "uvicorn.error", into=log))
            host = await stack.enter_async_context(serving(data))
            http = await stack.enter_async_context(host.client())
            mallory = await stack.enter_async_context(person(host, "Mallory", is_connected=False))
            players = [await stack.enter_async_context(person(host, name)) for name in ("Bo", "Eve")]
            edge = cls(host, http, [mallory, *players], log)
            await edge._begin_game()
            await edge.check()
            edge._memory = memory()
            yield edge

    # What Mallory does.

    async def do(self, step: Step) -> None:
        """Carry out a step of one connection, then check that others play on."""
        self.history.append(step)
        if step.do == "connect":
            await self._connect()
        elif self.open_connections:
            connection = self.open_connections[step.which % len(self.open_connections)]
            if step.do == "send":
                await self._send(connection, step)
            else:
                getattr(connection.transport, step.do)()
        await self.check()

    @property
    def open_connections(self) -> list[RawConnection]:
        return [one for one in self.connections if not one.transport.is_closing()]

    async def _connect(self) -> None:
        port = urlsplit(self.host.url).port or 0
        loop = asyncio.get_running_loop()
        _, connection = await loop.create_connection(RawConnection, "127.0.0.1", port)
        self.connections.append(connection)
        self._ports.add(connection.transport.get_extra_info("sockname"))

    async def _send(self, connection: RawConnection, step: Step) -> None:
        """Each part is a segment of its own: the server reads it before the next is sent."""
        for part in step.parts:
            if not connection.transport.is_closing():
                connection.transport.write(self._filled(part.encode("latin-1")))
                await asyncio.sleep(0)

    def _filled(self, data: bytes) -> bytes:
        """With what is known only now."""
        for name, value in (
            (COOKIE, self._mallory.cookie),
            (HOST, urlsplit(self.host.url).netloc),
            (TABLE, self._table),
        ):
            data = data.replace(name, value.encode())
        return data

    async def hang_up(self) -> None:
        """All of Mallory's connections end; nothing of them stays."""
        for connection in self.connections:
            connection.transport.abort()
        self.connections.clear()
        await until(lambda: not self._left())
        self._ports.clear()
        self.history.clear()
        assert memory() - self._memory < MOST_MEMORY, f"{memory() - self._memory:,} bytes more than before"

    # What must hold.

    async def check(self) -> None:
        """The server answers others, in time, and nobody was sent what they must not see."""
        async with asyncio.timeout(QUICK):
            answer = await self._http.get("/health")
            assert answer.status_code == 200
        async with asyncio.timeout(QUICK):
            await self._move()
        assert not (errors := [entry for entry in self._log if entry["event"] not in KNOWN]), errors
        for connection in self.connections:
            self._check_received(connection)

    async def checked(self, doing: Awaitable[None]) -> None:
        """A fault is told with the steps that led to it, which can be kept as a seed."""
        try:
            await doing
        except Exception:
            steps = msgspec.json.encode(self.history).decode()
            self.fault = self.fault or f"{traceback.format_exc()} after\n{steps}"
            raise

    def _check_received(self, connection: RawConnection) -> None:
        assert 500 not in connection.statuses
        assert b"Traceback" not in connection.received
        assert self._secret not in connection.received
        for message in connection.messages():
            if message.get("view"):
                assert message["view"] == self._views[message["table"], message["ply"]], (
                    "a view that no spectator may see"
                )
            for event in message.get("events", ()):
                assert str(event) in self._events[message["table"], event["n"]], (
                    "an event that no spectator may see"
                )
            assert message["type"] != "refused" or message["reason"]["code"] != "server_failed"

    def _left(self) -> list[object]:
        """What is left of Mallory's connections: at the server, and in the lists of who is there."""
        service, server = self.host.service, self.host.server
        assert server is not None
        ends = [end for end in server.server_state.connections if getattr(end, "client", None) in self._ports]
        there = [one for one in service.hub.connections if one.person == self._mallory.id]
        watchers = [
            one for some in service.hub.watchers.values() for one in some if one.person == self._mallory.id
        ]
        counted = service.sockets.addresses.total() - len(service.hub.connections)
        return [*ends, *there, *watchers, *range(counted)]

    async def _begin_game(self) -> None:
        for player in self._players:
            if self._table:
                await player.tell(type="unwatch", table=self._table)
        self._table = await seated(self._players, is_listed=True)
        self._secret = self._kept().secret.hex().encode()
        self._remember()

    def _kept(self) -> Any:
        return self.host.service.tables.loaded[self._table].table

    def _remember(self) -> None:
        table = self._kept()
        self._views[table.id, table.ply] = msgspec.json.decode(table.game.view(None).to_json())
        for event in msgspec.json.decode(events_json(table, None, 0)):
            self._events.setdefault((table.id, event["n"]), set()).add(str(event))

    async def _move(self) -> None:
        """Another player's move goes through, and everybody at the table hears of it."""
        one, other = self._players
        if one.view["phase"] == "over":
            await self._begin_game()
        mover, listener = (one, other) if one.view["actor"] == 0 else (other, one)
        answer = await mover.act(self._table, any_action(mover.view, self._chance))
        assert answer["type"] == "update", answer
        self._remember()
        await catch_up(listener, mover.ply)


@contextlib.contextmanager
def errors_of(*names: str, into: list[EventDict]) -> Any:
    """Errors of other packages' loggers."""

    class Errors(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            into.append({"event": record.getMessage(), "log_level": record.levelname, "of": record.name})

    handler = Errors(logging.ERROR)
    for name in names:
        logging.getLogger(name).addHandler(handler)
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).removeHandler(handler)


def memory() -> int:
    """Resident bytes of this process."""
    pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    return int(pages) * 4096
