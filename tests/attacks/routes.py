"""How people and attackers get to a server: straight, or through a proxy as it is shipped."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tests.attacks.client import Target
from tests.attacks.urgency import URGENT, set_urgency
from tests.deploy.haproxy import HAProxy
from tests.deploy.proxy import Proxy, make_certificate, one_by_one
from tests.deploy.shipped import PARTS
from tests.services.processes import free_port

SHIPPED = {name: text for name, text in PARTS["proxy"].environment.items() if name.startswith("PROXY_")}


class Direct:
    """Straight to the server."""

    name = "direct"

    def settings(self) -> dict[str, str]:
        """What the server must know of it, as variables."""
        return {}

    @contextmanager
    def to(self, port: int) -> Generator[Target]:
        yield Target(port)


class Nginx(Direct):
    name = "nginx"

    def __init__(self) -> None:
        self.port = free_port()

    def settings(self) -> dict[str, str]:
        return {
            "ROYALCRYPT_PUBLIC_URL": f"https://localhost:{self.port}",
            "ROYALCRYPT_TRUSTED_PROXIES": "127.0.0.1",
        }

    @contextmanager
    def to(self, port: int) -> Generator[Target]:
        with tempfile.TemporaryDirectory(prefix="royalcrypt-certificate-") as folder:
            certificate, key = make_certificate(Path(folder))
            with self.proxy(port, certificate, key) as proxy:
                assert proxy.process
                set_urgency(proxy.process.pid, URGENT)
                yield Target(self.port, str(certificate))

    def proxy(self, port: int, certificate: Path, key: Path) -> Proxy | HAProxy:
        variables = SHIPPED | {
            "PROXY_SERVERS": one_by_one(SHIPPED["PROXY_SERVERS"], [port]),
            "PROXY_PUBLIC_URL": f"https://localhost:{self.port}",
            "PROXY_CERTIFICATE": str(certificate),
            "PROXY_CERTIFICATE_KEY": str(key),
        }
        return Proxy(variables, PARTS["proxy"].command, port=self.port)


class BehindHAProxy(Nginx):
    name = "haproxy"

    def proxy(self, port: int, certificate: Path, key: Path) -> HAProxy:
        return HAProxy([port], certificate, key, port=self.port)


ROUTES = {route.name: route for route in (Direct, Nginx, BehindHAProxy)}
