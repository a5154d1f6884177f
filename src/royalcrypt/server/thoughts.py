"""What servers and bot-workers tell each other: thoughts to think, who thinks them, and what came of them.

A thought holds what one seat sees and nothing else: a worker knows no table, no person and no hidden card.
Thoughts wait in lists of Redis, one for each bot; everything else is said in passing.
"""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from royalcrypt.server.channel.address import pool_at, prefix_at
from royalcrypt.server.version import VERSION

WORKERS = f"workers:{VERSION}"
"""The topic on which workers announce themselves; a packed view is read by the same version alone."""
MOST_WAITING = 200
"""Thoughts of one bot that nobody has taken yet; the oldest go first, whose time is over anyway."""
LIST_SECONDS = 10
"""For which a list is kept that nobody puts anything on."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Words = Annotated[str, Meta(max_length=1000)]


class Thought(msgspec.Struct, frozen=True, array_like=True):
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


class GivenBack(msgspec.Struct, frozen=True, tag="given back"):
    """Nobody's fault: the worker ends."""

    number: int


Answer = Answered | Failed | GivenBack
News = Taken | Answer
read_thought = msgspec.msgpack.Decoder(Thought).decode
read_announcement = msgspec.msgpack.Decoder(Announcement).decode
read_news = msgspec.msgpack.Decoder[News](News).decode
written = msgspec.msgpack.encode


class Pile:
    """The lists of thoughts at one Redis. Raises what ``troubles`` are when it is not there."""

    def __init__(self, url: str, *, longest: float) -> None:
        """``longest``: seconds for a connection, and for an answer."""
        from redis.asyncio import Redis  # noqa: PLC0415 (an extra)
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415
        from redis.exceptions import RedisError  # noqa: PLC0415

        pool = pool_at(
            url, socket_timeout=longest, socket_connect_timeout=longest, retry=Retry(NoBackoff(), 0)
        )
        self.troubles = (RedisError, OSError)
        self._prefix = f"{prefix_at(pool)}thoughts:{VERSION}:"
        self._redis: Any = Redis(connection_pool=pool)

    async def now(self) -> float:
        """By Redis' clock."""
        seconds, microseconds = await self._redis.time()
        return seconds + microseconds / 1_000_000

    async def put(self, thought: Thought) -> None:
        name = self._prefix + thought.bot
        async with self._redis.pipeline(transaction=False) as steps:
            steps.lpush(name, written(thought))
            steps.ltrim(name, 0, MOST_WAITING - 1)
            steps.expire(name, LIST_SECONDS)
            await steps.execute()

    async def take(self, bots: list[str], *, seconds: float) -> bytes | None:
        """The oldest thought of one of these bots, of the first that has any; waits so long for one."""
        names = [self._prefix + bot for bot in bots]
        found = await self._redis.brpop(names, timeout=seconds)
        return found[1] if found else None

    async def close(self) -> None:
        await self._redis.aclose(close_connection_pool=True)
