"""The application: REST, the socket and pages, on one running service."""

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

from litestar import Controller, Litestar, WebSocket, websocket
from litestar.connection.base import empty_receive, empty_send
from litestar.di import Provide
from litestar.exceptions import HTTPException

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.answers import (
    STATUS,
    UNAVAILABLE,
    answer_bad_request,
    answer_failure,
    answer_refusal,
    note_failure,
)
from royalcrypt.server.assembly import running
from royalcrypt.server.connections import Close, Connection
from royalcrypt.server.files import page
from royalcrypt.server.house import wall_clock
from royalcrypt.server.identities import Known
from royalcrypt.server.limits import HANDSHAKES, MOST_PROGRAM_SOCKETS
from royalcrypt.server.protocols import writer_of
from royalcrypt.server.rest.analyses import AnalysesController
from royalcrypt.server.rest.common import (
    PROTOCOL,
    StrictRequest,
    known_of,
    provide_known,
    provide_service,
    service_of,
    source_of,
)
from royalcrypt.server.rest.daily import DailyController
from royalcrypt.server.rest.duplicates import DuplicatesController
from royalcrypt.server.rest.history import HistoryController
from royalcrypt.server.rest.host import HostController
from royalcrypt.server.rest.keeping import KeepingController
from royalcrypt.server.rest.mail import AddressController, MailController
from royalcrypt.server.rest.people import PeopleController
from royalcrypt.server.rest.programs import ProgramsController
from royalcrypt.server.rest.replays import ReplaysController
from royalcrypt.server.rest.state import StateController
from royalcrypt.server.rest.tables import TablesController
from royalcrypt.server.security import Doorkeeper
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets import Conversation
from royalcrypt.server.telling import refused
from royalcrypt.server.version import VERSION
from royalcrypt.server.wire.commands import LONGEST_MESSAGE
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
    """Opens and closes its storage with its lifespan; the service is ``app.state.service``."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        async with running(settings, clock=clock) as service:
            app.state.service = service
            yield

    app = Litestar(
        route_handlers=[
            *CONTROLLERS,
            talk,
            page,
        ],
        dependencies={
            "service": Provide(provide_service),
            "known": Provide(provide_known),
        },
        exception_handlers={
            Refusal: answer_refusal,
            HTTPException: answer_bad_request,
            Exception: answer_failure,
        },
        after_exception=[note_failure],
        lifespan=[lifespan],
        openapi_config=None,
        request_class=StrictRequest,
        request_max_body_size=LONGEST_MESSAGE,
        logging_config=None,
        debug=False,
    )
    # Outside of everything: also what the framework itself refuses is answered with all headers.
    app.asgi_handler = Doorkeeper(app.asgi_handler, settings.public_url, is_secure=settings.is_secure)
    return app


@websocket("/socket", include_in_schema=False)
async def talk(socket: WebSocket[Any, Any, Any]) -> None:
    """One connection, from the greeting to the end."""
    try:
        await converse(socket)
    finally:
        socket.receive, socket.send = empty_receive, empty_send  # each holds the socket, which held them


async def converse(socket: WebSocket[Any, Any, Any]) -> None:
    service = service_of(socket)
    try:
        known = await admitted(socket)
    except Refusal as refusal:
        await socket.accept(protocol_of(socket))
        await socket.send_data(refused(refusal, re=None).decode())
        is_later = STATUS.get(refusal.reason) == UNAVAILABLE or refusal.reason in FULL
        await socket.close(code=Close.TRY_AGAIN if is_later else Close.POLICY)
        return
    await socket.accept(protocol_of(socket))
    connection = Connection(
        socket.send,
        writer_of(socket.scope),
        person=known.person.id,
        name=known.person.name,
        device=known.device,
        keeper=None if known.keeper is None else known.keeper.id,
        address=source_of(socket),
    )
    service.hub.add(connection)
    try:
        if not await is_still_welcome(socket):
            connection.close(Close.POLICY)
            await connection.settled()
        connection.push(
            encode_message(
                Welcome(
                    person=known.person.id,
                    name=known.person.name,
                    now=service.house.now(),
                    version=VERSION,
                    notice=service.house_rules.notice or None,
                )
            )
        )
        conversation = Conversation(service, connection)
        while connection.code is None and (message := await socket.receive())["type"] == "websocket.receive":
            if connection.code is None:  # who is to go is not heard any more
                await conversation.hear(message.get("text") or message.get("bytes") or "")
            await connection.settled()
    finally:
        service.hub.remove(connection)


async def admitted(socket: WebSocket[Any, Any, Any]) -> Known:
    """Who wants to talk; refused without a good cookie or token, and when there are too many."""
    service = service_of(socket)
    source = source_of(socket)
    service.limits.take(HANDSHAKES, source)
    settings, hub = service.settings, service.hub
    if len(hub.connections) >= settings.max_connections:
        raise Refusal(Reason.TOO_MANY, most=settings.max_connections)
    if hub.addresses[source] >= settings.max_connections_per_address:
        raise Refusal(Reason.TOO_MANY, most=settings.max_connections_per_address)
    known = await known_of(socket)
    if known is None:
        raise Refusal(Reason.NOT_SIGNED_IN)
    if known.keeper is not None and len(hub.of_person.get(known.person.id, ())) >= MOST_PROGRAM_SOCKETS:
        raise Refusal(Reason.TOO_MANY, most=MOST_PROGRAM_SOCKETS)
    return known


def protocol_of(socket: WebSocket[Any, Any, Any]) -> str | None:
    """Those who offer to speak it expect to hear that it is spoken."""
    return PROTOCOL if PROTOCOL in socket.scope["subprotocols"] else None


async def is_still_welcome(socket: WebSocket[Any, Any, Any]) -> bool:
    """Whether nobody has sent them away, or signed the device out, while they were coming in."""
    try:
        return await known_of(socket) is not None
    except Refusal:
        return False
