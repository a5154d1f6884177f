"""The line between page and server, in the hands of a test."""

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import WebSocketRoute

from tests.e2e.visiting import Visitor

Json = dict[str, Any]
PATIENCE = 30.0


class Line:
    """Carries everything, unless it is cut or told to change what is sent."""

    def __init__(self, visitor: Visitor, *, alter: Callable[[Json], Json] = lambda message: message) -> None:
        self.visitor = visitor
        self.alter = alter
        self.routes: list[WebSocketRoute] = []
        self.welcomes = 0
        visitor.page.route_web_socket("**/socket*", self._carry)

    def cut(self) -> None:
        self.routes[-1].close(code=1013)

    def await_welcome(self, nth: int) -> None:
        """Until the server has greeted so many times."""
        until(self.visitor, lambda: self.welcomes >= nth)

    def _carry(self, route: WebSocketRoute) -> None:
        server = route.connect_to_server()
        self.routes.append(route)

        def ask(message: str | bytes) -> None:
            server.send(json.dumps(self.alter(json.loads(message))))

        def answer(message: str | bytes) -> None:
            self.visitor.heard.append(str(message))
            self.welcomes += json.loads(message)["type"] == "welcome"
            route.send(message)

        route.on_message(ask)
        server.on_message(answer)


def until(visitor: Visitor, is_so: Callable[[], bool]) -> None:
    """Looks again and again; the page and its line go on meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        visitor.page.wait_for_timeout(20)
