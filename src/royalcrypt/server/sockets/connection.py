"""One open socket: what waits to be sent is bounded, so a slow reader delays nobody but themselves."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import IntEnum
from typing import Any

from litestar.exceptions import WebSocketDisconnect

from royalcrypt.server.http.rate_limits import Bucket

Send = Callable[[Any], Awaitable[None]]
Write = Callable[[bytes], bool]
"""Sends a text at once; False if that is not possible, and nothing was sent."""

GONE = (OSError, RuntimeError, WebSocketDisconnect)
"""How it shows that the reader has left or the end was sent; whoever receives from them will notice."""
MOST_WAITING = 64
MOST_BYTES = 512 * 1024


class Close(IntEnum):
    """Codes with which the server ends a socket (RFC 6455 and its registry)."""

    POLICY = 1008
    TOO_BIG = 1009
    RESTART = 1012
    TRY_AGAIN = 1013


class Connection:
    """Of one device of one person. ``push`` never waits."""

    __slots__ = (
        "_ending", "_queue", "_queued", "_send", "_sender", "_write", "address", "bucket", "code", "device",
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
        """If it is a program's, who keeps it."""
        self.device = device
        self.address = address
        self.watching: dict[str, int | None] = {}
        """By table, the seat whose view it is; None for a spectator's."""
        self.follows_games = False
        self.held: list[bytes] | None = None
        """Changes to lists that are still being read for the reader, while that is so."""
        self.code: int | None = None
        """With what code the socket is to be closed, once that is decided."""
        self.bucket: Bucket | None = None
        self._send = send
        self._write = write
        self._queue: deque[bytes] | None = None
        self._queued = 0
        self._sender: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None

    def push(self, message: bytes) -> None:
        """Send as soon as the reader takes it; one who does not is sent away, and can come back."""
        if self.code is not None:
            return
        if self._sender is None and self._write(message):
            return
        if self._queue is None:
            self._queue = deque()
        if len(self._queue) >= MOST_WAITING or self._queued + len(message) > MOST_BYTES:
            self.close(Close.TRY_AGAIN)
            return
        self._queue.append(message)
        self._queued += len(message)
        self._wake()

    def push_change(self, message: bytes) -> None:
        """To a list that is followed; a change must not overtake the list itself."""
        if self.held is None:
            self.push(message)
        elif len(self.held) < MOST_WAITING:
            self.held.append(message)
        else:
            self.close(Close.TRY_AGAIN)

    def close(self, code: Close) -> None:
        """Send nothing more but the end, and that at once."""
        if self.code is None:
            self.code = code
            self._queue = None
            self._ending = asyncio.get_running_loop().create_task(self._end())

    async def drained(self) -> None:
        """Wait until what was pushed is on its way: whoever does not read is not heard either."""
        if self._sender is not None:
            await self._sender
        if self._ending is not None:
            await self._ending

    def _wake(self) -> None:
        if self._sender is None:
            self._sender = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue:
                message = self._queue.popleft()
                self._queued -= len(message)
                await self._send({"type": "websocket.send", "text": message.decode()})
            self._queue = None
        except GONE:
            self.code = self.code or Close.POLICY
        finally:
            self._sender = None

    async def _end(self) -> None:
        with suppress(*GONE):
            await self._send({"type": "websocket.close", "code": self.code})
