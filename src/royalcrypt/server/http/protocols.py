"""How bytes come in and go out: uvicorn's ways, with an end for those who never finish and never read."""

import asyncio
from collections.abc import Callable
from math import ceil
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

REQUEST_SECONDS = 20.0
"""Seconds in which a request, or the greeting of a socket, must have come in whole."""
CLOSE_SECONDS = 5.0
"""Seconds in which a reader may take what was sent before the end."""
LARGEST_HEAD = 64 * 1024
"""Bytes beside its body that a request may have: nothing else bounds what a stranger makes us remember."""
MAX_UNREAD_MESSAGES = 4
"""Messages that may wait to be heard before no more are read."""
PING_STEP = 0.1
"""Seconds. Sockets to be pinged in one of these are pinged together."""


class RequestProtocol(HttpToolsProtocol):
    """Drops connections on which nobody says anything, or says it endlessly."""

    _deadline: asyncio.TimerHandle | None = None
    _beside_body = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        self._beside_body += len(data)
        super().data_received(data)
        if self._beside_body > LARGEST_HEAD and not self.transport.is_closing():
            self.send_400_response("Request too large.")

    def on_body(self, body: bytes) -> None:
        self._beside_body -= len(body)
        super().on_body(body)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._await_request()

    def on_message_complete(self) -> None:
        self._beside_body = 0
        self._has_come()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._has_come()
        super().handle_websocket_upgrade()
        self.parser: Any = None  # They hold each other, and their time is over.

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_come()
        super().connection_lost(exc)

    def _await_request(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_SECONDS, self.transport.abort)

    def _has_come(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


WRITE = "royalcrypt.write"
"""The extension of a socket's scope with which the application sends without waiting."""


class SocketProtocol(WebSocketsSansIOProtocol):
    """Closes for good: a connection does not stay because its reader does not read."""

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope.setdefault("extensions", {})[WRITE] = {"text": self.write_text}

    def send_receive_event_to_app(self) -> None:
        """Stop reading when some messages wait. uvicorn does after each: two system calls for nothing where
        somebody waits for an answer before they go on."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and not self.close_sent and self.queue.qsize() >= MAX_UNREAD_MESSAGES:
            self.read_paused = True
            self.transport.pause_reading()

    def write_text(self, text: bytes) -> bool:
        """Send at once, without a task; False while the reader is behind, and after the end."""
        if self.close_sent or self.transport.is_closing() or not self.writable.is_set():
            return False
        try:
            self.conn.send_text(text)
        except InvalidState:  # the reader has said goodbye
            return False
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: Any) -> None:
        is_end = message["type"] == "websocket.close"
        if is_end:
            self.writable.set()  # The end does not wait behind what nobody reads.
        await super().send(message)
        if is_end:
            self._abort_later()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        # It holds this, as this holds it, and the collector of cycles seldom comes by.
        cast("dict[str, Any]", self.scope).clear()

    def handle_close(self, event: Any) -> None:
        super().handle_close(event)
        self._abort_later()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # likewise

    def schedule_ping(self) -> None:
        """With others, in one turn of the loop: each by itself would cost twice as much."""
        due = self.loop.time() + (self.ping_interval or 0.0) - self.last_ping_rtt
        self.ping_timer = self.loop.call_at(ceil(due / PING_STEP) * PING_STEP, self.send_keepalive_ping)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_later()

    def _abort_later(self) -> None:
        """Closing waits until everything is sent, which may be never."""
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


def writer_of(scope: Any) -> Callable[[bytes], bool]:
    """How to send at once; under another server than ours, always by way of its queue."""
    return scope["extensions"].get(WRITE, {}).get("text") or (lambda _: False)
