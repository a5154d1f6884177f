"""The uvicorn server, from the listening socket to the shutdown."""

import asyncio
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from ipaddress import ip_network
from typing import Any, cast

import uvicorn

from royalcrypt.server.http.connection_limits import ConnectionLimits
from royalcrypt.server.http.listener import BACKLOG
from royalcrypt.server.http.protocols import RequestProtocol
from royalcrypt.server.limits import ACCEPTED, MESSAGE_BYTES
from royalcrypt.server.operations.garbage import GarbageCollection
from royalcrypt.server.operations.shutdown import Shutdown
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.protocol import SocketProtocol

Application = Callable[[Any, Any, Any], Any]
GRACE_SECONDS = 1
"""Seconds for which a shutdown waits for running requests."""
PING_SECONDS = 20.0
TICK_SECONDS = 1.0
SWITCH_SECONDS = 0.001
"""The interpreter's thread switch interval; below Python's 5 ms, so that the writer thread waits less."""
EXTRA_FILES = 256
"""File descriptors needed besides those of connections: databases, logs, pipes to bots."""


class GameServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_open: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_open = on_open
        self._stopped: asyncio.Future[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        for each in sockets or ():
            each.listen(BACKLOG)  # asyncio accepts as many at a time as it was told to let wait.
        if not self.should_exit:
            self.on_open()

    async def main_loop(self) -> None:
        """Run until stopped, and update the Date header once a second.

        uvicorn updates it ten times a second, which took a fifth of an idle process's CPU time.
        """
        self._stopped = asyncio.get_running_loop().create_future()
        while not await self.on_tick(0):
            await asyncio.wait([self._stopped], timeout=TICK_SECONDS)

    def stop(self) -> None:
        """Request the server's stop; called by the signal handler."""
        self.should_exit = True
        if self._stopped is not None:
            with suppress(RuntimeError):  # The loop is already closed.
                self._stopped.get_loop().call_soon_threadsafe(self._end_wait)

    def _end_wait(self) -> None:
        if self._stopped is not None and not self._stopped.done():
            self._stopped.set_result(None)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Install no handlers, because ``Shutdown`` handles signals."""
        yield


class StartupGuard:
    """Stores the exception of a failed start for the caller, without a traceback in the log."""

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
    connections: ConnectionLimits,
    shutdown: Shutdown,
    on_open: Callable[[], None],
) -> None:
    """Serve until a signal arrives; raises the exception of a failed start."""
    files = raise_file_limit(settings.max_connections + EXTRA_FILES)
    connections.most = min(settings.max_connections, max(1, files - EXTRA_FILES))
    guarded = StartupGuard(app)
    server = GameServer(make_config(guarded, settings, connections), on_open)
    shutdown.stop = server.stop
    if shutdown.is_requested:
        listener.close()
        return
    GarbageCollection.disable_automatic()
    sys.setswitchinterval(SWITCH_SECONDS)
    try:
        server.run(sockets=[listener])
    except SystemExit:  # uvicorn exits if the application fails to start.
        raise cause_of(guarded.failure or RuntimeError()) from None
    finally:
        listener.close()


def make_config(app: Application, settings: ServerSettings, connections: ConnectionLimits) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="auto",  # uvloop if it is installed
        http=cast("Any", partial(RequestProtocol, limits=connections)),
        ws=cast("Any", partial(SocketProtocol, limits=connections)),
        ws_max_size=MESSAGE_BYTES.most,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        ws_per_message_deflate=False,  # The length of a compressed frame would reveal hidden cards.
        lifespan="on",
        backlog=ACCEPTED.most,
        interface="asgi3",
        log_config=None,
        access_log=settings.access_log,
        workers=1,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=[form for each in settings.trusted_proxies for form in forms_of(each)],
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def forms_of(proxy: str) -> Iterator[str]:
    """Yield the forms in which a proxy's address or network appears: IPv4 also inside IPv6."""
    yield proxy
    network = ip_network(proxy, strict=False)
    if network.version == 4:
        yield f"::ffff:{network.network_address}" + (f"/{network.prefixlen + 96}" if "/" in proxy else "")


def cause_of(failure: BaseException) -> BaseException:
    """Return the first exception in nested exception groups."""
    while isinstance(failure, BaseExceptionGroup):
        failure = cast("BaseExceptionGroup[BaseException]", failure).exceptions[0]
    return failure


def raise_file_limit(wanted: int) -> int:
    """Raise the limit of open files to ``wanted``, or as far as the system allows; returns the limit."""
    if sys.platform == "win32":
        return wanted
    import resource  # noqa: PLC0415 (not on Windows)

    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if least == resource.RLIM_INFINITY or least >= wanted:
        return wanted
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    except (OSError, ValueError):
        return least
    return allowed
