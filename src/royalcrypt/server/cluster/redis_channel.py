"""One connection to a Redis, read and written on the event loop itself.

Redis' own library opens it, for it knows every kind of address, password and certificate. Afterwards its ways
are too long for hints: a task to wake, a reply to wait for and a time-out for each cost ten times the hint.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import hiredis
import structlog

from royalcrypt.server.backoff import Backoff
from royalcrypt.server.cluster.channel import Listener, prefix_at

if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool

LONGEST_GREETING = 2.0
LONGEST_WRITE = 0.5
"""Seconds until it counts as gone."""
_untyped: Any = hiredis
Take = Callable[[Any], None]
Trouble = Callable[[Exception], None]


def packed(*parts: str | bytes) -> bytes:
    """A command as it is sent."""
    return _untyped.pack_command(parts)


class Line(asyncio.Protocol):
    """Every reply is given to ``take``; why it has ended to ``trouble``, perhaps more than once."""

    def __init__(self, transport: asyncio.Transport, take: Take, trouble: Trouble) -> None:
        self._transport = transport
        self._take = take
        self._trouble = trouble
        self._replies = hiredis.Reader()
        self._deadline: asyncio.TimerHandle | None = None
        transport.set_protocol(self)

    @property
    def waiting(self) -> int:
        """Bytes that were written, and not even this machine's network has taken yet."""
        return self._transport.get_write_buffer_size()

    def write(self, command: bytes) -> None:
        """Never waits."""
        if not self._transport.is_closing():
            self._transport.write(command)

    def data_received(self, data: bytes) -> None:
        self._replies.feed(data)
        try:
            while (reply := self._replies.gets()) is not False:
                if isinstance(reply, hiredis.HiredisError):
                    raise reply
                self._take(reply)
        except hiredis.HiredisError as problem:
            self.end(problem)

    def pause_writing(self) -> None:
        stuck = TimeoutError("nothing can be written")
        self._deadline = asyncio.get_running_loop().call_later(LONGEST_WRITE, self.end, stuck)

    def resume_writing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.end(exc or ConnectionResetError("the connection was closed"))

    def end(self, problem: Exception) -> None:
        self.resume_writing()
        self._transport.abort()  # closing would wait until everything is written, which may be never
        self._trouble(problem)


@asynccontextmanager
async def open_line(pool: "ConnectionPool", take: Take, trouble: Trouble) -> AsyncGenerator[Line]:
    """Raises whatever a connection, a greeting or a password may come to."""
    connection: Any = pool.make_connection()
    line: Line | None = None
    try:
        async with asyncio.timeout(LONGEST_GREETING):
            await connection.connect()
        line = Line(connection._writer.transport, take, trouble)  # noqa: SLF001 (there is no other way to it)
        yield line
    finally:
        if line is not None:
            line.end(ConnectionAbortedError("no longer needed"))
        await connection.disconnect(nowait=True)


if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool

PULSE = 1.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 1.0
"""Seconds between attempts to connect."""
MOST_BYTES = 1024 * 1024
"""Of hints that wait; more are dropped."""
NO_REPLIES = packed("CLIENT", "REPLY", "OFF")
"""How many heard a hint is of no interest, and to read it would cost more than to speak."""
log = structlog.get_logger()


class RedisChannel:
    """Connects by itself, again and again, from its making until it is closed."""

    def __init__(self, pool: "ConnectionPool", listener: Listener) -> None:
        self._pool = pool
        self._listener = listener
        self._prefix = prefix_at(pool)
        self._pulse = self._name(f"pulse:{token_hex(8)}")
        self._topics: dict[bytes, str] = {}
        """Those wanted, by their names there."""
        self._changed: dict[bytes, None] = {}
        """Names that were subscribed or unsubscribed since Redis was told."""
        self._hints: list[bytes] = []
        self._bytes = 0
        self._speaking: Line | None = None
        self._hearing: Line | None = None
        self._is_up = False
        self._has_pulse = False
        self._is_known_down = False
        self._backoff = Backoff(SHORTEST_PAUSE, LONGEST_PAUSE)
        self._loop = asyncio.get_running_loop()
        self._keeper = self._loop.create_task(self._keep_up())

    @property
    def is_up(self) -> bool:
        return self._is_up

    # What others ask for. All that comes in one turn of the event loop goes out as one.

    def publish(self, topic: str, hint: bytes) -> None:
        if self._speaking is None or not self._is_up:
            return
        command = packed("PUBLISH", self._name(topic), hint)
        if self._bytes + len(command) + self._speaking.waiting > MOST_BYTES:
            return
        if not self._hints:
            self._loop.call_soon(self._speak)
        self._hints.append(command)
        self._bytes += len(command)

    def subscribe(self, topic: str) -> None:
        name = self._name(topic)
        if name not in self._topics:
            self._topics[name] = topic
            self._change(name)

    def unsubscribe(self, topic: str) -> None:
        name = self._name(topic)
        if self._topics.pop(name, None) is not None:
            self._change(name)

    async def close(self) -> None:
        self._topics.clear()
        await asyncio.sleep(0)  # what was just published may still go
        while not self._keeper.done():
            self._keeper.cancel()  # again, for Redis' library loses a cancellation that comes with an answer
            await asyncio.wait([self._keeper], timeout=0.1)

    def _name(self, topic: str) -> bytes:
        return (self._prefix + topic).encode()

    def _speak(self) -> None:
        if self._speaking is not None:
            self._speaking.write(b"".join(self._hints))
        self._hints.clear()
        self._bytes = 0

    def _change(self, name: bytes) -> None:
        if not self._is_up:
            return
        if not self._changed:
            self._loop.call_soon(self._tell_changes)
        self._changed[name] = None

    def _tell_changes(self) -> None:
        self._tell("SUBSCRIBE", [name for name in self._changed if name in self._topics])
        self._tell("UNSUBSCRIBE", [name for name in self._changed if name not in self._topics])
        self._changed.clear()

    def _tell(self, command: str, names: Collection[bytes]) -> None:
        if names and self._hearing is not None:
            self._hearing.write(packed(command, *names))

    # What Redis says.

    def _hear(self, reply: Any) -> None:
        match reply:
            case [b"message", self._pulse, _]:
                self._has_pulse = True
                self._come_up()
            case [b"message", name, hint] if name in self._topics:
                self._listener.on_message(self._topics[name], hint)
            case [b"subscribe", self._pulse, _]:
                self._beat()
            case [b"subscribe", name, _] if name in self._topics:
                self._listener.on_subscribed(self._topics[name])
            case _:
                pass

    def _beat(self) -> None:
        self._has_pulse = False
        if self._speaking is not None:
            self._speaking.write(packed("PUBLISH", self._pulse, b""))

    def _come_up(self) -> None:
        """At the first pulse, and not before: then it is certain that hints would come, too."""
        if self._is_up or self._speaking is None:
            return
        self._is_up, self._is_known_down = True, False
        self._backoff.reset()
        log.info("channel is up")
        self._speaking.write(NO_REPLIES)
        self._tell("SUBSCRIBE", self._topics)

    # Over all outages.

    async def _keep_up(self) -> None:
        while True:
            try:
                await self._stay_connected()
            except Exception as problem:  # noqa: BLE001 (whatever it is, hints must come again)
                self._tell_host(problem)
            finally:
                self._forget_connection()
            await asyncio.sleep(self._backoff.next())

    async def _stay_connected(self) -> None:
        """Raises what ends it."""
        trouble: asyncio.Future[Exception] = self._loop.create_future()

        def note(problem: Exception) -> None:
            if not trouble.done():
                trouble.set_result(problem)

        async with (
            open_line(self._pool, self._hear, note) as self._hearing,
            open_line(self._pool, lambda _: None, note) as self._speaking,
        ):
            self._tell("SUBSCRIBE", [self._pulse])
            while True:
                await asyncio.wait([trouble], timeout=PULSE)
                if trouble.done():
                    raise trouble.result()
                if not self._has_pulse:
                    raise TimeoutError("no answer")
                self._beat()

    def _tell_host(self, problem: Exception) -> None:
        """Once an outage."""
        if not self._is_known_down:
            self._is_known_down = True
            log.warning("channel is down", why=str(problem) or type(problem).__name__)

    def _forget_connection(self) -> None:
        self._is_up = self._has_pulse = False
        self._speaking = self._hearing = None
        self._changed.clear()
        self._hints.clear()
        self._bytes = 0
