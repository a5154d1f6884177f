"""The limit of all requests of an address, checked before anything else is done for a request."""

from collections.abc import Callable

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from royalcrypt.live.wire.messages import encode_message, reason_of
from royalcrypt.notation.reasons import Refusal
from royalcrypt.server.http.callers import source_in
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import ADDRESS_REQUESTS

TOO_MANY_REQUESTS = 429


class RequestRateMiddleware:
    """ASGI middleware that refuses requests beyond the rate, and closes their connections."""

    def __init__(self, app: ASGIApp, limits: Callable[[], Limiter]) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            client = scope["client"]
            try:
                self._limits().take(ADDRESS_REQUESTS, source_in(client[0] if client else "unknown"))
            except Refusal as refusal:
                await self._refuse(send, refusal)
                return
        await self._app(scope, receive, send)

    async def _refuse(self, send: Send, refusal: Refusal) -> None:
        body = encode_message(reason_of(refusal))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"retry-after", str(refusal.details["seconds"]).encode()),
            (b"connection", b"close"),  # The next request costs its sender a new connection.
        ]
        await send({"type": "http.response.start", "status": TOO_MANY_REQUESTS, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})
