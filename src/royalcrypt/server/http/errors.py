"""HTTP error responses: a reason with a code, details and a text."""

from typing import Any

import structlog
from litestar import MediaType, Response
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, ValidationException, WebSocketException
from litestar.types import Scope
from uvicorn.protocols.utils import ClientDisconnected

from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH, WHOLE, Fault
from royalcrypt.live.wire.messages import Reason as WireReason
from royalcrypt.live.wire.messages import reason_of
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.http.common import UNSUPPORTED, AnyRequest
from royalcrypt.server.http.statuses import CONFLICT, FAILED, STATUS, TOO_LARGE, UNAVAILABLE, WRONG_METHOD

RETRY_SECONDS = 2
DISCONNECTED = "client disconnected prematurely"
"""The framework's words for a client that left in the middle of a body, which is no error of the server."""
log = structlog.get_logger()


def answer_refusal(_: AnyRequest, refusal: Refusal) -> Response[WireReason]:
    status = STATUS.get(refusal.reason, CONFLICT)
    headers: dict[str, str] = {}
    if status in (429, UNAVAILABLE):
        headers["Retry-After"] = str(refusal.details.get("seconds", RETRY_SECONDS))
    if status == 401:
        headers["WWW-Authenticate"] = "Cookie" if refusal.reason is Reason.NOT_SIGNED_IN else "Bearer"
    return Response(reason_of(refusal), status_code=status, headers=headers, media_type=MediaType.JSON)


def answer_bad_request(request: AnyRequest, error: HTTPException) -> Response[WireReason]:
    """Respond to errors of the framework, such as unreadable bodies, unknown paths or wrong methods."""
    if error.status_code >= FAILED:
        return answer_failure(request, error)
    if error.status_code == 404:
        refusal = Refusal(Reason.NO_SUCH_PAGE)
    elif error.status_code == TOO_LARGE:
        refusal = Refusal(Reason.MESSAGE_TOO_LONG, most=longest_body(request))
    else:
        refusal = Refusal(Reason.NOT_A_MESSAGE, **fault_in(error))
    return Response(
        reason_of(refusal), status_code=error.status_code, headers=error.headers, media_type=MediaType.JSON
    )


def longest_body(request: AnyRequest) -> int:
    return request.route_handler.resolve_request_max_body_size() or MAX_MESSAGE_LENGTH


def fault_in(error: HTTPException) -> dict[str, str]:
    """Return details of a validation error: its first wrong field, if there is one."""
    if error.status_code == WRONG_METHOD:
        return {"why": Fault.METHOD}
    if error.status_code == UNSUPPORTED:
        return {"why": Fault.NOT_JSON}
    faults: list[Any] = error.extra if isinstance(error.extra, list) else []
    if not isinstance(error, ValidationException) or not faults:
        return {"why": Fault.WRONG, "field": WHOLE}
    field: str = faults[0].get("key", WHOLE)
    is_missing = faults[0].get("message") == repr(field)  # The framework gives no other sign.
    return {"why": Fault.MISSING if is_missing else Fault.WRONG, "field": field}


def answer_failure(request: AnyRequest, error: Exception) -> Response[WireReason]:
    """Respond to an unexpected error; its details go to the log, not to the client."""
    if not (isinstance(error, HTTPException) and error.detail == DISCONNECTED):
        log.error("request failed", path=request.scope["path"], exc_info=error)
    return Response(reason_of(Refusal(Reason.SERVER_FAILED)), status_code=FAILED, media_type=MediaType.JSON)


async def log_failure(error: Exception, scope: Scope) -> None:
    """Log an error of a socket, which has no error response; clients that leave at any time are no errors."""
    is_of_client = isinstance(error, WebSocketException | ClientDisconnected) or (
        isinstance(error, HTTPException) and error.status_code < FAILED  # For example an invalid Host header.
    )
    if scope["type"] == ScopeType.WEBSOCKET and not is_of_client:
        log.error("socket failed", path=scope["path"], exc_info=error)
