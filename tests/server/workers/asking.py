"""A server process as far as bot-workers see it, and workers as programs of their own."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from royalcrypt.play.game import Game
from royalcrypt.server.bots.move_requests import Reply, Taken, read_message
from royalcrypt.server.bots.remote_workers import RemoteWorkers
from tests.server.processes import REAL, ROOT, Process
from tests.server.workers.guests import package
from tests.services.redis import Redis

PATIENCE = 20.0
VIEW = Game.new(players=2, seed=1).view(0)
PACKED = VIEW.pack()


class Asking(RemoteWorkers):
    """Keeps what is told of its thoughts."""

    def __init__(self, url: str) -> None:
        self.news: list[Taken | Reply] = []
        super().__init__(url)

    def on_message(self, topic: str, hint: bytes) -> None:
        super().on_message(topic, hint)
        if topic == self._topic:
            self.news.append(read_message(hint))

    async def ask(self, bot: str, seed: int = 1, *, seconds: float = 1.0) -> str | None:
        return await self.choose(bot, PACKED, seed, seconds)

    async def know(self, bot: str = "greedy") -> None:
        await until(lambda: self.has(bot))

    def takers(self) -> list[str]:
        return [news.worker for news in self.news if isinstance(news, Taken)]


@asynccontextmanager
async def asking(redis: Redis) -> AsyncGenerator[Asking]:
    workers = Asking(redis.url)
    try:
        yield workers
    finally:
        await workers.close()


@contextmanager
def working(folder: Path, redis: Redis, *, processes: int = 1, name: str = "worker") -> Generator[Process]:
    """A worker that is open, with guests among its bots."""
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), package(folder / "guests")])
    options = ("bot-worker", "--channel", redis.url, "--bot-workers", str(processes))
    with Process(folder / name, *options, program=REAL, PYTHONPATH=path) as worker:
        yield worker


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 (several processes take part)
            await asyncio.sleep(0.02)
