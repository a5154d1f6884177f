"""How people and attackers get to a server: straight, or through a proxy as it is shipped."""

import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.attacks.client import Target
from tests.services.processes import free_port


class Route:
    """Straight to the server."""

    name = "direct"

    def settings(self) -> dict[str, str]:
        """What the server must know of it, as variables."""
        return {}

    @contextmanager
    def to(self, port: int) -> Generator[Target]:
        yield Target(port)


ROUTES = {route.name: route for route in (Route,)}
