"""One open socket with a bounded send queue, so that a slow client delays nobody else."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import IntEnum
from typing import Any

from litestar.exceptions import WebSocketDisconnect

from royalcrypt.server.http.rate_limits import Bucket

Send = Callable[[Any], Awaitable[None]]
Write = Callable[[bytes], bool]
"""Sends a text at once; False if that is not possible, and nothing was sent."""

DISCONNECTED = (OSError, RuntimeError, WebSocketDisconnect)
"""Raised when the client has left or the close frame was sent; the receiving side notices it, too."""
MAX_QUEUED = 64
MAX_QUEUED_BYTES = 512 * 1024
"""Limits of the send queue."""


class Close(IntEnum):
    """Codes with which the server closes a socket (RFC 6455 and its registry)."""

    POLICY = 1008
    TOO_BIG = 1009
    RESTART = 1012
    TRY_AGAIN = 1013


class Connection:
    """A socket of one device of one person. ``push`` never waits."""

    __slots__ = (
        "_closing", "_queue", "_queued", "_send", "_sender", "_write", "address", "bucket", "code", "device",
        "follows_games", "held", "keeper", "name", "person", "watching",
    )  # fmt: skip

    def __init__(
        self,
        send: Send,
        write: Write,
        *,
        person: str,
        name: str,
        device: str,
        address: str,
        keeper: str | None = None,
    ) -> None:
        self.person = person
        self.name = name
        self.keeper = keeper
        """The owner, if the person is a program."""
        self.device = device
        self.address = address
        self.watching: dict[str, int | None] = {}
        """By table, the seat whose view is sent; None for a spectator's."""
        self.follows_games = False
        self.held: list[bytes] | None = None
        """Changes held back while the list itself is being read."""
        self.code: int | None = None
        """Set when the socket is to be closed."""
        self.bucket: Bucket | None = None
        self._send = send
        self._write = write
        self._queue: list[bytes] = []
        self._queued = 0
        """Bytes in the queue."""
        self._sender: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def push(self, message: bytes) -> None:
        """Send at once or queue; a client whose queue is full is disconnected and can come back."""
        if self.code is not None:
            return
        if self._sender is None and self._write(message):
            return
        if len(self._queue) >= MAX_QUEUED or self._queued + len(message) > MAX_QUEUED_BYTES:
            self.close(Close.TRY_AGAIN)
            return
        self._queue.append(message)
        self._queued += len(message)
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._drain())

    def push_change(self, message: bytes) -> None:
        """Send a change of a list, but not before the list itself."""
        if self.held is None:
            self.push(message)
        elif len(self.held) < MAX_QUEUED:
            self.held.append(message)
        else:
            self.close(Close.TRY_AGAIN)

    def close(self, code: Close) -> None:
        """Drop the queue and send the close frame at once."""
        if self.code is None:
            self.code = code
            self._queue.clear()
            self._closing = asyncio.get_running_loop().create_task(self._send_close())

    async def drained(self) -> None:
        """Wait until the queue is sent: no message is read from a client that does not read."""
        if self._sender is not None:
            await self._sender
        if self._closing is not None:
            await self._closing

    async def _drain(self) -> None:
        try:
            while self._queue:
                message = self._queue.pop(0)
                self._queued -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
        except DISCONNECTED:
            self.code = self.code or Close.POLICY
        finally:
            self._sender = None

    async def _send_close(self) -> None:
        with suppress(*DISCONNECTED):
            await self._send({"type": "websocket.close", "code": self.code})
