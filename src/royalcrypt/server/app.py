"""The ASGI application: REST routes, the WebSocket endpoint and static files on top of one ``Service``."""

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

from litestar import Controller, Litestar, WebSocket, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import Provide
from litestar.exceptions import HTTPException

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.analyses import AnalysesController
from royalcrypt.server.http.common import (
    PROTOCOL,
    StrictRequest,
    caller_of,
    provide_caller,
    provide_service,
    service_of,
    source_of,
)
from royalcrypt.server.http.daily import DailyController
from royalcrypt.server.http.duplicates import DuplicatesController
from royalcrypt.server.http.errors import (
    STATUS,
    UNAVAILABLE,
    answer_bad_request,
    answer_failure,
    answer_refusal,
    log_failure,
)
from royalcrypt.server.http.health import StateController
from royalcrypt.server.http.history import HistoryController
from royalcrypt.server.http.host import HostController
from royalcrypt.server.http.mail import AddressController, MailController
from royalcrypt.server.http.memos import KeepingController
from royalcrypt.server.http.people import PeopleController
from royalcrypt.server.http.programs import ProgramsController
from royalcrypt.server.http.protocols import writer_of
from royalcrypt.server.http.rate_limits import HANDSHAKES, MAX_PROGRAM_SOCKETS
from royalcrypt.server.http.replays import ReplaysController
from royalcrypt.server.http.security import SecurityMiddleware
from royalcrypt.server.http.static_files import page
from royalcrypt.server.http.tables import TablesController
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.connection import Close, Connection
from royalcrypt.server.sockets.session import SocketSession
from royalcrypt.server.sockets.updates import refused
from royalcrypt.server.startup import running_service
from royalcrypt.server.tables.registry import wall_clock
from royalcrypt.server.version import VERSION
from royalcrypt.server.wire.commands import MAX_MESSAGE_LENGTH
from royalcrypt.server.wire.messages import Welcome, encode_message

FULL = (Reason.TOO_FAST, Reason.TOO_MANY)
CONTROLLERS: tuple[type[Controller], ...] = (
    PeopleController,
    HistoryController,
    ProgramsController,
    AddressController,
    MailController,
    TablesController,
    ReplaysController,
    AnalysesController,
    DailyController,
    DuplicatesController,
    KeepingController,
    HostController,
    StateController,
)


def make_app(settings: ServerSettings, *, clock: Callable[[], int] = wall_clock) -> Litestar:
    """Build the application; its lifespan opens and closes the service in ``app.state.service``."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        async with running_service(settings, clock=clock) as service:
            app.state.service = service
            yield

    app = Litestar(
        route_handlers=[
            *CONTROLLERS,
            socket_route,
            page,
        ],
        dependencies={
            "service": Provide(provide_service),
            "caller": Provide(provide_caller),
        },
        exception_handlers={
            Refusal: answer_refusal,
            HTTPException: answer_bad_request,
            Exception: answer_failure,
        },
        after_exception=[log_failure],
        lifespan=[lifespan],
        openapi_config=None,
        request_class=StrictRequest,
        request_max_body_size=MAX_MESSAGE_LENGTH,
        logging_config=None,
        debug=False,
    )
    # Wraps the whole application, so that the framework's own errors get the headers, too.
    app.asgi_handler = SecurityMiddleware(app.asgi_handler, settings.public_url, is_secure=settings.is_secure)
    return app


@websocket("/socket", include_in_schema=False)
async def socket_route(socket: WebSocket[Any, Any, Any]) -> None:
    """Serve one WebSocket connection from the handshake to its end."""
    try:
        await serve_socket(socket)
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # breaks reference cycles


async def serve_socket(socket: WebSocket[Any, Any, Any]) -> None:
    service = service_of(socket)
    try:
        caller = await admit_socket(socket)
    except Refusal as refusal:
        await socket.accept(protocol_of(socket))
        await socket.send_data(refused(refusal, re=None).decode())
        await socket.close(code=code_for(refusal))
        return
    await socket.accept(protocol_of(socket))
    connection = Connection(
        socket.send,
        writer_of(socket.scope),
        person=caller.person.id,
        name=caller.person.name,
        device=caller.device,
        keeper=None if caller.keeper is None else caller.keeper.id,
        address=source_of(socket),
    )
    service.hub.add(connection)
    try:
        code = await recheck_caller(socket)
        if code is not None:
            connection.close(code)
            await connection.drained()
        connection.push(
            encode_message(
                Welcome(
                    person=caller.person.id,
                    name=caller.person.name,
                    now=service.tables.now(),
                    version=VERSION,
                    notice=service.host_rules.notice or None,
                )
            )
        )
        session = SocketSession(service, connection)
        while connection.code is None and (message := await socket.receive())["type"] == "websocket.receive":
            if connection.code is None:  # messages after the close are ignored
                await session.handle(message.get("text") or message.get("bytes") or "")
            await connection.drained()
    finally:
        service.hub.remove(connection)


async def admit_socket(socket: WebSocket[Any, Any, Any]) -> Caller:
    """Authenticate a new socket; raises Refusal without valid credentials or beyond connection limits."""
    service = service_of(socket)
    source = source_of(socket)
    service.limits.take(HANDSHAKES, source)
    settings, hub = service.settings, service.hub
    if len(hub.connections) >= settings.max_connections:
        raise Refusal(Reason.TOO_MANY, most=settings.max_connections)
    if hub.addresses[source] >= settings.max_connections_per_address:
        raise Refusal(Reason.TOO_MANY, most=settings.max_connections_per_address)
    caller = await caller_of(socket)
    if caller is None:
        raise Refusal(Reason.NOT_SIGNED_IN)
    if caller.keeper is not None and len(hub.of_person.get(caller.person.id, ())) >= MAX_PROGRAM_SOCKETS:
        raise Refusal(Reason.TOO_MANY, most=MAX_PROGRAM_SOCKETS)
    return caller


def protocol_of(socket: WebSocket[Any, Any, Any]) -> str | None:
    """Return the WebSocket subprotocol to confirm; None if the client offered none."""
    return PROTOCOL if PROTOCOL in socket.scope["subprotocols"] else None


async def recheck_caller(socket: WebSocket[Any, Any, Any]) -> Close | None:
    """Return the close code if the caller was banned or signed out during the handshake, else None."""
    try:
        return Close.POLICY if await caller_of(socket) is None else None
    except Refusal as refusal:
        return code_for(refusal)


def code_for(refusal: Refusal) -> Close:
    """Return the close code for a refused socket; clients decide by it whether to retry."""
    is_later = STATUS.get(refusal.reason) == UNAVAILABLE or refusal.reason in FULL
    return Close.TRY_AGAIN if is_later else Close.POLICY
