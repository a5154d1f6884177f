"""What processes of one server tell each other: hints that something has happened. None is relied upon."""

import asyncio
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from royalcrypt.notation.reasons import Reason, Refusal


class Listener(Protocol):
    """Whoever hears. Called on the event loop, and must not block."""

    def on_message(self, topic: str, hint: bytes) -> None: ...

    def on_subscribed(self, topic: str) -> None:
        """From now on hints on this topic arrive (again): what happened before may have been missed."""
        ...


class Channel(Protocol):
    """Hints between processes. One may be lost, come late, come twice or come back to its sender; the journal
    is the truth."""

    @property
    def is_up(self) -> bool:
        """Whether hints go out and come in, as far as is known."""
        ...

    def publish(self, topic: str, hint: bytes) -> None:
        """Never waits and never raises; dropped when the channel is down or too many wait."""
        ...

    def subscribe(self, topic: str) -> None:
        """In the background: ``on_subscribed`` tells when it holds. Once more does no harm."""
        ...

    def unsubscribe(self, topic: str) -> None:
        """From now on nothing of this topic is heard."""
        ...

    async def close(self) -> None:
        """Nothing is heard or published from now on."""
        ...


class MemoryBus:
    """What its channels share; each of them stands for a process."""

    def __init__(self) -> None:
        self.subscribers: dict[str, set[MemoryChannel]] = {}


class MemoryChannel:
    def __init__(self, bus: MemoryBus, listener: Listener) -> None:
        self._bus = bus
        self._listener = listener
        self._topics: set[str] = set()
        self._loop = asyncio.get_running_loop()
        self._is_closed = False

    @property
    def is_up(self) -> bool:
        return not self._is_closed

    def publish(self, topic: str, hint: bytes) -> None:
        if not self._is_closed:
            for channel in self._bus.subscribers.get(topic, ()):
                if channel is not self:
                    self._loop.call_soon(channel.deliver, topic, hint)

    def deliver(self, topic: str, hint: bytes) -> None:
        if topic in self._topics:
            self._listener.on_message(topic, hint)

    def subscribe(self, topic: str) -> None:
        if topic not in self._topics and not self._is_closed:
            self._topics.add(topic)
            self._bus.subscribers.setdefault(topic, set()).add(self)
            self._loop.call_soon(self._begin, topic)

    def _begin(self, topic: str) -> None:
        if topic in self._topics:
            self._listener.on_subscribed(topic)

    def unsubscribe(self, topic: str) -> None:
        if topic in self._topics:
            self._topics.remove(topic)
            subscribers = self._bus.subscribers[topic]
            subscribers.remove(self)
            if not subscribers:
                del self._bus.subscribers[topic]

    async def close(self) -> None:
        self._is_closed = True
        for topic in list(self._topics):
            self.unsubscribe(topic)


if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool


NEEDED = ("redis", "hiredis", "cryptography")


def must_have_redis() -> None:
    """Refuse a channel that nobody here could open."""
    if any(find_spec(name) is None for name in NEEDED):
        raise Refusal(Reason.NO_REDIS)


def pool_at(url: str, **options: Any) -> "ConnectionPool":
    """Connects to nothing yet. What the address says goes before ``options``."""
    must_have_redis()
    from redis import asyncio  # noqa: PLC0415 (an extra)

    library: Any = asyncio
    plain = "redis" + url.removeprefix("valkey") if url.startswith("valkey") else url
    try:
        pool = library.ConnectionPool.from_url(plain, **options)
        pool.make_connection()
    except (TypeError, ValueError):  # an option that there is not, or not so
        raise Refusal(
            Reason.WRONG_SETTING, where="redis", name="channel", found="…", needed="channel"
        ) from None
    return pool


def prefix_at(pool: "ConnectionPool") -> str:
    """Before every key and topic. Two communities on one Redis choose two numbers of databases; topics know
    nothing of these by themselves."""
    return f"royalcrypt:{pool.connection_kwargs.get('db', 0)}:"


__all__ = ["Channel", "Listener", "MemoryBus", "MemoryChannel", "open_channel"]


def open_channel(url: str | None, listener: Listener) -> Channel:
    """To the other processes at this address; without one, this process is alone.

    Needs a running event loop, and waits for nothing: a Redis that is not there may come later.
    """
    if url is None:
        return MemoryChannel(MemoryBus(), listener)
    pool = pool_at(url, protocol=2)  # the third version has nothing for us, and a longer greeting
    from royalcrypt.server.cluster.redis_channel import RedisChannel  # noqa: PLC0415 (an extra)

    return RedisChannel(pool, listener)
