"""The server's life: from the open socket to the last closed connection."""

import asyncio
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any, cast

import uvicorn

from royalcrypt.server.http.protocols import RequestProtocol, SocketProtocol
from royalcrypt.server.operations.garbage import GarbageCollection
from royalcrypt.server.operations.shutdown import Shutdown
from royalcrypt.server.settings import ServerSettings

Application = Callable[[Any, Any, Any], Any]
GRACE_SECONDS = 1
"""Seconds for requests under way, once the server is to end."""
MAX_MESSAGE_BYTES = 16 * 1024
PING_SECONDS = 20.0
TICK_SECONDS = 1.0
SWITCH_SECONDS = 0.001
"""How long the event loop may keep the interpreter from the thread that commits; Python allows 5 ms."""
EXTRA_FILES = 256
"""Beside the connections: databases, logs, pipes to bots."""


class Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_open: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_open = on_open
        self._leaving: asyncio.Future[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if not self.should_exit:
            self.on_open()

    async def main_loop(self) -> None:
        """Looks at the clock for the date in answers, and ends when it is told to.

        uvicorn looks ten times a second, which was a fifth of what an idle process cost.
        """
        self._leaving = asyncio.get_running_loop().create_future()
        while not await self.on_tick(0):
            await asyncio.wait([self._leaving], timeout=TICK_SECONDS)

    def leave(self) -> None:
        """Called by a signal's handler, whatever is under way."""
        self.should_exit = True
        if self._leaving is not None:
            with suppress(RuntimeError):  # it has left already
                self._leaving.get_loop().call_soon_threadsafe(self._end_wait)

    def _end_wait(self) -> None:
        if self._leaving is not None and not self._leaving.done():
            self._leaving.set_result(None)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """``Shutdown`` hears them."""
        yield


class StartupGuard:
    """An application whose refusal to start is kept for whoever started it, and no traceback in the log."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.failure: BaseException | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            await self.app(scope, receive, send)
            return

        async def answer(message: dict[str, Any]) -> None:
            if message["type"] == "lifespan.startup.failed":
                message = {"type": message["type"]}
            await send(message)

        try:
            await self.app(scope, receive, answer)
        except BaseException as failure:
            self.failure = failure
            raise


def run(
    app: Application,
    settings: ServerSettings,
    listener: socket.socket,
    *,
    ending: Shutdown,
    on_open: Callable[[], None],
) -> None:
    """Serve until a signal comes; raises what the application raised when it could not start."""
    raise_file_limit(settings.max_connections + EXTRA_FILES)
    guarded = StartupGuard(app)
    server = Server(make_config(guarded, settings), on_open)
    ending.ask = server.leave
    if ending.is_asked:
        listener.close()
        return
    GarbageCollection.take_over()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        server.run(sockets=[listener])
    except SystemExit:  # how uvicorn says that the application did not start
        raise cause_of(guarded.failure or RuntimeError()) from None
    finally:
        listener.close()


def make_config(app: Application, settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="auto",  # uvloop, where there is one
        http=RequestProtocol,
        ws=SocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # The length of a compressed frame would tell of what is in it.
        lifespan="on",
        interface="asgi3",
        log_config=None,
        access_log=settings.access_log,
        workers=1,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        limit_concurrency=settings.max_connections,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def cause_of(failure: BaseException) -> BaseException:
    """What a failure comes down to: tasks that wait for others wrap the one that failed."""
    while isinstance(failure, BaseExceptionGroup):
        failure = cast("BaseExceptionGroup[BaseException]", failure).exceptions[0]
    return failure


def raise_file_limit(wanted: int) -> None:
    """As many open files as connections need: most systems allow a program more than it starts with."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 (not on Windows)

    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    if least != resource.RLIM_INFINITY and least < allowed:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
