"""Everything that the compose file names, as processes of this machine."""

import ssl
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from tests.deploy.building import Builder, stand_in
from tests.deploy.compose import parts_of, read_compose, read_variables
from tests.deploy.containers import Container, DatabaseContainer, OurContainer
from tests.deploy.dockerfile import read_dockerfile
from tests.deploy.proxy import Proxy, one_by_one, prepare
from tests.server.harness import Host
from tests.services.processes import free_port

PLACE = "127.0.0.1"
MOST_QUESTIONS = 5


class Site(Host):
    """The whole, as people find it: by https, with the certificate that was made for trying."""

    def __init__(self, url: str, certificate: Path) -> None:
        super().__init__(url)
        self.trust = ssl.create_default_context(cafile=str(certificate))

    def client(self, **options: Any) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, verify=self.trust, timeout=20.0, **options)


class Rehearsal:
    def __init__(
        self, folder: Path, stack: ExitStack, tell: Callable[[str], object], *, is_short: bool
    ) -> None:
        """``is_short`` uses the program as it is here in place of one built as the image's is."""
        self.folder = folder
        self.stack = stack
        self.is_short = is_short
        self._tell = tell
        self.began = time.monotonic()
        self.port = free_port()
        prepare(folder, f"{PLACE}:{self.port}")
        self.parts = parts_of(read_compose(read_variables(folder / ".env")))
        self.ours: dict[str, list[OurContainer]] = {}

    def note(self, words: str) -> None:
        self._tell(f"{time.monotonic() - self.began:6.1f} s  {words}")

    def build(self) -> Path:
        if self.is_short:
            return stand_in(self.folder)
        root = Builder(self.folder, self.note).build()
        size = sum(path.lstat().st_size for path in root.rglob("*"))
        self.note(f"built: {size / 1e6:.0f} MB beside Python itself")
        return root

    def start(self, root: Path) -> Site:
        self.root = root
        self.database = self.stack.enter_context(DatabaseContainer(self.parts["postgres"]))
        self.database.execute("CREATE DATABASE royalcrypt")
        self.note(f"postgres is healthy: {' '.join(self.parts['postgres'].command)}")
        self.redis = self.stack.enter_context(Container(self.parts["redis"], port="6379"))
        self.note("redis is healthy, with a password")
        places = {
            "postgres:5432": self.database.place,
            "redis:6379": f"{PLACE}:{self.redis.port}",
            self.parts["server"].environment["ROYALCRYPT_TRUSTED_PROXIES"]: PLACE,
        }
        image = read_dockerfile()[-1]
        for name in ("server", "bot-worker"):
            part = self.parts[name]
            self.ours[name] = [OurContainer(part, image, root, places) for _ in range(part.replicas)]
        self.start_ours([each for several in self.ours.values() for each in several])
        return self.start_proxy()

    def start_ours(self, ours: list[OurContainer]) -> None:
        """All at once, so that it shows whether they get in each other's way."""
        for each in ours:
            self.stack.push(each)
            if self.is_short:
                each.environment["ROYALCRYPT_COMPILED_BOTS"] = "false"
        with ThreadPoolExecutor(max(1, len(ours))) as pool:
            for each in pool.map(OurContainer.start, ours):
                state = "healthy" if each.health else "running"
                self.note(f"{each.part.name} is {state}: {' '.join(each.part.command)}")

    def start_proxy(self) -> Site:
        part = self.parts["proxy"]
        kept = self.folder / "deploy" / "certificates"
        certificate = kept / "fullchain.pem"
        ports = [server.port for server in self.ours["server"]]
        variables = part.environment | {
            "PROXY_SERVERS": one_by_one(part.environment["PROXY_SERVERS"], ports),
            "PROXY_CERTIFICATE": str(certificate),
            "PROXY_CERTIFICATE_KEY": str(kept / "privkey.pem"),
        }
        self.proxy = Proxy(variables, part.command, port=self.port)
        self.stack.enter_context(self.proxy)
        asking = Container(part, places={"443": str(self.port)})
        self.stack.callback(asking.__exit__)
        assert any(asking.is_ready() for _ in range(MOST_QUESTIONS)), "the proxy's health check fails"
        self.note(f"proxy is healthy: {' '.join(part.command)}")
        return Site(f"https://{PLACE}:{self.port}", certificate)

    def check_machine_code(self) -> None:
        """What came with the image was used: nothing had to be compiled again."""
        if self.is_short:
            return
        shipped = {path.name for path in self.root.rglob("*.nbc")}
        for each in self.ours["server"] + self.ours["bot-worker"]:
            assert {path.name for path in each.folder.rglob("*.nbc")} == shipped, each.folder
        self.note(f"nothing was compiled: {len(shipped)} pieces of machine code came with the image")

    def end(self) -> None:
        for name in ("bot-worker", "server"):
            for each in self.ours[name]:
                assert each.is_running, f"{name} has ended by itself: {each.log[-2000:]}"
                self.tell_end(name, each)
        self.tell_end("redis", self.redis)
        self.proxy.stop()
        self.database.stop()
        self.note("everything has ended")

    def tell_end(self, name: str, each: Container) -> None:
        code, seconds = each.end()
        assert code == 0, f"{name} ended with {code}: {each.log[-2000:]}"
        self.note(f"{name} ended by SIGTERM in {seconds:.1f} s (allowed: {each.part.grace} s)")
        each.process = None
