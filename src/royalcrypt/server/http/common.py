"""Shared dependencies, parameter types and helpers of the REST handlers."""

import hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType, ScopeType
from litestar.exceptions import ClientException
from litestar.params import HeaderParameter, PathParameter
from msgspec import Meta

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.rate_limits import PROGRAM_REQUESTS, REQUESTS, TOKEN_ATTEMPTS
from royalcrypt.server.service import Service
from royalcrypt.server.wire.commands import Invite, unreadable
from royalcrypt.tables.settings import SeatNumber

AnyRequest = Request[Any, Any, Any]
AnyConnection = ASGIConnection[Any, Any, Any, Any]
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
IPV6_PREFIX = 64
PROTOCOL, TOKEN_PROTOCOL = "royalcrypt", "bearer."
"""The WebSocket subprotocol, and the prefix for a token in a browser, which cannot set headers."""
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


def address_of(connection: AnyConnection) -> str:
    """Return the client's IP address; IPv4-mapped IPv6 addresses are unwrapped."""
    found = connection.client.host if connection.client else "unknown"
    mapped = getattr(_read_address(found), "ipv4_mapped", None)
    return str(mapped or found)


def source_of(connection: AnyConnection) -> str:
    """Return the rate-limit key of a client: its IPv4 address, or its IPv6 network of 64 bits."""
    found = address_of(connection)
    if isinstance(_read_address(found), IPv6Address):
        return str(ip_network((found.partition("%")[0], IPV6_PREFIX), strict=False))
    return found


def _read_address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def is_same(secret: str, given: str | None) -> bool:
    """Compare a secret with a given value in constant time."""
    return hmac.compare_digest(secret.encode(), (given or "").encode("utf-8", "surrogatepass"))


async def caller_of(connection: AnyConnection) -> Caller | None:
    """Return the caller; None without a valid cookie. Raises Refusal for banned people and wrong tokens.

    A token takes precedence over a cookie.
    """
    service = service_of(connection)
    token = token_in(connection)
    if token is None:
        caller = await service.identities.identify(connection.cookies.get(service.identities.cookie_name))
    else:
        caller = await service.tokens.identify(token)
        if caller is None or caller.person.id in service.identities.deleting:
            service.limits.take(TOKEN_ATTEMPTS, source_of(connection))
            raise Refusal(Reason.WRONG_TOKEN)
    if caller is not None and caller.is_banned:
        raise Refusal(Reason.BANNED)
    return caller


def token_in(connection: AnyConnection) -> str | None:
    """Return the bearer token from the Authorization header or a socket's subprotocols, if there is one."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    if connection.scope["type"] != ScopeType.WEBSOCKET:
        return None
    offered = connection.scope["subprotocols"]
    tokens = (one.removeprefix(TOKEN_PROTOCOL) for one in offered if one.startswith(TOKEN_PROTOCOL))
    return next(tokens, None)


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
