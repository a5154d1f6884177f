"""Transport of messages over one socket with a bounded queue, so that a slow client does not delay others."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from litestar.exceptions import WebSocketDisconnect

from royalcrypt.live.connection import Close
from royalcrypt.server.limits import QUEUED_BYTES, QUEUED_MESSAGES, Bound

Send = Callable[[Any], Awaitable[None]]
Write = Callable[[bytes], bool]
"""Function that sends a text immediately; returns False if nothing could be sent."""

DISCONNECTED = (OSError, RuntimeError, WebSocketDisconnect)
"""Errors of sending after the client left or the socket was closed; receiving raises them, too."""


class SocketTransport:
    """Implements ``Transport`` over an ASGI socket."""

    __slots__ = ("_closing", "_on_limit", "_queue", "_queued", "_send", "_sender", "_write", "code")

    def __init__(self, send: Send, write: Write, on_limit: Callable[[Bound], object]) -> None:
        self.code: int | None = None
        """Close code once the server has decided to close the socket."""
        self._send = send
        self._write = write
        self._on_limit = on_limit
        self._queue: list[bytes] = []
        self._queued = 0
        """Number of bytes in the queue."""
        self._sender: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def push(self, message: bytes) -> None:
        """Send immediately or queue; a client whose queue is full is disconnected and may reconnect."""
        if self.code is not None:
            return
        if self._sender is None and self._write(message):
            return
        if len(self._queue) >= QUEUED_MESSAGES.most:
            self._overflow(QUEUED_MESSAGES)
            return
        if self._queued + len(message) > QUEUED_BYTES.most:
            self._overflow(QUEUED_BYTES)
            return
        self._queue.append(message)
        self._queued += len(message)
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._drain())

    def _overflow(self, bound: Bound) -> None:
        self._on_limit(bound)
        self.close(Close.TRY_AGAIN)

    def close(self, code: Close) -> None:
        """Drop the queue and send the close frame immediately."""
        if self.code is None:
            self.code = code
            self._queue.clear()
            self._closing = asyncio.get_running_loop().create_task(self._send_close())

    async def drained(self) -> None:
        """Wait until the queue is empty, so that no command is read from a client that does not read."""
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
