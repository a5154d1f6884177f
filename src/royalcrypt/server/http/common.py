"""Shared parameter types and helpers of the REST handlers."""

from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException, InternalServerException
from litestar.params import HeaderParameter, PathParameter
from msgspec import Meta

from royalcrypt.live.wire.commands import Fault, Invite, unreadable
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import WATCH
from royalcrypt.tables.settings import SeatNumber

AnyRequest = Request[Any, Any, Any]
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


@cache
def decoder_of(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder of bodies of a type.

    msgspec takes 45 µs for a number such as 1.5e300, so that an uploaded record full of them would block the
    event loop for seconds; Python's float takes less than one.
    """
    return msgspec.json.Decoder(kind, float_hook=float)


class StrictRequest(Request[Any, Any, Any]):
    """A request that accepts only JSON bodies (HTML forms cannot send these) and converts no types."""

    async def body(self) -> bytes:
        """Return the whole body; raises Refusal if the client leaves before it is complete."""
        try:
            return await super().body()
        except InternalServerException:  # The framework has no error of its own for this.
            raise Refusal(Reason.NOT_A_MESSAGE, why=Fault.NOT_JSON) from None

    async def json(self) -> Any:
        if self.content_type[0] != RequestEncodingType.JSON:
            raise ClientException(f"{RequestEncodingType.JSON.value} is expected", status_code=UNSUPPORTED)
        wanted: Any = self.route_handler.parsed_data_field
        try:
            return decoder_of(wanted.annotation).decode(await self.body())
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise unreadable(error) from None


def is_for_programs(method: str, path: str) -> bool:
    """Whether this route is open to programs (token callers)."""
    if path.rstrip("/") == "/api/me":
        return method != "DELETE"  # Only its keeper may delete a program.
    return path.startswith(FOR_PROGRAMS)


def limit_invites(limits: Limiter, caller: Caller, invite: str | None) -> None:
    """Rate-limit requests with an invitation, which could be guessed otherwise."""
    if invite is not None:
        limits.take(WATCH, caller.person.id)


def download(content: bytes, name: str) -> Response[bytes]:
    return Response(content, headers={"Content-Disposition": f'attachment; filename="{name}"'})
