"""The channel on Redis or Valkey, with one connection to publish and one to receive.

A pulse checks both connections: once a second the process publishes a message to itself, which must arrive
before the next one. This detects a Redis that is gone, stopped, or accepts messages without delivering them.
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

CONNECT_TIMEOUT = 2.0
WRITE_TIMEOUT = 0.5
"""Seconds without write progress after which a connection counts as lost."""
PULSE_SECONDS = 1.0
MIN_PAUSE, MAX_PAUSE = 0.1, 1.0
"""Bounds of the pause between attempts to connect, in seconds."""
MAX_BYTES = 1024 * 1024
"""Buffer size in bytes beyond which hints are dropped."""
_untyped: Any = hiredis
OnReply = Callable[[Any], None]
OnLost = Callable[[Exception], None]
log = structlog.get_logger()


def packed(*parts: str | bytes) -> bytes:
    """Encode a Redis command in its wire format."""
    return _untyped.pack_command(parts)


NO_REPLIES = packed("CLIENT", "REPLY", "OFF")
"""Disables replies to PUBLISH: they are not needed, and parsing them costs more than publishing."""


class RedisConnection(asyncio.Protocol):
    """A connection read and written directly on the event loop: redis-py's task, reply and time-out per
    command cost ten times as much as a hint. ``on_lost`` may be called more than once."""

    def __init__(self, transport: asyncio.Transport, on_reply: OnReply, on_lost: OnLost) -> None:
        self._transport = transport
        self._on_reply = on_reply
        self._on_lost = on_lost
        self._parser = hiredis.Reader()
        self._deadline: asyncio.TimerHandle | None = None
        transport.set_protocol(self)

    @property
    def buffered(self) -> int:
        """Number of bytes in the write buffer."""
        return self._transport.get_write_buffer_size()

    def write(self, command: bytes) -> None:
        """Write a command to the buffer, without waiting."""
        if not self._transport.is_closing():
            self._transport.write(command)

    def data_received(self, data: bytes) -> None:
        self._parser.feed(data)
        try:
            while (reply := self._parser.gets()) is not False:
                if isinstance(reply, hiredis.HiredisError):
                    raise reply
                self._on_reply(reply)
        except hiredis.HiredisError as problem:
            self.abort(problem)

    def pause_writing(self) -> None:
        stuck = TimeoutError("nothing can be written")
        self._deadline = asyncio.get_running_loop().call_later(WRITE_TIMEOUT, self.abort, stuck)

    def resume_writing(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.abort(exc or ConnectionResetError("the connection was closed"))

    def abort(self, problem: Exception) -> None:
        self.resume_writing()
        self._transport.abort()  # ``close`` could wait forever for unwritten data.
        self._on_lost(problem)


@asynccontextmanager
async def connected(
    pool: "ConnectionPool", on_reply: OnReply, on_lost: OnLost
) -> AsyncGenerator[RedisConnection]:
    """Open a connection; raises the error of a failed connection, handshake or password check.

    redis-py opens the connection, because it supports every kind of address, password and certificate.
    """
    opened: Any = pool.make_connection()
    connection: RedisConnection | None = None
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            await opened.connect()
        transport = opened._writer.transport  # noqa: SLF001 (there is no public access)
        connection = RedisConnection(transport, on_reply, on_lost)
        yield connection
    finally:
        if connection is not None:
            connection.abort(ConnectionAbortedError("no longer needed"))
        await opened.disconnect(nowait=True)


class RedisChannel:
    """Connects in the background, and reconnects after each outage until it is closed."""

    def __init__(self, pool: "ConnectionPool", listener: Listener) -> None:
        self._pool = pool
        self._listener = listener
        self._prefix = prefix_at(pool)
        self._pulse = self._name(f"pulse:{token_hex(8)}")
        self._topics: dict[bytes, str] = {}
        """Maps the Redis names of subscribed topics to the topics."""
        self._changed: dict[bytes, None] = {}
        """Names of topics whose subscription must be changed in Redis (an ordered set)."""
        self._hints: list[bytes] = []
        self._bytes = 0
        self._publisher: RedisConnection | None = None
        self._subscriber: RedisConnection | None = None
        self._is_up = False
        self._has_pulse = False
        self._is_known_down = False
        self._backoff = Backoff(MIN_PAUSE, MAX_PAUSE)
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._keep_connected())

    @property
    def is_up(self) -> bool:
        return self._is_up

    # Hints and subscriptions from one iteration of the event loop are written together.

    def publish(self, topic: str, hint: bytes) -> None:
        if self._publisher is None or not self._is_up:
            return
        command = packed("PUBLISH", self._name(topic), hint)
        if self._bytes + len(command) + self._publisher.buffered > MAX_BYTES:
            return
        if not self._hints:
            self._loop.call_soon(self._flush_hints)
        self._hints.append(command)
        self._bytes += len(command)

    def subscribe(self, topic: str) -> None:
        name = self._name(topic)
        if name not in self._topics:
            self._topics[name] = topic
            self._mark_changed(name)

    def unsubscribe(self, topic: str) -> None:
        name = self._name(topic)
        if self._topics.pop(name, None) is not None:
            self._mark_changed(name)

    async def close(self) -> None:
        self._topics.clear()
        await asyncio.sleep(0)  # lets pending hints be written
        while not self._task.done():
            self._task.cancel()  # repeatedly: redis-py loses a cancellation that coincides with a reply
            await asyncio.wait([self._task], timeout=0.1)

    def _name(self, topic: str) -> bytes:
        return (self._prefix + topic).encode()

    def _flush_hints(self) -> None:
        if self._publisher is not None:
            self._publisher.write(b"".join(self._hints))
        self._hints.clear()
        self._bytes = 0

    def _mark_changed(self, name: bytes) -> None:
        if self._is_up:
            if not self._changed:
                self._loop.call_soon(self._flush_topics)
            self._changed[name] = None

    def _flush_topics(self) -> None:
        self._send_topics("SUBSCRIBE", [name for name in self._changed if name in self._topics])
        self._send_topics("UNSUBSCRIBE", [name for name in self._changed if name not in self._topics])
        self._changed.clear()

    def _send_topics(self, command: str, names: Collection[bytes]) -> None:
        if names and self._subscriber is not None:
            self._subscriber.write(packed(command, *names))

    # Incoming messages.

    def _on_reply(self, reply: Any) -> None:
        match reply:
            case [b"message", self._pulse, _]:
                self._has_pulse = True
                self._set_up()
            case [b"message", name, hint] if name in self._topics:
                self._listener.on_message(self._topics[name], hint)
            case [b"subscribe", self._pulse, _]:
                self._send_pulse()
            case [b"subscribe", name, _] if name in self._topics:
                self._listener.on_subscribed(self._topics[name])
            case _:
                pass

    def _send_pulse(self) -> None:
        self._has_pulse = False
        if self._publisher is not None:
            self._publisher.write(packed("PUBLISH", self._pulse, b""))

    def _set_up(self) -> None:
        """Mark the channel as up and subscribe to all topics; called when the first pulse arrives."""
        if self._is_up or self._publisher is None:
            return
        self._is_up, self._is_known_down = True, False
        self._backoff.reset()
        log.info("channel is up")
        self._publisher.write(NO_REPLIES)
        self._send_topics("SUBSCRIBE", self._topics)

    # Reconnection.

    async def _keep_connected(self) -> None:
        while True:
            try:
                await self._stay_connected()
            except Exception as problem:  # noqa: BLE001 (any error ends the connection; a new one follows)
                if not self._is_known_down:
                    self._is_known_down = True
                    log.warning("channel is down", why=str(problem) or type(problem).__name__)
            finally:
                self._is_up = self._has_pulse = False
                self._publisher = self._subscriber = None
                self._changed.clear()
                self._hints.clear()
                self._bytes = 0
            await asyncio.sleep(self._backoff.next())

    async def _stay_connected(self) -> None:
        """Keep both connections open; raises the error that ends one."""
        lost: asyncio.Future[Exception] = self._loop.create_future()

        def on_lost(problem: Exception) -> None:
            if not lost.done():
                lost.set_result(problem)

        async with (
            connected(self._pool, self._on_reply, on_lost) as self._subscriber,
            connected(self._pool, lambda _: None, on_lost) as self._publisher,
        ):
            self._send_topics("SUBSCRIBE", [self._pulse])
            while True:
                await asyncio.wait([lost], timeout=PULSE_SECONDS)
                if lost.done():
                    raise lost.result()
                if not self._has_pulse:
                    raise TimeoutError("no answer")
                self._send_pulse()
