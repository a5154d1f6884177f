"""Thoughts that wait in Redis to be taken, in a list for each bot."""

import asyncio
from collections import deque
from contextlib import AsyncExitStack
from typing import Any

from royalcrypt.server.bots.requests import Thought, written
from royalcrypt.server.cluster.channel.address import pool_at, prefix_at
from royalcrypt.server.version import VERSION

MOST_WAITING = 200
"""Thoughts of one bot that nobody has taken yet; the oldest go first, whose time is over anyway."""
LIST_SECONDS = 10
"""For which a list is kept that nobody puts anything on."""


class NoPile(Exception):  # noqa: N818 (it may come back)
    """Redis is not there, or does not answer in time."""


class Exchange:
    """Of questions and answers, on one connection."""

    def __init__(self) -> None:
        self.line: Any = None
        self.is_over = False
        self._waiting: deque[asyncio.Future[Any]] = deque()
        """For an answer, in order."""

    async def ask(self, commands: list[bytes]) -> list[Any]:
        answers = [asyncio.get_running_loop().create_future() for _ in commands]
        self._waiting.extend(answers)
        self.line.write(b"".join(commands))
        return await asyncio.gather(*answers)

    def hear(self, answer: Any) -> None:
        waiting = self._waiting.popleft()
        if not waiting.done():
            waiting.set_result(answer)

    def end(self, trouble: Exception) -> None:
        """Nobody gets an answer any more."""
        self.is_over = True
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_exception(ConnectionError(str(trouble)))


class Pile:
    """Connects when it is asked something, and anew after an outage."""

    def __init__(self, url: str, *, longest: float) -> None:
        """``longest``: seconds for an answer, and the connection if there is none."""
        self._pool = pool_at(url)
        self._prefix = f"{prefix_at(self._pool)}thoughts:{VERSION}:"
        self._longest = longest
        self._connection = AsyncExitStack()
        self._connecting = asyncio.Lock()
        self._exchange: Exchange | None = None

    async def now(self) -> float:
        """By Redis' clock."""
        ((seconds, microseconds),) = await self._ask([("TIME",)])
        return int(seconds) + int(microseconds) / 1_000_000

    async def put(self, thought: Thought) -> None:
        name = self._prefix + thought.bot
        await self._ask(
            [
                ("LPUSH", name, written(thought)),
                ("LTRIM", name, "0", str(MOST_WAITING - 1)),
                ("EXPIRE", name, str(LIST_SECONDS)),
            ]
        )

    async def take(self, bots: list[str], *, seconds: float) -> bytes | None:
        """The oldest thought of one of these bots, of the first that has any; waits so long for one."""
        names = [self._prefix + bot for bot in bots]
        (found,) = await self._ask([("BRPOP", *names, str(seconds))], seconds)
        return found[1] if found else None

    async def close(self) -> None:
        await self._connection.aclose()

    async def _ask(self, commands: list[tuple[str | bytes, ...]], more_seconds: float = 0.0) -> list[Any]:
        from royalcrypt.server.cluster.channel.connection import packed  # noqa: PLC0415 (an extra)

        exchange = None
        try:
            async with asyncio.timeout(self._longest + more_seconds):
                exchange = await self._connected()
                return await exchange.ask([packed(*command) for command in commands])
        except Exception as trouble:
            if exchange is not None:
                exchange.end(trouble)
            raise NoPile(type(trouble).__name__) from trouble

    async def _connected(self) -> Exchange:
        from royalcrypt.server.cluster.channel.connection import open_line  # noqa: PLC0415 (an extra)

        async with self._connecting:
            if self._exchange is None or self._exchange.is_over:
                await self._connection.aclose()
                exchange = Exchange()
                opening = open_line(self._pool, exchange.hear, exchange.end)
                exchange.line = await self._connection.enter_async_context(opening)
                self._exchange = exchange
            return self._exchange
