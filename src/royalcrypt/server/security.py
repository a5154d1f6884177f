"""What every answer says to the browser, and which requests are not carried out at all."""

from urllib.parse import urlsplit

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.wire.messages import encode_message, reason_of

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
FOREIGN_STATUS = 403


def is_foreign(headers: dict[bytes, bytes], public_url: str | None) -> bool:
    """Whether a browser says that another site is asking; they always say so for what changes something."""
    site = headers.get(b"sec-fetch-site", b"").decode("latin-1")
    if site in ("cross-site", "same-site"):
        return True
    origin = headers.get(b"origin", b"").decode("latin-1")
    if not origin:
        return False
    own = {headers.get(b"host", b"").decode("latin-1").lower()}
    if public_url is not None:
        own.add(urlsplit(public_url).netloc.lower())
    found = urlsplit(origin)
    return found.scheme not in ("http", "https") or found.netloc.lower() not in own


class Doorkeeper(ASGIMiddleware):
    """Stops requests that another site makes in a visitor's name, and adds headers to what is answered."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    def __init__(self, public_url: str | None, *, is_secure: bool) -> None:
        self._public_url = public_url
        self._headers = HEADERS | ({"Strict-Transport-Security": "max-age=31536000"} if is_secure else {})

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        headers = dict(scope["headers"])
        is_http = scope["type"] == ScopeType.HTTP
        if (not is_http or scope["method"] not in SAFE_METHODS) and is_foreign(headers, self._public_url):
            await self._turn_away(send, is_http=is_http)
            return
        await next_app(scope, receive, self._with_headers(scope, send) if is_http else send)

    async def _turn_away(self, send: Send, *, is_http: bool) -> None:
        if not is_http:
            await send({"type": "websocket.close", "code": 1008, "reason": ""})
            return
        body = encode_message(reason_of(Refusal(Reason.FOREIGN_ORIGIN)))
        said = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        said += [(name.lower().encode(), value.encode()) for name, value in self._headers.items()]
        await send({"type": "http.response.start", "status": FOREIGN_STATUS, "headers": said})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableScopeHeaders.from_message(message)
                for name, value in self._headers.items():
                    headers[name] = value
                if scope["path"].startswith("/api"):
                    headers["Cache-Control"] = "no-store"
            await send(message)

        return send_with_headers
