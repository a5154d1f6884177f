"""Channels carry hints between processes, through Redis (``redis_channel``)."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool

REQUIRED = ("redis", "hiredis", "cryptography")


class Listener(Protocol):
    """Handles messages of a channel, on the event loop; must not block."""

    def on_message(self, topic: str, hint: bytes) -> None: ...

    def on_subscribed(self, topic: str) -> None:
        """Hints on this topic arrive from now on (again); earlier ones may have been missed."""
        ...


class Channel(Protocol):
    """A hint may be lost, late, doubled or returned to its sender; the journal is the truth."""

    @property
    def is_up(self) -> bool:
        """Whether hints go out and come in, as far as is known."""
        ...

    def publish(self, topic: str, hint: bytes) -> None:
        """Never waits and never raises; drops the hint if the channel is down or its buffer is full."""
        ...

    def subscribe(self, topic: str) -> None:
        """Subscribe in the background, then call ``on_subscribed``; has no effect if already subscribed."""
        ...

    def unsubscribe(self, topic: str) -> None:
        """No message of this topic is delivered from now on."""
        ...

    async def close(self) -> None:
        """No message is delivered or published from now on."""
        ...


def open_channel(url: str, listener: Listener) -> Channel:
    """Needs a running event loop. Connects in the background, so Redis may be down at first."""
    pool = pool_at(url, protocol=2)  # RESP3 has a longer handshake and no advantage here.
    from royalcrypt.server.cluster.redis_channel import RedisChannel  # noqa: PLC0415 (an extra)

    return RedisChannel(pool, listener)


def pool_at(url: str, **options: Any) -> "ConnectionPool":
    """A connection pool that is not connected yet. The address takes precedence over ``options``."""
    if any(find_spec(name) is None for name in REQUIRED):
        raise Refusal(Reason.NO_REDIS)
    from redis import asyncio as redis_asyncio  # noqa: PLC0415 (an extra)

    library: Any = redis_asyncio
    plain = "redis" + url.removeprefix("valkey") if url.startswith("valkey") else url
    try:
        pool = library.ConnectionPool.from_url(plain, **options)
        pool.make_connection()
    except (TypeError, ValueError):  # an unknown option or a wrong value
        raise Refusal(
            Reason.WRONG_SETTING, where="redis", name="channel", found="…", needed="channel"
        ) from None
    return pool


def prefix_at(pool: "ConnectionPool") -> str:
    """Prefix of all keys and topics, with the number of the database: topics are shared by all databases."""
    return f"royalcrypt:{pool.connection_kwargs.get('db', 0)}:"
