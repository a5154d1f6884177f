"""uvicorn's HTTP and WebSocket protocols, extended by time and size limits for slow clients."""

import asyncio
from collections.abc import Callable
from math import ceil
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

REQUEST_SECONDS = 20.0
"""Time limit for receiving a complete request or WebSocket handshake."""
CLOSE_SECONDS = 5.0
"""Time for a client to read pending data before its connection is aborted."""
MAX_HEAD_BYTES = 64 * 1024
"""Size limit for a request without its body."""
MAX_UNREAD_MESSAGES = 4
"""Number of unhandled messages at which reading from the socket pauses."""
PING_STEP = 0.1
"""Ping interval granularity in seconds; pings due in the same step are sent together."""


class RequestProtocol(HttpToolsProtocol):
    """HTTP protocol that closes connections with late or oversized requests."""

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
        self.parser: Any = None  # Breaks a reference cycle.

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
"""Name of the ASGI scope extension by which the application sends without a task."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket protocol that closes connections even if the client does not read."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope.setdefault("extensions", {})[WRITE] = {"text": self.write_text}

    def send_receive_event_to_app(self) -> None:
        """Pause reading only at several unhandled messages; uvicorn pauses after each, at more CPU cost."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and not self.close_sent and self.queue.qsize() >= MAX_UNREAD_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

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

    async def run_asgi(self) -> None:
        await super().run_asgi()
        # Breaks a reference cycle, because garbage collection is rare.
        cast("dict[str, Any]", self.scope).clear()

    def handle_close(self, event: Any) -> None:
        super().handle_close(event)
        self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # Breaks a reference cycle.

    def schedule_ping(self) -> None:
        """Schedule the next ping so that pings due together are sent in one event-loop iteration."""
        due = self.loop.time() + (self.ping_interval or 0.0) - self.last_ping_rtt
        self.ping_timer = self.loop.call_at(ceil(due / PING_STEP) * PING_STEP, self.send_keepalive_ping)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_later()

    def _abort_later(self) -> None:
        """Schedule an abort of the connection in case closing does not finish in time."""
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


def writer_of(scope: Any) -> Callable[[bytes], bool]:
    """Return the function that sends without a task; under other ASGI servers it always returns False."""
    return scope["extensions"].get(WRITE, {}).get("text") or (lambda _: False)
