"""uvicorn's protocols for HTTP and WebSocket with time and size limits for slow clients."""

import asyncio
from collections.abc import Callable
from math import ceil
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

REQUEST_SECONDS = 20.0
"""Deadline for a complete request or WebSocket handshake."""
CLOSE_SECONDS = 5.0
"""Time for a client to read what was sent before the connection is closed."""
MAX_HEAD_BYTES = 64 * 1024
"""Limit for everything in a request except its body."""
MAX_UNREAD_MESSAGES = 4
"""Reading pauses when this many messages wait to be handled."""
PING_STEP = 0.1
"""Seconds; pings that are due in the same interval are sent together."""


class RequestProtocol(HttpToolsProtocol):
    """Closes connections that send no complete request in time, or too large a head."""

    _deadline: asyncio.TimerHandle | None = None
    _head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_deadline()

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response("Request too large.")

    def on_body(self, body: bytes) -> None:
        self._head_bytes -= len(body)
        super().on_body(body)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._start_deadline()

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self._cancel_deadline()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._cancel_deadline()
        super().handle_websocket_upgrade()
        self.parser: Any = None  # breaks a reference cycle

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_deadline()
        super().connection_lost(exc)

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


WRITE = "royalcrypt.write"
"""Name of the scope extension that lets the application send without a task."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """Closes connections even if the client does not read."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope.setdefault("extensions", {})[WRITE] = {"text": self.write_text}

    def send_receive_event_to_app(self) -> None:
        """Pause reading only when several messages wait. uvicorn pauses after each, which costs two calls."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and not self.close_sent and self.queue.qsize() >= MAX_UNREAD_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

    def write_text(self, text: bytes) -> bool:
        """Send without a task; False while the send buffer is full, and after the end."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:  # the client has closed the connection
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: Any) -> None:
        is_end = message["type"] == "websocket.close"
        if is_end:
            self.writable.set()  # do not wait until a slow client has read everything
        await super().send(message)
        if is_end:
            self._abort_later()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        # Breaks a reference cycle, because garbage collection is rare.
        cast("dict[str, Any]", self.scope).clear()

    def handle_close(self, event: Any) -> None:
        super().handle_close(event)
        self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # breaks a reference cycle

    def schedule_ping(self) -> None:
        """Send due pings together in one turn of the event loop, which halves their cost."""
        due = self.loop.time() + (self.ping_interval or 0.0) - self.last_ping_rtt
        self.ping_timer = self.loop.call_at(ceil(due / PING_STEP) * PING_STEP, self.send_keepalive_ping)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_later()

    def _abort_later(self) -> None:
        """Abort the connection if closing does not finish in time."""
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


def writer_of(scope: Any) -> Callable[[bytes], bool]:
    """The function that sends without a task; with other ASGI servers one that always fails."""
    return scope["extensions"].get(WRITE, {}).get("text") or (lambda _: False)
