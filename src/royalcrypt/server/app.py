"""The ASGI application: REST routes, the WebSocket endpoint and static files on top of one ``Service``."""

import contextlib
from collections.abc import AsyncGenerator, Callable

from litestar import Controller, Litestar
from litestar.di import Provide
from litestar.exceptions import HTTPException

from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH
from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.http.analyses import AnalysesController
from royalcrypt.server.http.common import StrictRequest
from royalcrypt.server.http.connection_limits import ConnectionLimits
from royalcrypt.server.http.daily import DailyController
from royalcrypt.server.http.dependencies import provided
from royalcrypt.server.http.duplicates import DuplicatesController
from royalcrypt.server.http.errors import answer_bad_request, answer_failure, answer_refusal, log_failure
from royalcrypt.server.http.health import StateController
from royalcrypt.server.http.history import HistoryController
from royalcrypt.server.http.host import HostController
from royalcrypt.server.http.mail import AddressController, MailController
from royalcrypt.server.http.memos import KeepingController
from royalcrypt.server.http.people import PeopleController
from royalcrypt.server.http.programs import ProgramsController
from royalcrypt.server.http.replays import ReplaysController
from royalcrypt.server.http.request_rate import RequestRateMiddleware
from royalcrypt.server.http.security import SecurityMiddleware
from royalcrypt.server.http.static_files import page
from royalcrypt.server.http.tables import TablesController
from royalcrypt.server.settings import ServerSettings
from royalcrypt.server.sockets.endpoint import provide_sockets, socket_route
from royalcrypt.server.startup import running_service

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


def make_app(settings: ServerSettings, *, clock: Callable[[], int] | None = None) -> Litestar:
    """Build the application; its lifespan opens and closes the service in ``app.state.service``."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        async with running_service(settings, clock=clock) as service:
            app.state.service = service
            app.state.connections.on_limit = service.metrics.count_limit
            app.state.connections.on_request = service.garbage.count_request
            yield

    app = Litestar(
        route_handlers=[
            *CONTROLLERS,
            socket_route,
            page,
        ],
        dependencies=provided() | {"sockets": Provide(provide_sockets, sync_to_thread=False)},
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
    app.state.connections = ConnectionLimits(settings)
    # Wraps the whole application, so that the framework's own errors get the headers, too.
    limited = RequestRateMiddleware(app.asgi_handler, lambda: app.state.service.limits)
    app.asgi_handler = SecurityMiddleware(limited, settings.public_url, is_secure=settings.is_secure)
    return app
