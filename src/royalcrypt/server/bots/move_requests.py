"""What servers and bot-workers tell each other: thoughts to think, who thinks them, and what came of them.

A thought holds what one seat sees and nothing else: a worker knows no table, no person and no hidden card.
Thoughts wait in lists of Redis, one for each bot; everything else is said in passing.
"""

import asyncio
from collections import deque
from contextlib import AsyncExitStack
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from royalcrypt.server.cluster.channel import pool_at, prefix_at
from royalcrypt.server.version import VERSION

WORKERS = f"workers:{VERSION}"
"""The topic on which workers announce themselves; a packed view is read by the same version alone."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Words = Annotated[str, Meta(max_length=1000)]


class MoveRequest(msgspec.Struct, frozen=True, array_like=True):
    number: int
    """Among those of one process."""
    topic: Name
    """On which that process hears of it."""
    bot: Name
    view: Annotated[bytes, Meta(max_length=65_536)]
    """Packed."""
    seed: Annotated[int, Meta(ge=0, lt=2**62)]
    seconds: Annotated[float, Meta(gt=0, le=60)]
    not_after: float
    """When nobody waits any more for it to be taken, by Redis' clock: machines may disagree on the time."""


class Announcement(msgspec.Struct, frozen=True):
    """A worker, about once a second; without bots it has something else to do, or takes its leave."""

    worker: Name
    processes: Annotated[int, Meta(ge=1, le=1000)]
    busy: Annotated[int, Meta(ge=0, le=1000)]
    bots: Annotated[tuple[Name, ...], Meta(max_length=1000)]


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    number: int
    worker: Name


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    number: int
    move: Words


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The bot's own fault."""

    number: int
    why: Words


class Returned(msgspec.Struct, frozen=True, tag="given back"):
    """Nobody's fault: the worker ends."""

    number: int


Answer = Answered | Failed | Returned
WorkerMessage = Taken | Answer
read_request = msgspec.msgpack.Decoder(MoveRequest).decode
read_announcement = msgspec.msgpack.Decoder(Announcement).decode
read_message = msgspec.msgpack.Decoder[WorkerMessage](WorkerMessage).decode
written = msgspec.msgpack.encode


MOST_WAITING = 200
"""Thoughts of one bot that nobody has taken yet; the oldest go first, whose time is over anyway."""
LIST_SECONDS = 10
"""For which a list is kept that nobody puts anything on."""


class QueueUnavailable(Exception):  # noqa: N818 (it may come back)
    """Redis is not there, or does not answer in time."""


class RedisPipeline:
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


class RequestQueue:
    """Connects when it is asked something, and anew after an outage."""

    def __init__(self, url: str, *, longest: float) -> None:
        """``longest``: seconds for an answer, and the connection if there is none."""
        self._pool = pool_at(url)
        self._prefix = f"{prefix_at(self._pool)}thoughts:{VERSION}:"
        self._longest = longest
        self._connection = AsyncExitStack()
        self._connecting = asyncio.Lock()
        self._exchange: RedisPipeline | None = None

    async def now(self) -> float:
        """By Redis' clock."""
        ((seconds, microseconds),) = await self._ask([("TIME",)])
        return int(seconds) + int(microseconds) / 1_000_000

    async def put(self, thought: MoveRequest) -> None:
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
        from royalcrypt.server.cluster.redis_channel import packed  # noqa: PLC0415 (an extra)

        exchange = None
        try:
            async with asyncio.timeout(self._longest + more_seconds):
                exchange = await self._connected()
                return await exchange.ask([packed(*command) for command in commands])
        except Exception as trouble:
            if exchange is not None:
                exchange.end(trouble)
            raise QueueUnavailable(type(trouble).__name__) from trouble

    async def _connected(self) -> RedisPipeline:
        from royalcrypt.server.cluster.redis_channel import open_line  # noqa: PLC0415 (an extra)

        async with self._connecting:
            if self._exchange is None or self._exchange.is_over:
                await self._connection.aclose()
                exchange = RedisPipeline()
                opening = open_line(self._pool, exchange.hear, exchange.end)
                exchange.line = await self._connection.enter_async_context(opening)
                self._exchange = exchange
            return self._exchange
