"""The shipped HAProxy configuration, with servers on other ports."""

import os
import re
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.deploy import ROOT
from tests.services.processes import Service, free_port, program

SHIPPED = ROOT / "deploy" / "haproxy" / "royalcrypt.cfg"
SERVERS = re.compile(r"(?:^ +server \w+ .*\n)+", re.MULTILINE)


class HAProxy(Service):
    name = "haproxy"

    def __init__(
        self, ports: Sequence[int], certificate: Path, key: Path, *, port: int | None = None
    ) -> None:
        super().__init__()
        self.port = port or self.port
        self.http = free_port()
        servers = [f'    server s{port} "${{PROXY_SERVERS}}":{port}\n' for port in ports]
        self.config = self.folder / "royalcrypt.cfg"
        self.config.write_text(SERVERS.sub("".join(servers), SHIPPED.read_text("utf-8")), "utf-8")
        both = self.folder / "both.pem"
        both.write_bytes(certificate.read_bytes() + key.read_bytes())
        self.certificate = certificate
        self.variables = {
            "PROXY_HTTP": f"127.0.0.1:{self.http}",
            "PROXY_HTTPS": f"127.0.0.1:{self.port}",
            "PROXY_CERTIFICATE": str(both),
            "PROXY_SERVERS": "127.0.0.1",
        }

    def command(self) -> list[str]:
        given = [f"{name}={text}" for name, text in self.variables.items()]
        return ["env", *given, program("haproxy"), "-db", "-f", str(self.config)]

    def is_ready(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def verdict(self) -> subprocess.CompletedProcess[str]:
        """What HAProxy says about its configuration, without starting."""
        asked = [*self.command(), "-c"]
        return subprocess.run(asked, capture_output=True, text=True, check=False, env=dict(os.environ))
