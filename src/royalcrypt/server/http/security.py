"""Security headers for every response, and rejection of cross-site requests."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send, WebSocketScope

from royalcrypt.live.connection import Close
from royalcrypt.live.wire.messages import encode_message, reason_of
from royalcrypt.notation.reasons import Reason, Refusal

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PORTS = {"http": 80, "https": 443}
MAX_PATH_BYTES = 250
"""Longest accepted request path in bytes; no path of this server is longer."""
FORBIDDEN, NOT_FOUND, METHOD_NOT_ALLOWED, NO_CONTENT = 403, 404, 405, 204
UNKNOWN_METHOD: Any = "UNHEARD-OF"
"""A placeholder HTTP method that no route handles."""


class Origin(NamedTuple):
    scheme: str
    host: str
    port: int


def origin_of(text: str) -> Origin | None:
    """Return a URL's origin with an explicit port; None if the text is not an http(s) URL."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname:
        return None
    return Origin(parts.scheme, parts.hostname, port or PORTS[parts.scheme])


def is_cross_site(headers: Mapping[bytes, bytes], public_url: str | None) -> bool:
    """Whether the Origin or Sec-Fetch headers, which browsers set, name another site as the source."""
    site = headers.get(b"sec-fetch-site", b"").decode("latin-1")
    if site in ("cross-site", "same-site"):
        return True
    origin = headers.get(b"origin", b"").decode("latin-1")
    if not origin:
        return False
    found = origin_of(origin)
    return found is None or not is_own(found, headers.get(b"host", b"").decode("latin-1"), public_url)


def is_own(found: Origin, host: str, public_url: str | None) -> bool:
    """Whether an origin equals the request's host or the public URL."""
    public = origin_of(public_url) if public_url else None
    if found == public:
        return True
    if public and public.scheme == "https" and (found.scheme, found.host) == ("http", public.host):
        return False  # A plain HTTP page could be forged in transit.
    return found == origin_of(f"{found.scheme}://{host}")


def is_impossible_path(path: str) -> bool:
    """Whether the path is too long or malformed for any file or route."""
    return "\0" in path or len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES


class SecurityMiddleware:
    """ASGI middleware that rejects cross-site requests and adds security headers to every response."""

    def __init__(self, app: ASGIApp, public_url: str | None, *, is_secure: bool) -> None:
        self._app = app
        self._public_url = public_url
        self._headers = HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if is_secure else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            await self._answer(scope, receive, self._with_headers(scope, send))
        elif self._is_cross_site(scope):
            await send({"type": "websocket.close", "code": Close.POLICY, "reason": ""})
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        if scope["method"] not in SAFE_METHODS and self._is_cross_site(scope):
            await reject(send, FORBIDDEN, Reason.FOREIGN_ORIGIN)
        elif is_impossible_path(scope["path"]):
            await reject(send, NOT_FOUND, Reason.NO_SUCH_PAGE)
        elif scope["method"] == "OPTIONS":  # The framework's 405 response lists all methods.
            await self._app({**scope, "method": UNKNOWN_METHOD}, receive, options_answer(send))
        elif scope["method"] == "HEAD":  # uvicorn omits the body.
            await self._app({**scope, "method": "GET"}, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_cross_site(self, scope: HTTPScope | WebSocketScope) -> bool:
        return is_cross_site(dict(scope["headers"]), self._public_url)

    def _with_headers(self, scope: HTTPScope, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in self._headers.items():
                    headers[name] = value
                if scope["path"].startswith("/api"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        return send_with_headers


async def reject(send: Send, status: int, reason: Reason) -> None:
    body = encode_message(reason_of(Refusal(reason)))
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def options_answer(send: Send) -> Send:
    """Wrap ``send`` to turn the framework's 405 response, which lists all methods, into one to OPTIONS."""
    is_rewritten = False

    async def send_allowed(message: Message) -> None:
        nonlocal is_rewritten
        if message["type"] == "http.response.start" and message["status"] == METHOD_NOT_ALLOWED:
            is_rewritten = True
            allowed = [header for header in message["headers"] if header[0].lower() == b"allow"]
            message = {**message, "status": NO_CONTENT, "headers": allowed}
        elif message["type"] == "http.response.body" and is_rewritten:
            message = {**message, "body": b""}
        await send(message)

    return send_allowed
