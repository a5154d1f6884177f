"""``python -m tests.attacks.witness TARGET``: honest people who play and come by, and how long they wait.

It says ``ready`` once a game runs, and at the end of its input what it saw, as JSON.
"""

import asyncio
import itertools
import random
import ssl
import sys
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager

import httpx
import msgspec

from tests.attacks.client import Target
from tests.server.harness import Host, Json, Person, any_action, catch_up

EVERY = 0.08
"""Seconds between two round trips of one person."""
BETWEEN_MOVES = 0.15
BETWEEN_VISITS = 0.5
PATIENCE = 15.0
"""Seconds after which somebody gives up."""
HOME, NEIGHBOURS, PASSERS_BY = "127.0.1.1", "127.0.2.{}", "127.1.{}.{}"
"""Addresses: of the players, of those who only measure, and of visitors, each of whom has another."""
PINGERS = 4


class Wait(msgspec.Struct, array_like=True):
    """One round trip, or one visit; times in seconds of the machine's monotonic clock."""

    kind: str
    since: float
    until: float
    trouble: str = ""


class Report(msgspec.Struct):
    waits: list[Wait]
    moves: int
    broken: str = ""
    """What is wrong with the game, if anything is."""


class Honest(Person):
    """Somebody at an address of their own, perhaps behind a proxy with TLS."""

    def __init__(self, host: Host, http: httpx.AsyncClient, name: str, tls: ssl.SSLContext | None) -> None:
        super().__init__(host, http, name)
        self._tls = tls
        self.address = ""

    async def arrive(self, address: str) -> None:
        self.address = address
        await self.connect(ssl=self._tls, local_addr=(address, 0), ping_interval=None)


class Witness:
    def __init__(self, target: Target) -> None:
        self.target = target
        self.host = Host(f"{'https' if target.certificate else 'http'}://localhost:{target.port}")
        self.tls = target.tls
        self.report = Report([], 0)
        self.listed = ""
        """A table in the lobby that waits for somebody."""

    @asynccontextmanager
    async def person(self, name: str, address: str) -> AsyncGenerator[Honest]:
        # A full server closes idle connections; browsers then open another one by themselves.
        each_anew = httpx.Limits(max_keepalive_connections=0)
        way = httpx.AsyncHTTPTransport(local_address=address, verify=self.tls or False, limits=each_anew)
        async with httpx.AsyncClient(base_url=self.host.url, transport=way, timeout=PATIENCE) as http:
            someone = Honest(self.host, http, name, self.tls)
            try:
                yield someone
            finally:
                await someone.disconnect()

    @asynccontextmanager
    async def known(self, name: str, address: str) -> AsyncGenerator[Honest]:
        async with self.person(name, address) as someone:
            someone.id = (await someone.post("/api/me", {"name": name}))["person"]
            await someone.arrive(address)
            yield someone

    async def timed(self, kind: str, doing: Awaitable[object]) -> None:
        """Note how long it takes, or why it failed."""
        since, trouble = time.monotonic(), ""
        try:
            async with asyncio.timeout(PATIENCE):
                await doing
        except Exception as error:  # noqa: BLE001 (whatever went wrong for somebody honest)
            trouble = f"{type(error).__name__}: {error}"[:300]
        finally:  # also if there was no answer at the end
            self.report.waits.append(Wait(kind, since, time.monotonic(), trouble))

    async def ping(self, someone: Honest) -> None:
        while True:
            next_one = asyncio.get_running_loop().time() + EVERY
            await self.timed("ping", someone.tell(type="ping"))
            await asyncio.sleep(next_one - asyncio.get_running_loop().time())

    async def play(self, players: list[Honest]) -> None:
        """Game after game."""
        chance = random.Random(1)
        while True:
            table = await self.sit_down(players)
            while players[0].view["phase"] != "over":
                actor: int = players[0].view["actor"]
                mover = players[actor]
                await catch_up(mover, players[0].ply)
                await self.timed("move", self.move(mover, table, chance))
                for each in players:
                    await catch_up(each, mover.ply)
                self.report.moves += 1
                await asyncio.sleep(BETWEEN_MOVES)
            await self.check(players, table)

    async def move(self, mover: Honest, table: str, chance: random.Random) -> None:
        answer = await mover.act(table, any_action(mover.view, chance))
        if answer["type"] != "update":
            raise ValueError(answer)

    async def sit_down(self, players: list[Honest]) -> str:
        opened = await players[0].open_table(players=len(players))
        table, invite = opened["info"]["table"], opened["you"]["invite"]
        for seat, other in enumerate(players[1:], 1):
            await other.post(f"/api/tables/{table}/seats/{seat}", {}, headers={"X-Table-Invite": invite})
        await players[0].post(f"/api/tables/{table}/start")
        for each in players:
            await each.watch(table)
        self.table = table
        return table

    async def check(self, players: list[Honest], table: str) -> None:
        """Whoever looks again sees what the updates have told."""
        for each in players:
            await catch_up(each, players[0].ply)
            known, ply = each.view, each.ply
            await each.watch(table)
            if (each.view, each.ply) != (known, ply):
                self.report.broken = f"{each.name} was told {known} at {ply}, and sees {each.view}"

    async def visit(self, address: str) -> None:
        """See the page, start, find a table to join, play from another device as well."""
        async with self.person("Vic", address) as visitor:
            await self.timed("page", visitor.ask("GET", "/health", status=200))
            await self.timed("page", self.look(visitor))
            await self.timed("sign-up", visitor.post("/api/me", {"name": "Vic"}))
            await self.timed("lobby", self.find(visitor))
            await self.timed("sign-in", self.use_code(visitor, address))
            await self.timed("socket", visitor.arrive(address))

    async def look(self, visitor: Honest) -> None:
        (await visitor.http.get("/")).raise_for_status()

    async def find(self, visitor: Honest) -> None:
        found: list[Json] = (await visitor.http.get("/api/tables")).raise_for_status().json()
        if not any(info["table"] == self.listed for info in found):
            raise LookupError(f"not among the {len(found)} tables of the lobby")

    async def use_code(self, visitor: Honest, address: str) -> None:
        code = (await visitor.post("/api/me/codes"))["code"]
        async with self.person("Vic", address) as telephone:
            await telephone.post("/api/sign-in", {"code": code})

    async def receive(self) -> None:
        """Visitors, one after another."""
        for number in itertools.count():
            await self.visit(PASSERS_BY.format(number // 250, 1 + number % 250))
            await asyncio.sleep(BETWEEN_VISITS)

    async def run(self) -> Report:
        async with AsyncExitStack() as stack:
            players = [await stack.enter_async_context(self.known(name, HOME)) for name in ("Ada", "Bo")]
            opened = await players[0].open_table(players=2, is_listed=True)
            self.listed = opened["info"]["table"]
            neighbours = [
                await stack.enter_async_context(self.known(f"Cleo {number}", NEIGHBOURS.format(1 + number)))
                for number in range(PINGERS)
            ]
            tasks = [asyncio.create_task(each) for each in map(self.ping, neighbours)]
            playing = asyncio.create_task(self.play(players))
            tasks.append(asyncio.create_task(self.receive()))
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            await asyncio.to_thread(sys.stdin.read)
            for task in (*tasks, playing):
                if task.done() and task.exception():
                    self.report.broken = repr(task.exception())
                task.cancel()
            await asyncio.gather(*tasks, playing, return_exceptions=True)
            if not self.report.broken:
                await self.timed("ending", self.come_back(players))
        return self.report

    async def come_back(self, players: list[Honest]) -> None:
        """On new sockets: what was played is all there."""
        for each in players:
            ply = each.ply
            await each.disconnect()
            await each.arrive(each.address)
            await each.watch(self.table)
            if each.ply < ply:
                self.report.broken = f"{each.name} was at {ply}, and the table is at {each.ply}"


def main() -> None:
    target = msgspec.json.decode(sys.argv[1], type=Target)
    sys.stdout.write(msgspec.json.encode(asyncio.run(Witness(target).run())).decode())


if __name__ == "__main__":
    main()
