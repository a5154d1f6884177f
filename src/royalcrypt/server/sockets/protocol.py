"""uvicorn's WebSocket protocol, extended by limits for clients that send too much or do not read."""

import asyncio
from collections.abc import Callable
from math import ceil
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame

from royalcrypt.server.http.connection_limits import ConnectionLimits
from royalcrypt.server.limiter import Bucket
from royalcrypt.server.limits import (
    CLOSE_TIME,
    CLOSING_BYTES,
    FRAGMENTS,
    FRAMES,
    MESSAGE_BYTES,
    PIECE_BYTES,
    UNREAD_MESSAGES,
)

PING_STEP = 0.1
"""Ping interval granularity in seconds; pings due in the same step are sent together."""
WRITE = "royalcrypt.write"
"""Name of the ASGI scope extension by which the application sends without a task."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket protocol that reads no faster than the application and the client do.

    What is read beyond that stays unparsed, and reading pauses.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        limits: ConnectionLimits,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._leave: Callable[[], object] | None = None
        self._unparsed = b""
        self._turn: asyncio.Handle | None = None
        """The next call of ``_parse``, if one is scheduled."""
        self._is_full = False
        """Whether the application must handle all its messages before others are read."""
        self._frames: Bucket | None = None
        """Rate of frames that are no complete messages."""
        self._closing_bytes = 0

    def take_over(self, leave: Callable[[], object], data: bytes) -> None:
        """Continue an HTTP connection: ``leave`` gives its place up, ``data`` was read after its request."""
        self._leave = leave
        if not self.handshake_initiated:  # The handshake is refused without being handled.
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
            self._abort_later()
        elif data:
            self.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._leave is not None:
            self._leave()
        if self._turn is not None:
            self._turn.cancel()
        # Breaks reference cycles, because garbage collection is rare.
        self._unparsed, self._turn, self._leave = b"", None, None
        self.conn.parser.close()

    # Reading.

    def data_received(self, data: bytes) -> None:
        if self.close_sent and not self._reads_on(len(data)):
            return
        is_head = not self.handshake_initiated
        if is_head or (len(data) <= PIECE_BYTES.most and not self._unparsed and self._may_parse()):
            super().data_received(data)
        else:
            self._unparsed += data
            self._update_reading()

    def _reads_on(self, size: int) -> bool:
        """Whether more is parsed after the socket was closed, to find the client's confirmation."""
        self._closing_bytes += size
        if self._closing_bytes <= CLOSING_BYTES.most:
            return True
        if self._closing_bytes - size <= CLOSING_BYTES.most:
            self._limits.on_limit(CLOSING_BYTES.name)
        self._unparsed = b""
        self._update_reading()
        return False

    def _parse(self) -> None:
        self._turn = None
        if self.transport.is_closing():
            self._unparsed = b""
        elif self._unparsed and self._may_parse():
            piece, self._unparsed = self._unparsed[: PIECE_BYTES.most], self._unparsed[PIECE_BYTES.most :]
            super().data_received(piece)
        self._update_reading()

    def _may_parse(self) -> bool:
        """Whether the application keeps up, and the client reads what it is sent."""
        if self.close_sent:
            return True
        is_connecting = self.handshake_initiated and not self.handshake_complete
        return not (self._is_full or is_connecting) and self.writable.is_set()

    def _update_reading(self) -> None:
        """Parse what was read, in the next iteration of the event loop; pause or resume reading."""
        may_parse = self._may_parse()
        if self._unparsed and may_parse and self._turn is None:
            self._turn = self.loop.call_soon(self._parse)
        must_pause = bool(self._unparsed) or not may_parse
        if must_pause is not self.read_paused:
            self.read_paused = must_pause
            if must_pause:
                self.transport.pause_reading()
            else:
                self.transport.resume_reading()

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope.setdefault("extensions", {})[WRITE] = {"text": self.write_text}
            self._update_reading()

    def handle_text(self, event: Frame) -> None:
        if event.fin or self._count_frame():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        if event.fin or self._count_frame():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        if not self._count_frame():
            return
        if len(self.frames) < FRAGMENTS.most:
            super().handle_cont(event)
        else:
            self._refuse(FRAGMENTS.name)

    def handle_ping(self) -> None:
        if self._count_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._count_frame():
            super().handle_pong(event)

    def _count_frame(self) -> bool:
        """Count a frame that is no complete message; returns False if the socket is or was closed."""
        if self.close_sent:
            return False
        self._frames = self._frames or Bucket(FRAMES)
        if self._frames.take() and self._limits.limits_rates:
            self._refuse(FRAMES.name)
            return False
        return True

    def send_receive_event_to_app(self) -> None:
        """Pause reading only at several unhandled messages; uvicorn pauses after each, at more CPU cost."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not self.close_sent and self.queue.qsize() >= UNREAD_MESSAGES.most:
            self._is_full = True
            self._update_reading()

    async def receive(self) -> Any:
        message = await self.queue.get()
        if self._is_full and self.queue.empty():
            self._is_full = False
            self._update_reading()
        return message

    # Writing.

    def pause_writing(self) -> None:
        super().pause_writing()
        self._update_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._update_reading()

    def write_text(self, text: bytes) -> bool:
        """Send a text without a task; returns False if the send buffer is full or the socket is closed."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:  # the client has closed the connection
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: Any) -> None:
        if not self.handshake_complete and self.transport.is_closing():
            raise ClientDisconnected  # uvicorn would ignore the handshake and then complain of its absence.
        is_end = message["type"] == "websocket.close"
        if is_end:
            self.writable.set()  # a slow client must not delay the close
        await super().send(message)
        if is_end:
            self._abort_later()
        if is_end or self.read_paused:
            self._update_reading()

    # The end.

    def _refuse(self, limit: str) -> None:
        """Close the socket of a client beyond a limit, and read nothing more of it."""
        self._limits.on_limit(limit)
        self.conn.fail(CloseCode.POLICY_VIOLATION)
        self.handle_parser_exception()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        # Breaks a reference cycle, because garbage collection is rare.
        cast("dict[str, Any]", self.scope).clear()

    def handle_close(self, event: Any) -> None:
        super().handle_close(event)
        self._abort_later()

    def handle_parser_exception(self) -> None:
        if self.conn.close_sent is not None and self.conn.close_sent.code == CloseCode.MESSAGE_TOO_BIG:
            self._limits.on_limit(MESSAGE_BYTES.name)
        super().handle_parser_exception()
        self._abort_later()

    def schedule_ping(self) -> None:
        """Schedule the next ping so that pings due together are sent in one event-loop iteration."""
        due = self.loop.time() + (self.ping_interval or 0.0) - self.last_ping_rtt
        self.ping_timer = self.loop.call_at(ceil(due / PING_STEP) * PING_STEP, self.send_keepalive_ping)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_later()

    def _abort_later(self) -> None:
        """Schedule an abort of the connection in case closing does not finish in time."""
        self.loop.call_later(CLOSE_TIME.seconds, self.transport.abort)


def writer_of(scope: Any) -> Callable[[bytes], bool]:
    """Return the function that sends without a task; under other ASGI servers it always returns False."""
    return scope["extensions"].get(WRITE, {}).get("text") or (lambda _: False)
