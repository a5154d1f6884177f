"""Every command of a socket with its largest allowed input, and the periodic tasks, before a large audience."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from benchmarks.blocking.cases import LONG_NAME, Ask, Visit
from benchmarks.blocking.probe import ServerProcess
from benchmarks.blocking.state import WIDE
from benchmarks.server.seats import Seat, open_seats
from royalcrypt.live.session import MAX_WATCHED
from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH
from royalcrypt.tables.texts import MAX_CHAT_LENGTH
from tests.server.harness import any_action

Json = dict[str, Any]
PATIENCE = 60.0
FOLLOWERS = 500


class Client:
    """One socket; remembers the last message."""

    def __init__(self, host: str, cookie: str) -> None:
        self.seat = Seat("/socket?protocol=1", host, cookie, self._hear)
        self.last: bytes = b""
        self._heard = asyncio.Event()

    def _hear(self, _: Seat, message: bytes) -> None:
        self.last = message
        self._heard.set()

    async def tell(self, message: Json | bytes) -> Json:
        """Send a message; returns its answer, which repeats its id."""
        encoded = message if isinstance(message, bytes) else msgspec.json.encode({"id": 7} | message)
        self.seat.send(encoded)
        async with asyncio.timeout(PATIENCE):
            while True:
                self._heard.clear()
                await self._heard.wait()
                if b'"re":7' in self.last or b'"refused"' in self.last:
                    return msgspec.json.decode(self.last)


class Audience:
    """Sockets that watch one table, the lobby and their own games."""

    def __init__(self, host: str, cookie: str, size: int) -> None:
        self.seats = [Seat("/socket?protocol=2", host, cookie, self._hear) for _ in range(size)]
        self._messages = 0

    def _hear(self, _: Seat, __: bytes) -> None:
        self._messages += 1

    async def open(self, table: str) -> None:
        await open_seats(self.seats)
        for seat in self.seats:
            seat.send(msgspec.json.encode({"type": "watch", "table": table}))
        await self.settled()

    async def settled(self, pause: float = 0.2) -> None:
        """Wait until no more messages arrive."""
        before = -1
        while before != self._messages:
            before = self._messages
            await asyncio.sleep(pause)


class CommandCase(NamedTuple):
    command: str
    input: str
    prepare: Callable[["Table", int], Awaitable[Json | bytes]]


class Table:
    """A listed running table, with somebody who acts there before its audience."""

    def __init__(self, visit: Visit, host: str) -> None:
        self.visit = visit
        self.host = host
        self.chance = random.Random(3)

    async def open(self) -> None:
        """Two people on one screen, so that somebody can always move."""
        cookie = self.visit.world.others[30]
        settings = {"players": 4, "is_listed": True, "collectors": "??????"}
        body = {"settings": settings, "sit": [0, 1, 2, 3], "names": [LONG_NAME * 6] * 4, "start": True}
        opened = await self.visit.ask(Ask("POST", "/api/tables", body, {"Cookie": cookie}))
        self.id = opened["info"]["table"]
        self.client = Client(self.host, cookie)
        await open_seats([self.client.seat])

    async def act(self, number: int) -> Json:
        shown: Json = {}
        for seat in range(4):
            shown = await self.client.tell({"type": "watch", "table": self.id, "seat": seat})
            if shown["view"]["actor"] == seat:
                break
        action = any_action(shown["view"], self.chance)
        seat = shown["view"]["actor"]
        return {"type": "act", "table": self.id, "ply": shown["ply"], "seat": seat, "actions": [action]}

    async def illegal(self, _: int) -> Json:
        shown = await self.client.tell({"type": "watch", "table": self.id, "seat": 0})
        place = [{"slot": slot, "dice": 3, "effort": 6} for slot in range(3)]
        actions = [{"do": "claim", "place": place}] * 4
        return {"type": "act", "table": self.id, "ply": shown["ply"], "seat": 0, "actions": actions}

    async def say(self, _: int) -> Json:
        return {"type": "say", "table": self.id, "text": WIDE * MAX_CHAT_LENGTH}

    async def react(self, _: int) -> Json:
        return {"type": "react", "table": self.id, "reaction": "bravo"}

    async def unwatch(self, _: int) -> Json:
        return {"type": "unwatch", "table": self.id}

    async def watch_again(self, _: int) -> Json:
        return {"type": "watch", "table": self.id, "seat": 0}

    async def ping(self, _: int) -> Json:
        return {"type": "ping"}

    async def follow(self, _: int) -> Json:
        return {"type": "follow", "lobby": True, "games": True}


COMMANDS = [
    CommandCase("act", "{audience} spectators", Table.act),
    CommandCase("act", "refused: four illegal claims", Table.illegal),
    CommandCase("say", "300 characters to {audience} spectators", Table.say),
    CommandCase("react", "{audience} spectators", Table.react),
    CommandCase("unwatch", "{audience} spectators", Table.unwatch),
    CommandCase("watch", "{audience} spectators", Table.watch_again),
    CommandCase("ping", "", Table.ping),
]


def refused_messages() -> list[bytes]:
    """The largest messages that are refused."""
    most = MAX_MESSAGE_LENGTH - 30
    return [
        b"[" * most,
        b"[" * (most // 2) + b"]" * (most // 2),
        b"[" + b",".join([b"[]"] * (most // 3)) + b"]",
        b"[" + b",".join([b'{"":{}}'] * (most // 8)) + b"]",
        b'{"id":' + b"1" * most + b"}",
        b'{"id":7,"type":"' + b"x" * (most - 10) + b'"}',
        b'{"id":7,"type":"say","table":"copy00000001","text":"'
        + "\u0301".encode() * (most // 2 - 30)
        + b'"}',
        b'{"id":7,"type":"watch","table":"' + b"x" * (most - 10) + b'"}',
        b'{"id":7,"type":"act","table":"copy00000001","ply":1,"actions":['
        + b",".join([b'{"do":"claim"}'] * (most // 16))
        + b"]}",
    ]


async def measured_commands(
    server: ServerProcess, visit: Visit, repeats: int, size: int
) -> list[tuple[str, str, float, float]]:
    host = server.url.removeprefix("http://")
    table = Table(visit, host)
    await table.open()
    audience = Audience(host, visit.world.others[31], size)
    await audience.open(table.id)
    found: list[tuple[str, str, float, float]] = []

    async def measure(
        name: str, what: str, work: Callable[[int], Awaitable[Callable[[], Awaitable[Any]]]]
    ) -> None:
        blocks: list[float] = []
        times: list[float] = []
        for number in range(repeats):
            run = await work(number)
            await audience.settled()
            server.take()
            began = perf_counter()
            await run()
            times.append((perf_counter() - began) * 1000)
            await audience.settled()
            blocks.append(server.take())
        found.append((name, what, min(blocks), min(times)))
        print(*found[-1], flush=True)

    def telling(client: Client, prepare: Callable[[int], Awaitable[Json | bytes]]) -> Any:
        async def work(number: int) -> Any:
            message = await prepare(number)
            return lambda: client.tell(message)

        return work

    for one in COMMANDS:
        prepare = one.prepare
        work = telling(table.client, lambda number, prepare=prepare: prepare(table, number))
        await measure(one.command, one.input.format(audience=f"{size:,}"), work)
    for one in refused_messages():

        async def given(_: int, message: bytes = one) -> bytes:
            return message

        await measure("refused message", one[:24].decode(), telling(table.client, given))

    # One of a rich person's sockets, with the most tables in sight.
    rich = visit.rich(0)
    watching = Client(host, rich.cookie)
    await open_seats([watching.seat])
    for other in rich.running[1:MAX_WATCHED]:
        await watching.tell({"type": "watch", "table": other})

    async def watch_long(_: int) -> Json:
        await watching.tell({"type": "unwatch", "table": rich.running[0]})
        server.tell("unload")
        return {"type": "watch", "table": rich.running[0]}

    await measure("watch", "running game, not in memory, with 100 chat lines", telling(watching, watch_long))
    await measure("follow", "10,000 tables listed, 50 own", telling(watching, lambda _: table.follow(0)))

    followers = audience.seats[:FOLLOWERS]
    for seat in followers:  # Each reads the whole lobby.
        seat.send(msgspec.json.encode({"type": "follow", "lobby": True}))
        await audience.settled(0.03)

    def task(name: str) -> Any:
        async def work(_: int) -> Any:
            async def run() -> None:
                await asyncio.to_thread(server.tell, name)

            return run

        return work

    async def listed(number: int) -> Any:
        owner = {"Cookie": visit.world.others[32]}
        settings = {"players": 4, "is_listed": True}

        async def run() -> None:
            body = {"settings": settings, "sit": [0]}
            opened = await visit.ask(Ask("POST", "/api/tables", body, owner))
            await visit.ask(Ask("POST", f"/api/tables/{opened['info']['table']}/close", None, owner))

        return run

    await measure("lobby", f"a new table to {len(followers):,} who follow the lobby", listed)
    for name in ("notice", "flush", "sweep", "tidy", "collect", "update_ratings", "heartbeat"):
        await measure(name, f"{size:,} sockets", task(name))
    return found
