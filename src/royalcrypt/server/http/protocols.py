"""uvicorn's HTTP protocol, extended by limits for clients that send too much, too slowly, or do not read."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT, FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from royalcrypt.server.http.connection_limits import ConnectionLimits, ConnectionPlace, ConnectionState
from royalcrypt.server.limits import (
    BODY_BYTES,
    HEAD_BYTES,
    HEADERS,
    PIECE_BYTES,
    PIECES,
    PIPELINED,
    READ_BYTES,
    READ_TIME,
    REQUEST_TIME,
)
from royalcrypt.server.sockets.protocol import SocketProtocol

NOTHING = memoryview(b"")
HEAD_END = b"\r\n\r\n"
NO_PLACE = b"""HTTP/1.1 503 Service Unavailable\r
content-type: text/plain; charset=utf-8\r
content-length: 19\r
retry-after: 2\r
connection: close\r
\r
Service Unavailable"""


Application = Callable[[Any, Any, Any], Any]


class BeyondLimitError(Exception):
    """Raised to the parser, which ends the request."""


class ReadFlow(FlowControl):
    """Flow control of one connection that first asks for what was read before."""

    def __init__(self, transport: asyncio.Transport, resume: Callable[[], object]) -> None:
        super().__init__(transport)
        self.resume = resume

    def resume_reading(self) -> None:
        """Called by uvicorn when it wants more of a request, or the next one."""
        if self.read_paused:
            self.resume()

    def resume_transport(self) -> None:
        super().resume_reading()


class SlowReader:
    """Aborts a connection whose client does not read enough of what waits for it."""

    def __init__(self, transport: asyncio.Transport, limits: ConnectionLimits) -> None:
        self._transport = transport
        self._limits = limits
        self._unread = transport.get_write_buffer_size()
        self._timer = asyncio.get_running_loop().call_later(READ_TIME.seconds, self._check)

    def stop(self) -> None:
        self._timer.cancel()

    def _check(self) -> None:
        unread = self._transport.get_write_buffer_size()
        if self._unread - unread < min(READ_BYTES.most, self._unread):
            self._limits.on_limit(READ_TIME.name)
            self._transport.abort()
            return
        self._unread = unread
        if unread:
            self._timer = asyncio.get_running_loop().call_later(READ_TIME.seconds, self._check)


class RequestProtocol(HttpToolsProtocol):
    """HTTP protocol that parses one request at a time, and closes late or oversized ones.

    What is read beyond a request that is not answered yet stays unparsed, and reading pauses.
    """

    cycle: Any
    flow: Any
    parser: Any

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
        self._place: ConnectionPlace | None = None
        self._unparsed = NOTHING
        self._turn: asyncio.Handle | None = None
        """The next call of ``_parse``, if one is scheduled."""
        self._deadline: asyncio.TimerHandle | None = None
        self._is_receiving = False
        """Whether a part of a request has been received."""
        self._head_bytes = 0
        self._unstarted: tuple[Any, Application] | None = None
        """A request that is not started before it is complete."""
        self._source = ""
        """Address of the client that sent the latest request."""
        self._reader: SlowReader | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = ReadFlow(transport, self._take_turn)
        self._place = self._limits.enter(self.client[0] if self.client else "unknown", transport.abort)
        if self._place is None:
            self._refuse_place()
        else:
            self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()
        self._cancel_deadline()
        if self._turn is not None:
            self._turn.cancel()
        if self._reader is not None:
            self._reader.stop()
        if self._place is not None:
            self._limits.leave(self._place)
            self._limits.queue.cancel(self._source, self)
        self._forget()

    def _forget(self) -> None:
        """Break reference cycles, because garbage collection is rare."""
        self._unparsed, self._turn, self._place, self._reader = NOTHING, None, None, None
        self._unstarted = None
        self.flow.resume = do_nothing
        self.pipeline.clear()
        self.parser = None

    # Reading.

    def data_received(self, data: bytes) -> None:
        self._unparsed = memoryview(bytes(self._unparsed) + data) if self._unparsed else memoryview(data)
        if self._turn is None:
            self._parse()

    def _take_turn(self) -> None:
        """Parse what has been read, in the next iteration of the event loop; then read on."""
        if self._turn is None and not self.transport.is_closing():
            self._turn = self.loop.call_soon(self._parse)

    def _parse(self) -> None:
        self._turn = None
        for _ in range(PIECES.most):
            if not self._unparsed or not self._may_parse():
                break
            piece = self._next_piece()
            self._head_bytes += len(piece)
            if self._head_bytes > HEAD_BYTES.most:
                self._limits.on_limit(HEAD_BYTES.name)
                self.send_400_response("Request too large.")
                break
            self._is_receiving = True
            super().data_received(piece)  # pyright: ignore[reportArgumentType]
        if self.parser is None or self.transport.is_closing():
            self._unparsed = NOTHING
            return
        if self._unparsed:
            self.flow.pause_reading()
            if self._may_parse():
                self._take_turn()
        elif self._may_parse():
            self.flow.resume_transport()
        self._note_state()

    def _may_parse(self) -> bool:
        """Whether the next piece may be parsed: no request is unanswered, and no body waits to be handled."""
        if self.parser is None or self.transport.is_closing():
            return False
        if self.cycle is None or self.cycle.response_complete:
            return not self.flow.write_paused
        return self.cycle.more_body and len(self.cycle.body) <= HIGH_WATER_LIMIT

    def _next_piece(self) -> memoryview:
        """Remove the next bytes, at most to the blank line at the end of a head, so that no head follows."""
        start = bytes(self._unparsed[: PIECE_BYTES.most])
        end = start.find(HEAD_END)
        size = len(start) if end < 0 else end + len(HEAD_END)
        piece, self._unparsed = self._unparsed[:size], self._unparsed[size:]
        return piece

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= PIPELINED.most:
            self._limits.on_limit(PIPELINED.name)
            raise BeyondLimitError
        super().on_message_begin()
        self._is_receiving = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) >= HEADERS.most:
            self._limits.on_limit(HEADERS.name)
            raise BeyondLimitError
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._head_bytes -= len(body)
        super().on_body(body)
        if self._unstarted is not None and len(self.cycle.body) > HIGH_WATER_LIMIT:
            self._start(*self._unstarted)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        self._is_receiving = False
        super().on_message_complete()
        if self._unstarted is not None:
            self._start(*self._unstarted)

    # Answering.

    def _start_asgi_task(self, cycle: Any, app: Application) -> None:
        """Start a request once it is complete, so that half-sent requests cost little."""
        if cycle.more_body and not cycle.waiting_for_100_continue and announced(cycle) <= BODY_BYTES.most:
            self._unstarted = cycle, app
        else:
            self._start(cycle, app)

    def _start(self, cycle: Any, app: Application) -> None:
        self._unstarted = None
        if self._place is None:
            return
        self._limits.on_request()
        source = self._place.source or self._limits.forwarded_source(cycle.scope["headers"])
        if source is None or cycle.more_body:  # What waits for a body keeps nobody else waiting.
            super()._start_asgi_task(cycle, app)
            return
        self._source, queue = source, self._limits.queue

        async def run(scope: Any, receive: Any, send: Any) -> None:
            try:
                await app(scope, receive, send)
            finally:
                queue.end(source)

        queue.start(source, self, partial(super()._start_asgi_task, cycle, run))

    def handle_websocket_upgrade(self) -> None:
        place, rest = self._place, bytes(self._unparsed)
        self._cancel_deadline()
        if self.cycle is not None and not self.cycle.response_complete:
            self.send_400_response("Upgrade before the answer to an earlier request.")
            return
        self._limits.on_request()
        if place is None or not self._limits.become_socket(place):
            self._refuse_place()
            return
        self.flow.resume_transport()
        super().handle_websocket_upgrade()
        protocol = cast("SocketProtocol", self.transport.get_protocol())
        protocol.take_over(partial(self._limits.leave, place), rest)
        self._forget()

    # Time limits.

    def _note_state(self) -> None:
        if self._place is None:
            return
        if self._is_receiving:
            self._limits.move(self._place, ConnectionState.UNFINISHED)
            self._start_deadline()
            return
        self._cancel_deadline()
        if self.cycle is not None and not self.cycle.response_complete:
            self._limits.move(self._place, ConnectionState.ANSWERED)
        elif self.timeout_keep_alive_task is None:
            self._become_idle()

    def _become_idle(self) -> None:
        if self._place is not None:
            self._limits.move(self._place, ConnectionState.IDLE)
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _start_deadline(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_TIME.seconds, self._on_deadline)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _on_deadline(self) -> None:
        self._limits.on_limit(REQUEST_TIME.name)
        self.transport.abort()

    # Writing.

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._watch_reader()
        elif self._is_receiving:  # The rest of a body that nobody wanted.
            self._unset_keepalive_if_required()
        elif self.cycle.response_complete:
            self._become_idle()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reader is not None and not self.transport.is_closing():
            self._reader.stop()
            self._reader = None
        self.flow.resume_reading()

    def send_400_response(self, msg: str) -> None:
        super().send_400_response(msg)
        self._watch_reader()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch_reader()

    def _refuse_place(self) -> None:
        self.transport.write(NO_PLACE)
        self.transport.close()
        self._watch_reader()

    def _watch_reader(self) -> None:
        """Limit the time for which a client does not read what waits for it."""
        if self._reader is None and self.transport.get_write_buffer_size():
            self._reader = SlowReader(self.transport, self._limits)


def announced(cycle: Any) -> int:
    """Return the length that a request says its body has."""
    return next((int(value) for name, value in cycle.scope["headers"] if name == b"content-length"), 0)


def do_nothing() -> None:
    """Do nothing; stands for a callback of a connection that has ended."""
