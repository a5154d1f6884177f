"""A steady mixed load on a server program, what it takes of the machine meanwhile, and whether that grows."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from statistics import linear_regression, quantiles
from typing import Any, NamedTuple

import httpx
import msgspec

from tests.server.faults.crowd import CUT_OFF, PLANS, Player, crowd
from tests.server.faults.ledger import Ledger
from tests.server.harness import Host, Json, Person, person

LANES = 12
"""Tables at which people play at the same time."""
THINKING = 0.35
"""Seconds that a person thinks before a move, at most."""
ABORTED = 0.02
"""Share of the moves before which a socket is cut off instead."""
DELETION_SECONDS = 45.0
"""How often a person is deleted; the server rewrites its database at most once a minute."""
SAMPLE_SECONDS = 2.0
WARM_UP = 0.5
"""Share of the time that does not count: until then caches fill."""


class Growth(NamedTuple):
    """How far a quantity may grow during the second half: by an amount, or by a share of its mean."""

    amount: float
    share: float = 0.0


BOUNDS = {
    "memory (MB)": Growth(10.0),
    "open files": Growth(12.0),
    "threads": Growth(3.0),
    "tasks": Growth(6.0),
    "p99 (ms)": Growth(20.0, 0.5),
}


class Sample(NamedTuple):
    """What a server took at a moment, and the answer times since the sample before, all in ms."""

    at: float
    memory: float
    files: int
    threads: int
    tasks: int
    answers: list[float]


def grown(times: list[float], values: list[float]) -> float:
    """By how much a line through the values rises from the first to the last."""
    return linear_regression(times, values).slope * (times[-1] - times[0])


def growths(samples: list[Sample]) -> dict[str, tuple[float, float, float]]:
    """Each quantity's mean during the second half, by how much it grew then, and by how much it may."""
    begin, end = samples[0].at, samples[-1].at
    half = [one for one in samples if one.at >= begin + WARM_UP * (end - begin)]
    size = max(1, len(half) // 10)
    windows = [half[at : at + size] for at in range(0, len(half), size)]
    answers = [[each for one in window for each in one.answers] for window in windows]
    series = {
        "memory (MB)": ([one.at for one in half], [one.memory for one in half]),
        "open files": ([one.at for one in half], [float(one.files) for one in half]),
        "threads": ([one.at for one in half], [float(one.threads) for one in half]),
        "tasks": ([one.at for one in half], [float(one.tasks) for one in half]),
        "p99 (ms)": (
            [window[0].at for window, found in zip(windows, answers, strict=True) if len(found) > 1],
            [quantiles(found, n=100)[98] for found in answers if len(found) > 1],
        ),
    }
    found: dict[str, tuple[float, float, float]] = {}
    for name, (times, values) in series.items():
        mean, bound = sum(values) / len(values), BOUNDS[name]
        found[name] = (mean, grown(times, values), max(bound.amount, bound.share * mean))
    return found


def leaking(samples: list[Sample]) -> list[str]:
    """The quantities that grow faster than they may."""
    return [name for name, (_, growth, most) in growths(samples).items() if growth > most]


class SoakHost(Host):
    """A server whose clients do not reuse connections that it may be closing for idleness."""

    def client(self, **options: Any) -> httpx.AsyncClient:
        return super().client(limits=httpx.Limits(keepalive_expiry=1.0), **options)


class Soak:
    """The load: people come, play, are cut off, come back, read and leave; some delete themselves."""

    def __init__(self, host: Host, pid: int, tasks: Path) -> None:
        self.host = host
        self.pid = pid
        self._tasks = tasks
        self._answers: list[float] = []
        self.samples: list[Sample] = []
        self.games = self.moves = self.cut_off = self.deleted = self.reads = 0
        self.broken = 0
        """Requests whose connection broke: a process that had to wait five seconds for the processor."""
        self._deleted = time.monotonic()
        self._chance = random.Random(1)

    async def run(self, seconds: float) -> None:
        """Keep up the load for so long; raises what a person's part raises."""
        self._end = time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            for lane in range(LANES):
                group.create_task(self._play_games(lane))
            for work in (self._watch, self._follow, self._read, self._come_and_go):
                group.create_task(self._repeat(work))
            group.create_task(self._sample())

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._end

    async def _repeat(self, work: Callable[[Person], Awaitable[None]]) -> None:
        """As one person after another."""
        for number in count():
            try:
                async with person(self.host, f"{work.__name__}{number}") as someone:
                    for _ in range(20):
                        if self.is_over:
                            return
                        await work(someone)
                        someone.received.clear()
            except httpx.TransportError:
                self.broken += 1

    async def _play_games(self, lane: int) -> None:
        for number in count(lane):
            if self.is_over:
                return
            try:
                await self._play(lane, number)
            except httpx.TransportError:
                self.broken += 1

    async def _play(self, lane: int, number: int) -> None:
        def arrive(host: Host, http: httpx.AsyncClient, name: str, ledger: Ledger) -> Guest:
            return Guest(host, http, f"{name}-{number}", ledger, self)

        ledger = Ledger()
        plans = [PLANS[(lane + number) % len(PLANS)]]
        async with crowd(self.host, ledger, 1, plans, arrive) as players:
            await asyncio.gather(*(player.play() for player in players))
            self.moves += ledger.moves
            if not self.is_over:
                self.games += 1
                await self._after(players)

    async def _after(self, players: "list[Guest]") -> None:
        """What people do when their game is over."""
        first, *_ = players
        for path in ("record", "replay"):
            await self.get(first, f"/api/tables/{first.table}/{path}")
        for path in ("games", "history", "statistics"):
            await self.get(first, f"/api/me/{path}")
        if time.monotonic() - self._deleted > DELETION_SECONDS:
            self._deleted = time.monotonic()
            await first.ask("DELETE", "/api/me", {"name": first.name}, status=204)
            self.deleted += 1

    async def _watch(self, someone: Person) -> None:
        """Look on at listed tables, without reading all that comes."""
        for line in (await self.get(someone, "/api/tables"))[:4]:
            table = line["table"]
            if (await someone.watch(table))["type"] == "shown":
                await someone.tell(type="react", table=table, reaction="wow")
                await asyncio.sleep(0.5)
                await someone.tell(type="unwatch", table=table)
        await asyncio.sleep(0.2)

    async def _follow(self, someone: Person) -> None:
        """Follow the lobby, and be cut off."""
        await someone.tell(type="follow", lobby=True, games=True)
        for _ in range(5):
            began = time.monotonic()
            await someone.tell(type="ping")
            self._answers.append((time.monotonic() - began) * 1000)
            await asyncio.sleep(0.3)
        assert someone.socket is not None
        someone.socket.transport.abort()
        await someone.connect()

    async def _read(self, someone: Person) -> None:
        for path in ("/api/tables", "/api/bots", "/api/me", "/api/me/games", "/api/daily", "/health", "/"):
            if path == "/":
                assert (await someone.http.get(path)).status_code == 200
            else:
                await self.get(someone, path)
            await asyncio.sleep(0.05)
        await someone.ask("GET", "/api/tables/nowhere", status=404)

    async def _come_and_go(self, someone: Person) -> None:
        """Take a seat, and leave."""
        opened = await someone.open_table(players=3, is_listed=True)
        await someone.watch(opened["info"]["table"])
        await asyncio.sleep(self._chance.uniform(0.1, 0.5))
        await someone.post(f"/api/tables/{opened['info']['table']}/close")
        await someone.disconnect()
        await someone.connect()

    async def get(self, someone: Person, path: str) -> Any:
        began = time.monotonic()
        found = await someone.ask("GET", path)
        self._answers.append((time.monotonic() - began) * 1000)
        self.reads += 1
        return found

    def answered(self, seconds: float) -> None:
        """Count a move and the time until its answer."""
        self._answers.append(seconds * 1000)

    async def _sample(self) -> None:
        while not self.is_over:
            await asyncio.sleep(SAMPLE_SECONDS)
            answers, self._answers = self._answers, []
            self.samples.append(self._sampled(answers))

    def _sampled(self, answers: list[float]) -> Sample:
        status = Path(f"/proc/{self.pid}/status").read_text("ascii")
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return Sample(
            time.monotonic(),
            int(fields["VmRSS"].split()[0]) / 1024,
            len(list(Path(f"/proc/{self.pid}/fd").iterdir())),
            int(fields["Threads"]),
            msgspec.json.decode(self._tasks.read_bytes()) if self._tasks.exists() else 0,
            answers,
        )


class Guest(Player):
    """Plays at a steady pace, and is cut off at times."""

    def __init__(self, host: Host, http: httpx.AsyncClient, name: str, ledger: Ledger, soak: Soak) -> None:
        super().__init__(host, http, name, ledger)
        self.soak = soak

    async def think(self) -> None:
        await asyncio.sleep(self.chance.uniform(0, THINKING))
        if self.soak.is_over:
            self.is_leaving = True
            raise CUT_OFF[0]
        if self.chance.random() < ABORTED:
            self.soak.cut_off += 1
            raise CUT_OFF[0]

    async def hear_any(self) -> Json:
        while True:
            try:
                async with asyncio.timeout(1.0):
                    return await super().hear_any()
            except TimeoutError:
                if self.soak.is_over:
                    self.is_leaving = True
                    raise

    async def command(self, command: Json) -> None:
        began = time.monotonic()
        await super().command(command)
        self.soak.answered(time.monotonic() - began)
