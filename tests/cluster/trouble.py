"""What happens to servers and services: killed, ended, restarted, and paused as if a machine stood still."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from tests.cluster.cluster import Cluster, Member
from tests.services.processes import Service

PAUSE = 5.0
"""Seconds for which something stands still."""


class Menu(NamedTuple):
    """How often each of these happens."""

    kills: int
    endings: int = 1
    server_pauses: int = 1
    redis_restarts: int = 1
    redis_pauses: int = 1
    postgres_restarts: int = 1
    postgres_kills: int = 0
    postgres_pauses: int = 1
    proxy_pauses: int = 0
    worker_kills: int = 0


class Trouble:
    """In two rows at a time, so that a server may fail while a service does."""

    def __init__(self, cluster: Cluster, seed: int, *, pause: float = PAUSE, rest: float = 3.0) -> None:
        self.cluster = cluster
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self._pause = pause
        self._rest = rest

    async def make(self, menu: Menu) -> None:
        services = self.cluster
        await asyncio.gather(
            self._row(
                [self._kill] * menu.kills
                + [self._end] * menu.endings
                + [self._pause_one] * menu.server_pauses
                + [self._kill_worker] * menu.worker_kills
            ),
            self._row(
                [self._restart_redis] * menu.redis_restarts
                + [lambda: self._stand_still(services.redis)] * menu.redis_pauses
                + [self._restart_postgres] * menu.postgres_restarts
                + [self._kill_postgres] * menu.postgres_kills
                + [lambda: self._stand_still(services.postgres)] * menu.postgres_pauses
                + [lambda: self._stand_still(services.proxy)] * menu.proxy_pauses
            ),
        )

    async def _row(self, faults: Sequence[Callable[[], Awaitable[None]]]) -> None:
        for fault in self.chance.sample(faults, len(faults)):
            await self._wait(self._rest)
            await fault()

    async def _wait(self, mean: float) -> None:
        await asyncio.sleep(self.chance.uniform(0, 2 * mean))

    def _one(self) -> Member:
        return self.chance.choice(self.cluster.members)

    async def _kill(self) -> None:
        member = self._one()
        await asyncio.to_thread(member.kill)
        await self._wait(0.5)
        await asyncio.to_thread(member.start)
        self.counts["a server killed"] += 1

    async def _kill_worker(self) -> None:
        worker = self.chance.choice(self.cluster.workers)
        await asyncio.to_thread(worker.kill)
        await asyncio.to_thread(worker.start)
        self.counts["a bot-worker killed"] += 1

    async def _end(self) -> None:
        member = self._one()
        assert await asyncio.to_thread(member.end) == 0
        member.close()
        await asyncio.to_thread(member.start)
        self.counts["a server ended and started"] += 1

    async def _pause_one(self) -> None:
        member = self._one()
        member.pause()
        await asyncio.sleep(self._pause)
        member.resume()
        self.counts[f"a server paused for {self._pause:g} s"] += 1

    async def _stand_still(self, service: Service) -> None:
        service.pause()
        await asyncio.sleep(self._pause)
        service.resume()
        self.counts[f"{service.name} paused for {self._pause:g} s"] += 1

    async def _restart_redis(self) -> None:
        await asyncio.to_thread(self.cluster.redis.stop)
        await self._wait(0.5)
        await asyncio.to_thread(self.cluster.redis.start)
        self.counts["redis restarted"] += 1

    async def _restart_postgres(self) -> None:
        await asyncio.to_thread(self.cluster.postgres.stop)
        await asyncio.to_thread(self.cluster.postgres.start)
        self.counts["postgres restarted"] += 1

    async def _kill_postgres(self) -> None:
        await asyncio.to_thread(self.cluster.postgres.kill)
        await asyncio.to_thread(self.cluster.postgres.start)
        self.counts["postgres killed"] += 1
