"""Carry out what Dockerfile and compose.yaml say without containers, and play through the proxy.

python scripts/rehearse.py [--short]

The same commands, settings, health checks and proxy configuration run as processes of this machine, with the
system's PostgreSQL, Redis and nginx. --short runs the program as it is here, and does not build the image's
files first.
"""

import argparse
import asyncio
import random
import ssl
import sys
import tempfile
import time
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.deploy.building import Builder, stand_in
from tests.deploy.compose import parts_of, read_compose, read_variables
from tests.deploy.containers import Container, DatabaseContainer, OurContainer
from tests.deploy.dockerfile import read_dockerfile
from tests.deploy.proxy import Proxy, one_by_one, prepare
from tests.server.harness import Host, Person, person, play_on, seated
from tests.services.processes import free_port

MOVES = 12
LONGEST_BOT = 60.0
"""Seconds for a bot to move, on a machine that is busy with other things."""
RESTARTING = 1012
PLACE = "127.0.0.1"


class Site(Host):
    """The whole, as people find it: by https, with the certificate that was made for trying."""

    def __init__(self, url: str, certificate: Path) -> None:
        super().__init__(url)
        self.trust = ssl.create_default_context(cafile=str(certificate))

    def client(self, **options: Any) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, verify=self.trust, timeout=20.0, **options)


class Rehearsal:
    def __init__(self, folder: Path, stack: ExitStack, *, is_short: bool) -> None:
        self.folder = folder
        self.stack = stack
        self.is_short = is_short
        self.began = time.monotonic()
        self.port = free_port()
        prepare(folder, f"{PLACE}:{self.port}")
        self.parts = parts_of(read_compose(read_variables(folder / ".env")))
        self.ours: dict[str, list[OurContainer]] = {}

    def note(self, words: str) -> None:
        print(f"{time.monotonic() - self.began:6.1f} s  {words}", flush=True)

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
        places = {"postgres:5432": self.database.place, "redis:6379": f"{PLACE}:{self.redis.port}"}
        image = read_dockerfile()[-1]
        for name in ("server", "bot-worker"):
            part = self.parts[name]
            self.ours[name] = [OurContainer(part, image, root, places) for _ in range(part.replicas)]
            for number, each in enumerate(self.ours[name], 1):
                if self.is_short:
                    each.environment["ROYALCRYPT_COMPILED_BOTS"] = "false"
                self.stack.enter_context(each)
                self.note(f"{name} {number} of {part.replicas} is {'healthy' if each.health else 'running'}")
        return self.start_proxy()

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
        assert asking.is_ready(), "the proxy's health check fails"
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
                if each.process and each.process.poll() is None:
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


async def play(rehearsal: Rehearsal, site: Site) -> None:
    chance = random.Random(8642)
    async with AsyncExitStack() as stack:
        await look_around(rehearsal, site)
        three: list[Person] = []
        for name in ("Ada", "Bo", "Cleo"):
            someone = await stack.enter_async_context(person(site, name, is_connected=False))
            await someone.connect(ssl=site.trust)
            three.append(someone)
        rehearsal.note(f"three sockets through the proxy, by server: {await sockets(rehearsal)}")
        table = await seated(three)
        moves = await play_on(three, table, chance, most=MOVES)
        rehearsal.note(f"{moves} moves over wss, each heard by all three")
        await restart_one(rehearsal, site, three, table)
        moves = await play_on(three, table, chance)
        rehearsal.note(f"{moves} more moves, to the end of the game")
        await check_record(three[0], table)
        rehearsal.note("the record passes the check of its rules and its chance")
        await play_a_bot(rehearsal, three[0], chance)
        rehearsal.check_machine_code()


async def look_around(rehearsal: Rehearsal, site: Site) -> None:
    async with site.client() as http:
        home = await http.get("/")
        assert home.status_code == 200
        assert rehearsal.is_short or "/assets/" in home.text, "the page is not in the image"
        assert "Strict-Transport-Security" in home.headers
        assert (await http.get("/metrics")).status_code == 404
        sent_on = await http.get(f"http://{PLACE}:{rehearsal.proxy.http}/x?y=1")
        assert (sent_on.status_code, sent_on.headers["Location"]) == (308, f"{site.url}/x?y=1")
    rehearsal.note("home by https with its headers; http is sent on; figures are kept inside")


async def sockets(rehearsal: Rehearsal) -> list[int]:
    """How many each server has, as it tells those who ask from inside."""
    found: list[int] = []
    async with httpx.AsyncClient(verify=False) as http:
        for server in rehearsal.ours["server"]:
            if server.process is not None:
                text = (await http.get(f"http://{PLACE}:{server.port}/metrics")).text
                lines = [line for line in text.splitlines() if line.startswith("royalcrypt_connections ")]
                found.append(int(float(lines[0].split()[1])))
    return found


async def restart_one(rehearsal: Rehearsal, site: Site, three: list[Person], table: str) -> None:
    """As in an upgrade: one server after another, and people go on at the others."""
    server = rehearsal.ours["server"][0]
    await asyncio.to_thread(rehearsal.tell_end, "server 1", server)
    closed = 0
    for each in three:
        assert each.socket
        try:
            await asyncio.wait_for(each.socket.wait_closed(), 0.5)
        except TimeoutError:
            continue
        assert each.socket.close_code == RESTARTING, each.socket.close_code
        closed += 1
        await each.connect(ssl=site.trust)
        await each.watch(table)
    rehearsal.note(
        f"{closed} were sent away with {RESTARTING} and came back elsewhere: {await sockets(rehearsal)}"
    )
    await asyncio.to_thread(server.start)
    rehearsal.note("server 1 is healthy again")


async def check_record(someone: Person, table: str) -> None:
    from royalcrypt.cli import main

    answer = await someone.http.get(f"/api/tables/{table}/record")
    assert answer.status_code == 200, answer.text
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.json"
        record.write_text(answer.text, "utf-8")
        for command in ("check", "verify"):
            assert await asyncio.to_thread(main, [command, str(record)]) == 0


async def play_a_bot(rehearsal: Rehearsal, someone: Person, chance: random.Random) -> None:
    level = "greedy" if rehearsal.is_short else "regent"
    opened = await someone.open_table(players=2)
    table = opened["info"]["table"]
    await someone.ask("PUT", f"/api/tables/{table}/seats/1/bot", {"level": level})
    await someone.post(f"/api/tables/{table}/start")
    await someone.watch(table)
    async with asyncio.timeout(LONGEST_BOT):
        moves = await play_on([someone], table, chance, most=3)
    rehearsal.note(f"{moves} moves against the bot {level}, who answered each")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="do not build the image's files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="royalcrypt-rehearsal-") as folder, ExitStack() as stack:
        rehearsal = Rehearsal(Path(folder), stack, is_short=arguments.short)
        site = rehearsal.start(rehearsal.build())
        asyncio.run(play(rehearsal, site))
        rehearsal.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
