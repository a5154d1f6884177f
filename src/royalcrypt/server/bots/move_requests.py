"""Messages between servers and bot-workers, and the queues of move requests in Redis.

A request contains only what one seat sees: no table id, no person and no hidden card.
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
"""Topic of worker announcements; it contains the version, because packed views differ between versions."""
MAX_QUEUED = 200
"""Maximum number of queued requests per bot; the oldest are dropped first."""
QUEUE_SECONDS = 10
"""Seconds without new requests after which Redis deletes a queue."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=1000)]


class MoveRequest(msgspec.Struct, frozen=True, array_like=True):
    number: int
    """Number of the request, unique within the requesting process."""
    topic: Name
    """Topic on which the requesting process receives replies."""
    bot: Name
    view: Annotated[bytes, Meta(max_length=65_536)]
    """The seat's view in packed binary form."""
    seed: Annotated[int, Meta(ge=0, lt=2**62)]
    seconds: Annotated[float, Meta(gt=0, le=60)]
    not_after: float
    """Expiry time of an untaken request, in seconds of the Redis server's clock."""


class Announcement(msgspec.Struct, frozen=True):
    """A worker's status, published about once a second; lists no bots during warm-up and shutdown."""

    worker: Name
    processes: Annotated[int, Meta(ge=1, le=1000)]
    busy: Annotated[int, Meta(ge=0, le=1000)]
    bots: Annotated[tuple[Name, ...], Meta(max_length=1000)]


class Taken(msgspec.Struct, frozen=True, tag="taken"):
    number: int
    worker: Name


class Answered(msgspec.Struct, frozen=True, tag="answered"):
    number: int
    move: Text


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Reply: the bot raised an error."""

    number: int
    why: Text


class RequestReturned(msgspec.Struct, frozen=True, tag="given back"):
    """Reply: the worker cannot compute the move, for example because it is shutting down."""

    number: int


Reply = Answered | Failed | RequestReturned
WorkerMessage = Taken | Reply
read_request = msgspec.msgpack.Decoder(MoveRequest).decode
read_announcement = msgspec.msgpack.Decoder(Announcement).decode
read_message = msgspec.msgpack.Decoder[WorkerMessage](WorkerMessage).decode
encode = msgspec.msgpack.encode


class QueueUnavailable(Exception):  # noqa: N818 (it may recover)
    """Redis is down or did not answer in time."""


class RedisPipeline:
    """One Redis connection that matches pipelined commands to replies by their order."""

    def __init__(self) -> None:
        self.connection: Any = None
        self.is_closed = False
        self._waiting: deque[asyncio.Future[Any]] = deque()

    async def run(self, commands: list[bytes]) -> list[Any]:
        replies = [asyncio.get_running_loop().create_future() for _ in commands]
        self._waiting.extend(replies)
        self.connection.write(b"".join(commands))
        return await asyncio.gather(*replies)

    def on_reply(self, reply: Any) -> None:
        settle(self._waiting.popleft(), reply)

    def close(self, problem: Exception) -> None:
        """Close the connection, and fail all commands that have no reply yet."""
        self.is_closed = True
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_exception(ConnectionError(str(problem)))


class RequestQueue:
    """Move requests in Redis, one list per bot; connects on first use and reconnects after an outage."""

    def __init__(self, url: str, *, longest: float) -> None:
        """Create an unconnected queue; ``longest`` is the reply time-out in seconds, including connecting."""
        self._pool = pool_at(url)
        self._prefix = f"{prefix_at(self._pool)}thoughts:{VERSION}:"
        self._longest = longest
        self._connection = AsyncExitStack()
        self._connecting = asyncio.Lock()
        self._pipeline: RedisPipeline | None = None

    async def now(self) -> float:
        """Return the time of the Redis server's clock, in seconds."""
        ((seconds, microseconds),) = await self._run([("TIME",)])
        return int(seconds) + int(microseconds) / 1_000_000

    async def put(self, request: MoveRequest) -> None:
        name = self._prefix + request.bot
        await self._run(
            [
                ("LPUSH", name, encode(request)),
                ("LTRIM", name, "0", str(MAX_QUEUED - 1)),
                ("EXPIRE", name, str(QUEUE_SECONDS)),
            ]
        )

    async def take(self, bots: list[str], *, seconds: float) -> bytes | None:
        """Pop the oldest request of the first listed bot that has one; None after waiting ``seconds``."""
        names = [self._prefix + bot for bot in bots]
        (found,) = await self._run([("BRPOP", *names, str(seconds))], seconds)
        return found[1] if found else None

    async def close(self) -> None:
        await self._connection.aclose()

    async def _run(self, commands: list[tuple[str | bytes, ...]], more_seconds: float = 0.0) -> list[Any]:
        from royalcrypt.server.cluster.redis_channel import connected, packed  # noqa: PLC0415 (an extra)

        pipeline = None
        try:
            async with asyncio.timeout(self._longest + more_seconds):
                async with self._connecting:
                    pipeline = self._pipeline
                    if pipeline is None or pipeline.is_closed:
                        await self._connection.aclose()
                        pipeline = RedisPipeline()
                        opening = connected(self._pool, pipeline.on_reply, pipeline.close)
                        pipeline.connection = await self._connection.enter_async_context(opening)
                        self._pipeline = pipeline
                return await pipeline.run([packed(*command) for command in commands])
        except Exception as problem:
            if pipeline is not None:
                pipeline.close(problem)
            raise QueueUnavailable(type(problem).__name__) from problem


def settle(future: "asyncio.Future[Any]", result: object) -> None:
    """Set a future's result unless it is already done, for example cancelled."""
    if not future.done():
        future.set_result(result)
