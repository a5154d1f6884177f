"""Shared dependencies, parameter types and helpers of the REST handlers."""

from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException
from litestar.params import HeaderParameter, PathParameter
from msgspec import Meta

from royalcrypt.live.wire.commands import Invite, unreadable
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.callers import AnyConnection
from royalcrypt.server.http.rate_limits import PROGRAM_REQUESTS, REQUESTS
from royalcrypt.server.service import Service
from royalcrypt.tables.settings import SeatNumber

AnyRequest = Request[Any, Any, Any]
GivenService = NamedDependency[Service]
GivenCaller = NamedDependency[Caller]
"""Parameter type for the signed-in caller; requests without a valid cookie or token are refused."""

ID = r"^[A-Za-z0-9_-]{6,32}$(?!\n)"
# Stated twice: for msgspec, which describes parameters, and for the framework, which validates them.
TableInPath = Annotated[str, Meta(pattern=ID), PathParameter(pattern=ID)]
PersonInPath = Annotated[str, Meta(pattern=ID), PathParameter(pattern=ID)]
ProgramInPath = Annotated[str, Meta(pattern=ID), PathParameter(pattern=ID)]
SeatInPath = Annotated[SeatNumber, PathParameter(ge=0, le=3)]
InviteHeader = Annotated[
    Invite | None, HeaderParameter(name="X-Table-Invite", required=False, min_length=1, max_length=64)
]
UNSUPPORTED = 415
FOR_PROGRAMS = ("/api/tables", "/api/me/games", "/api/me/records")


class StrictRequest(Request[Any, Any, Any]):
    """A request that accepts only JSON bodies (HTML forms cannot send these) and converts no types."""

    async def json(self) -> Any:
        if self.content_type[0] != RequestEncodingType.JSON:
            raise ClientException(f"{RequestEncodingType.JSON.value} is expected", status_code=UNSUPPORTED)
        wanted: Any = self.route_handler.parsed_data_field
        try:
            return msgspec.json.decode(await self.body(), type=wanted.annotation)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise unreadable(error) from None


def service_of(connection: AnyConnection) -> Service:
    return connection.app.state.service


async def caller_of(connection: AnyConnection) -> Caller | None:
    return await service_of(connection).callers.of(connection)


def is_for_programs(method: str, path: str) -> bool:
    """Whether this route is open to programs (token callers)."""
    if path.rstrip("/") == "/api/me":
        return method != "DELETE"  # Only its keeper may delete a program.
    return path.startswith(FOR_PROGRAMS)


def require_person(caller: Caller) -> None:
    if caller.keeper is not None:
        raise Refusal(Reason.NOT_FOR_PROGRAMS)


async def provide_service(request: AnyRequest) -> Service:
    return service_of(request)


async def provide_caller(request: AnyRequest, service: GivenService) -> Caller:
    """Return the caller; the parameter ``service`` makes Litestar resolve both in sequence, not in tasks."""
    caller = await caller_of(request)
    if caller is None:
        raise Refusal(Reason.NOT_SIGNED_IN)
    if not is_for_programs(request.method, request.scope["path"]):
        require_person(caller)
    if request.method not in ("GET", "HEAD"):
        if caller.keeper is None:
            service.limits.take(REQUESTS, caller.person.id)
        else:
            service.limits.take(PROGRAM_REQUESTS, caller.keeper.id)
    return caller


def download(content: bytes, name: str) -> Response[bytes]:
    return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})
