"""Requests and those who send them, for cases that are to be measured."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import httpx

from benchmarks.blocking.state import WIDE, Rich, World

Json = Any
JSON = {"Content-Type": "application/json"}


class Ask(NamedTuple):
    method: str
    path: str
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012 (immutable)
    """Bytes are sent as they are, everything else as JSON."""


class Visit:
    """What cases need: the people of the prepared state, and requests that are not measured."""

    def __init__(self, http: httpx.AsyncClient, world: World, admin: str) -> None:
        self.http = http
        self.world = world
        self.host = {"Authorization": f"Bearer {admin}"}
        self.line: Json = None

    def rich(self, number: int) -> Rich:
        return self.world.rich[number % len(self.world.rich)]

    def other(self, number: int) -> dict[str, str]:
        return {"Cookie": self.world.others[number % len(self.world.others)]}

    async def ask(self, ask: Ask) -> Json:
        answer = await self.http.request(ask.method, ask.path, content=content(ask), headers=headers(ask))
        self.http.cookies.clear()
        if not answer.is_success:
            raise ConnectionError(f"{ask.method} {ask.path}: {answer.text[:300]}")
        return answer.json() if answer.headers.get("content-type", "").startswith("application/json") else {}

    async def open(self, number: int, **more: Any) -> tuple[str, dict[str, str]]:
        """Open a table of four with the longest settings; returns its id and its owner's headers."""
        owner = self.other(number)
        bots = [{"seat": 2, "level": "random"}, {"seat": 3, "level": "random"}]
        settings = {"players": 4, "collectors": "??????", "bots": bots, "clock": {"kind": "days"}}
        body = {"settings": settings | more.pop("settings", {}), "sit": [0], "entropy": "x" * 64} | more
        opened = await self.ask(Ask("POST", "/api/tables", body, owner))
        return opened["info"]["table"], owner | {"X-Table-Invite": opened["you"]["invite"]}

    async def program(self, number: int) -> str:
        made = await self.ask(Ask("POST", "/api/me/programs", {"name": WIDE * 24}, self.other(number)))
        return made["program"]["id"]


def content(ask: Ask) -> bytes | None:
    if ask.body is None or isinstance(ask.body, bytes):
        return ask.body
    return json.dumps(ask.body, ensure_ascii=False).encode()


def headers(ask: Ask) -> dict[str, str]:
    return ask.headers if ask.body is None else JSON | ask.headers


def of(rich: Rich) -> dict[str, str]:
    return {"Cookie": rich.cookie}


Prepare = Callable[[Visit, int], Awaitable[Ask]]


class Case(NamedTuple):
    route: str
    input: str
    prepare: Prepare
    repeats: int | None = None
    """How often it can be measured; None for any number of times."""
    is_last: bool = False
    """Whether it removes what other cases need."""


CASES: list[Case] = []


def case(
    route: str, what: str, *, repeats: int | None = None, is_last: bool = False
) -> Callable[[Prepare], Prepare]:
    """Register what the decorated function prepares as the largest input of a route."""

    def register(prepare: Prepare) -> Prepare:
        CASES.append(Case(route, what, prepare, repeats, is_last))
        return prepare

    return register
