"""REST requests to a server."""

import json
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from royalcrypt.notation.reasons import Reason, Refusal

TIMEOUT = 20.0
"""Seconds."""
Json = dict[str, Any]


class RequestRejected(Exception):  # noqa: N818
    """The server's refusal: a code for programs, and a text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class ServerClient(NamedTuple):
    """The server's address and our token."""

    url: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def socket_url(self) -> str:
        return f"{self.url.replace('http', 'ws', 1)}/socket"

    def ask(self, method: str, path: str, body: Json | None = None, *, invite: str = "") -> Any:
        """The JSON answer. Raises RequestRejected with the server's reason, or Refusal without an answer."""
        headers = self.headers | ({"X-Table-Invite": invite} if invite else {})
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        asked = Request(f"{self.url}/api{path}", data, headers, method=method)  # noqa: S310 (checked: http only)
        try:
            with urlopen(asked, timeout=TIMEOUT) as answer:  # noqa: S310
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            raise rejection(error) from None
        except (OSError, HTTPException, ValueError) as error:
            why = str(error.reason if isinstance(error, URLError) else error)
            raise Refusal(Reason.NO_ANSWER, url=self.url, why=why) from None


def rejection(error: HTTPError) -> RequestRejected:
    """A proxy may answer instead of the server, without a code."""
    try:
        found = json.loads(error.read())
        return RequestRejected(found["code"], found["text"])
    except (ValueError, LookupError, TypeError):
        return RequestRejected("", f"{error.code} {error.reason}")


def server_at(text: str, token: str) -> ServerClient:
    """Accepts the address of a server, or a link into its page."""
    url = text.partition("#")[0].rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Refusal(Reason.NOT_A_SERVER, url=text)
    return ServerClient(url, token)
