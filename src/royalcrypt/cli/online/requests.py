"""What is asked of a server over REST."""

import json
from http.client import HTTPException
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from royalcrypt.notation.reasons import Reason, Refusal

PATIENCE = 20.0
Json = dict[str, Any]


class Refused(Exception):  # noqa: N818 (the server said no, and why)
    """With a code for programs, and words for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Server(NamedTuple):
    """Where it is, and who we are there."""

    url: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def socket_url(self) -> str:
        return f"{self.url.replace('http', 'ws', 1)}/socket"

    def ask(self, method: str, path: str, body: Json | None = None, *, invite: str = "") -> Any:
        """The answer; Refused with the server's reason, or a Refusal if nobody answers."""
        headers = self.headers | ({"X-Table-Invite": invite} if invite else {})
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        asked = Request(f"{self.url}/api{path}", data, headers, method=method)  # noqa: S310 (checked: http only)
        try:
            with urlopen(asked, timeout=PATIENCE) as answer:  # noqa: S310
                return json.loads(answer.read() or b"null")
        except HTTPError as error:
            raise refused_by(error) from None
        except (OSError, HTTPException, ValueError) as error:
            why = str(error.reason if isinstance(error, URLError) else error)
            raise Refusal(Reason.NO_ANSWER, url=self.url, why=why) from None


def refused_by(error: HTTPError) -> Refused:
    """What stands between may answer in the server's place, and in its own words."""
    try:
        found = json.loads(error.read())
        return Refused(found["code"], found["text"])
    except (ValueError, LookupError, TypeError):
        return Refused("", f"{error.code} {error.reason}")


def server_at(text: str, token: str) -> Server:
    """From an address as people write it, or a link into the page."""
    url = text.partition("#")[0].rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise Refusal(Reason.NOT_A_SERVER, url=text)
    return Server(url, token)
