"""A real Redis, or Valkey."""

import signal
import socket
from contextlib import suppress

from tests.services.processes import Service, program


class Redis(Service):
    name = "redis"

    def command(self) -> list[str]:
        return [
            program("redis-server", "valkey-server"),
            *("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)),
            *("--save", "", "--appendonly", "no"),
        ]

    def is_ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1) as asking:
            asking.sendall(b"PING\r\n")
            return asking.recv(64).startswith(b"+PONG")
        return False

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def restart(self) -> None:
        self.stop(signal.SIGTERM)
        self.start()
