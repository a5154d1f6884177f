"""One connection to a Redis, read and written on the event loop itself.

Redis' own library opens it, for it knows every kind of address, password and certificate. Afterwards its ways
are too long for hints: a task to wake, a reply to wait for and a time-out for each cost ten times the hint.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import hiredis

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
