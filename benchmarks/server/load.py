"""The process that plays all the people. It reads what to do as lines of JSON, and answers each with one.

Commands fall due at random moments, whether or not earlier ones have been answered; how long one took counts
from then, so a server that falls behind cannot hide it.
"""

import asyncio
import gc
import itertools
import math
import os
import random
import sys
import time
from collections import deque
from enum import StrEnum
from typing import Any

import msgspec
import uvloop

from benchmarks.server.play import SHOWN, BareTable, LiveTable, Table, Timed, socket_path, watch
from benchmarks.server.rest import Rest
from benchmarks.server.seats import Seat, open_seats

WARM_UP = 2.0
TICK = 0.001
HOPELESS = 1.0
"""Seconds by which sending may fall behind before a step is given up."""
PATIENCE = 60.0
NEVER = 1e9
PROTOCOL = 2
"""As the page does; 1 brings the complete view with each update."""


class Arrival(StrEnum):
    """At which of several hosts people come in."""

    APART = "apart"
    """In turn, so that those at one table come in at different ones."""
    TOGETHER = "together"
    BY_CHANCE = "by chance"


class Step(msgspec.Struct):
    """What came of commands at one rate; times in milliseconds."""

    rate: float
    all: int
    """Commands, with those of the warm-up."""
    done: int
    """Those that count."""
    acknowledged_p50: float
    acknowledged_p99: float
    seen_p50: float
    seen_p99: float
    seen_most: float
    is_abandoned: bool
    client_share: float
    """How busy this process was; near 1 it is the client that was measured."""
    rematches: int
    playing: int
    """Tables whose game was not over at the end."""
    message: float
    """Bytes of a message to one of those at a table, on average."""
    command: float


class Full(msgspec.Struct):
    """What came of tables that never wait."""

    rate: float
    all: int
    """Commands, with those that were answered after the end."""


class Crowd:
    def __init__(self, hosts: list[str]) -> None:
        self.hosts = itertools.cycle(hosts)
        self._rests = {host: Rest(host) for host in hosts}
        self.tables: list[Table] = []
        self.idlers: list[Seat] = []
        """They look at tables where nothing happens."""
        self.ready: deque[Table] = deque()
        self.times: list[Timed] = []
        self.ended: list[LiveTable] = []
        """Whose game is over, and who do not play again yet."""
        self.rematches = 0
        self._plays_on = False
        self._again: set[asyncio.Task[None]] = set()
        self._clock = asyncio.get_running_loop().time

    def seat_live(
        self, tables: list[dict[str, Any]], arrival: Arrival = Arrival.APART, protocol: int = PROTOCOL
    ) -> None:
        chance, places = random.Random(len(tables)), list(self._rests)
        for each in tables:
            host = next(self.hosts)
            match arrival:
                case Arrival.APART:
                    hosts = itertools.chain([host], self.hosts)
                case Arrival.TOGETHER:
                    hosts = itertools.repeat(host)
                case Arrival.BY_CHANCE:
                    hosts = (chance.choice(places) for _ in each["cookies"])
            self.tables.append(
                LiveTable(
                    hosts, self._seen, each["table"], each["cookies"], self._rests[host], protocol=protocol
                )
            )

    def seat_bare(self, *, tables: int, seats: int, size: int) -> None:
        self.tables = [
            BareTable(next(self.hosts), self._seen, number, seats=seats, size=size)
            for number in range(tables)
        ]
        self.ready.extend(self.tables)

    async def connect(self, first: int, last: int) -> None:
        """Sockets of these tables."""
        await open_seats([seat for table in self.tables[first:last] for seat in table.seats])

    async def idle(self, tables: list[dict[str, Any]]) -> None:
        """So many more are looked at, and nothing happens there."""
        shown = asyncio.Semaphore(0)

        def hear(_: Seat, message: bytes) -> None:
            if message.startswith(SHOWN):
                shown.release()

        seats = [Seat(socket_path(PROTOCOL), next(self.hosts), each["cookies"][0], hear) for each in tables]
        await open_seats(seats)
        for seat, each in zip(seats, tables, strict=True):
            seat.send(watch(each["table"]))
            await shown.acquire()
        self.idlers += seats

    async def leave(self, remaining: int) -> None:
        """So many go on looking."""
        for seat in self.idlers[remaining:]:
            seat.leave()
        del self.idlers[remaining:]

    async def watch(self) -> None:
        for table in self.tables:
            assert isinstance(table, LiveTable)
            await table.watch()
            self._next(table)

    def _seen(self, table: Table, times: Timed) -> None:
        self.times.append(times)
        self._next(table)

    def _next(self, table: Table) -> None:
        if not isinstance(table, LiveTable) or not table.is_over:
            self.ready.append(table)
        elif not self._plays_on:
            self.ended.append(table)
        else:
            task = asyncio.ensure_future(self._play_again(table))
            self._again.add(task)
            task.add_done_callback(self._again.discard)

    async def play_again(self) -> None:
        """All whose game is over."""
        self._plays_on = True
        ended, self.ended = self.ended, []
        for table in ended:
            self._next(table)
        await self._settle()

    async def _play_again(self, table: LiveTable) -> None:
        await table.play_again()
        self.rematches += 1
        self._next(table)

    async def run(self, rate: float, seconds: float, seed: int, *, plays_on: bool) -> Step:
        """Commands at a rate, from whichever tables have waited longest; the warm-up is not counted.

        Those whose game ends play the next one at once (``plays_on``), or when they are told to.
        """
        self._plays_on = plays_on
        chance = random.Random(seed)
        self.times.clear()
        self.rematches = 0
        sent, received, messages = self._traffic()
        began, began_busy = self._clock(), time.process_time()
        due, end = began, began + WARM_UP + seconds
        is_abandoned = False
        while due < end and not is_abandoned:
            now = self._clock()
            while due <= now and self.ready:
                self.ready.popleft().send(due)
                due += chance.expovariate(rate)
            is_abandoned = now - due > HOPELESS
            await asyncio.sleep(TICK)
        playing = len(self.tables) - len(self.ended)
        share = (time.process_time() - began_busy) / (self._clock() - began)
        await self._settle()
        counted = [each for each in self.times if each.due >= began + WARM_UP]
        after = self._traffic()
        return Step(
            rate=rate,
            all=len(self.times),
            done=len(counted),
            acknowledged_p50=quantile([each.acknowledged for each in counted], 0.5),
            acknowledged_p99=quantile([each.acknowledged for each in counted], 0.99),
            seen_p50=quantile([each.seen for each in counted], 0.5),
            seen_p99=quantile([each.seen for each in counted], 0.99),
            seen_most=quantile([each.seen for each in counted], 1.0),
            is_abandoned=is_abandoned,
            client_share=share,
            rematches=self.rematches,
            playing=playing,
            message=(after[1] - received) / max(1, after[2] - messages),
            command=(after[0] - sent) / max(1, len(self.times)),
        )

    async def full(self, at_once: int, seconds: float) -> Full:
        """So many tables never wait to send the next one."""
        self._plays_on = False
        self.times.clear()
        began = self._clock()
        sent = 0
        while (now := self._clock()) < began + seconds:
            while sent - len(self.times) < at_once and self.ready:
                self.ready.popleft().send(now)
                sent += 1
            await asyncio.sleep(TICK / 4)
        done = len(self.times)
        await self._settle()
        return Full(done / seconds, len(self.times))

    async def _settle(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.ready) + len(self.ended) < len(self.tables):  # noqa: ASYNC110 (however they get there)
                await asyncio.sleep(0.02)
        if any(seat.is_lost for table in self.tables for seat in table.seats):
            raise ConnectionError("the server hung up on somebody")

    def _traffic(self) -> tuple[int, int, int]:
        return (
            sum(table.sent for table in self.tables),
            sum(table.received for table in self.tables),
            sum(table.messages for table in self.tables),
        )


def quantile(seconds: list[float], part: float) -> float:
    """In milliseconds; the least value that this part of them does not exceed."""
    if not seconds:
        return NEVER
    return sorted(seconds)[max(0, math.ceil(part * len(seconds)) - 1)] * 1000


async def obey(crowd: Crowd, order: dict[str, Any]) -> Any:
    match order.pop("do"):
        case "seat_live":
            crowd.seat_live(**order)
        case "seat_bare":
            crowd.seat_bare(**order)
        case "connect":
            await crowd.connect(**order)
        case "watch":
            await crowd.watch()
        case "idle":
            await crowd.idle(**order)
        case "leave":
            await crowd.leave(**order)
        case "play_again":
            await crowd.play_again()
        case "run":
            return await crowd.run(**order)
        case "full":
            return await crowd.full(**order)
        case unknown:
            raise ValueError(unknown)
    return None


def give_up(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A mistake anywhere ends the measurement: figures after it would mean nothing."""
    loop.default_exception_handler(context)
    os._exit(1)


async def main() -> None:
    gc.disable()  # A collection pauses this process for up to 150 ms, which would count as the server's.
    crowd = Crowd(sys.argv[1:])
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(give_up)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        answer = await obey(crowd, msgspec.json.decode(line))
        print(msgspec.json.encode(answer).decode(), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
