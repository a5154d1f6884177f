"""Every command of a socket with its largest allowed input, and periodic tasks, with many sockets open."""

import asyncio
import random
import resource
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import cycle, islice
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from benchmarks.blocking.cases import LONG_NAME
from benchmarks.blocking.probe import ServerProcess
from benchmarks.blocking.refused import refused_messages
from benchmarks.blocking.state import WIDE
from benchmarks.blocking.visit import Ask, Visit
from benchmarks.server.seats import Seat, open_seats
from royalcrypt.live.session import MAX_WATCHED
from royalcrypt.server.limits import SPECTATORS
from royalcrypt.tables.texts import MAX_CHAT_LENGTH
from tests.server.harness import any_action

Json = dict[str, Any]
PATIENCE = 60.0
FOLLOWERS = 300
TASKS = {
    "notice": "500 characters to {sockets}",
    "flush": "{sockets}",
    "sweep": "nothing due",
    "tidy": "{sockets}",
    "collect": "garbage collection in a quiet hour, {sockets}",
    "update_ratings": "nothing to rate",
    "heartbeat": "",
}
"""Periodic tasks, and what they are measured with."""


class Client:
    """One socket; remembers the last answer."""

    def __init__(self, host: str, cookie: str) -> None:
        self.seat = Seat("/socket?protocol=1", host, cookie, self._hear)
        self.last: bytes = b""
        self._heard = asyncio.Event()

    def _hear(self, _: Seat, message: bytes) -> None:
        if b'"re":7' in message or b'"refused"' in message:
            self.last = message
            self._heard.set()

    async def tell(self, message: Json | bytes) -> Json:
        """Send a message; returns its answer, which repeats its id."""
        encoded = message if isinstance(message, bytes) else msgspec.json.encode({"id": 7} | message)
        self._heard.clear()
        self.seat.send(encoded)
        async with asyncio.timeout(PATIENCE):
            await self._heard.wait()
        return msgspec.json.decode(self.last)


class Audience:
    """Sockets that watch one table, the lobby and their own games."""

    def __init__(self, host: str, cookies: Sequence[str], size: int) -> None:
        """Open ``size`` sockets; people with these cookies share them, as each may have a few only."""
        turns = islice(cycle(cookies), size)
        self.seats = [Seat("/socket?protocol=2", host, cookie, self._hear) for cookie in turns]
        self._messages = 0

    def _hear(self, _: Seat, __: bytes) -> None:
        self._messages += 1

    async def open(self, table: str) -> None:
        await open_seats(self.seats)
        for seat in self.seats:
            seat.send(msgspec.json.encode({"type": "watch", "table": table}))
        await self.settled()

    def close(self) -> None:
        for seat in self.seats:
            seat.leave()

    async def settled(self, pause: float = 0.1) -> None:
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

    async def act(self, _: int) -> Json:
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

    async def follow_games(self, _: int) -> Json:
        return {"type": "follow", "games": True}

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
    CommandCase("follow", "own games", Table.follow_games),
]


class SocketMeasurement:
    def __init__(self, server: ServerProcess, visit: Visit, repeats: int, size: int) -> None:
        self.server = server
        self.visit = visit
        self.repeats = repeats
        self.host = server.url.removeprefix("http://")
        self.table = Table(visit, self.host)
        self.audience = Audience(self.host, visit.world.others[40:70], min(size, SPECTATORS.most - 1))
        self.idle = Audience(self.host, visit.world.others[70:], size)
        self.lines: list[tuple[str, str, float, float]] = []

    async def all(self) -> list[tuple[str, str, float, float]]:
        """Return name, input, longest block and total time in ms of each command and periodic task."""
        await self.table.open()
        await self.audience.open(self.table.id)
        await self.commands()
        await self.watching()
        await self.lobby()
        await self.tasks()
        for audience in (self.audience, self.idle):
            audience.close()
        return self.lines

    async def commands(self) -> None:
        for one in COMMANDS:
            what = one.input.format(audience=f"{len(self.audience.seats):,}")
            await self._tell(self.table.client, one.command, what, partial(one.prepare, self.table))
        worst: list[tuple[str, str, float, float]] = []
        for message in refused_messages(self.table.id):
            await self._tell(self.table.client, "refused message", "16 KiB", partial(as_it_is, message))
            worst.append(self.lines.pop())
        self.lines.append(max(worst, key=lambda line: line[2]))

    async def watching(self) -> None:
        """One of a rich person's sockets, with as many tables in sight as possible."""
        rich = self.visit.rich(0)
        client = Client(self.host, rich.cookie)
        await open_seats([client.seat])
        for other in rich.running[1:MAX_WATCHED]:
            await client.tell({"type": "watch", "table": other})

        async def watch(_: int) -> Json:
            await client.tell({"type": "unwatch", "table": rich.running[0]})
            self.server.tell("unload")
            return {"type": "watch", "table": rich.running[0]}

        await self._tell(client, "watch", "running game, not in memory, 100 chat lines", watch)
        await self._tell(client, "follow", "10,000 tables listed, 45 own", self.table.follow)
        client.seat.leave()

    async def lobby(self) -> None:
        followers = self.audience.seats[:FOLLOWERS]
        self.server.tell("empty_lobby")  # Each follower would read it.
        for seat in followers:
            seat.send(msgspec.json.encode({"type": "follow", "lobby": True}))
            await self.audience.settled(0.01)
        owner = {"Cookie": self.visit.world.others[32]}

        async def open_and_close() -> None:
            body = {"settings": {"players": 4, "is_listed": True}, "sit": [0]}
            opened = await self.visit.ask(Ask("POST", "/api/tables", body, owner))
            await self.visit.ask(Ask("POST", f"/api/tables/{opened['info']['table']}/close", None, owner))

        what = f"a new table, to {len(followers):,} who follow the lobby"
        await self._measure("task flush", what, lambda _: open_and_close())

    async def tasks(self) -> None:
        await open_seats(self.idle.seats)
        await self.idle.settled()
        for name, what in TASKS.items():
            sockets = f"{len(self.idle.seats) + len(self.audience.seats):,} sockets"
            await self._measure(f"task {name}", what.format(sockets=sockets), partial(self._run_task, name))

    async def _run_task(self, name: str, _: int) -> None:
        await asyncio.to_thread(self.server.tell, name)

    async def _tell(
        self, client: Client, name: str, what: str, prepare: Callable[[int], Awaitable[Json | bytes]]
    ) -> None:
        message: Json | bytes = b""

        async def choose(number: int) -> None:
            nonlocal message
            message = await prepare(number)

        await self._measure(name, what, lambda _: client.tell(message), before=choose)

    async def _measure(
        self,
        name: str,
        what: str,
        run: Callable[[int], Awaitable[object]],
        *,
        before: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        blocks: list[float] = []
        times: list[float] = []
        for number in range(self.repeats):
            if before is not None:
                await before(number)
            await self.audience.settled()
            self.server.take()
            began = perf_counter()
            await run(number)
            times.append((perf_counter() - began) * 1000)
            await self.audience.settled()
            blocks.append(self.server.take())
        self.lines.append((name, what, min(blocks), min(times)))
        print(f"{min(blocks):8.1f} ms  {name}, {what}", flush=True)


async def as_it_is(message: bytes, _: int) -> bytes:
    return message


def raise_file_limit() -> None:
    """Allow as many open files as the system does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
