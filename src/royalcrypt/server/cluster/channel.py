"""The channel interface: publish and subscribe hints between processes (``redis_channel`` implements it)."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from redis.asyncio import ConnectionPool

REQUIRED = ("redis", "hiredis", "cryptography")


class Listener(Protocol):
    """Receives messages of a channel on the event loop; must not block."""

    def on_message(self, topic: str, hint: bytes) -> None: ...

    def on_subscribed(self, topic: str) -> None:
        """Called when a subscription becomes active, also after an outage; earlier hints may be lost."""
        ...


class Channel(Protocol):
    """Unreliable transport: hints may be lost, late, duplicated or returned to their sender."""

    @property
    def is_up(self) -> bool:
        """Whether hints can be sent and received, as far as is known."""
        ...

    def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint without blocking; it is dropped if the channel is down or its buffer is full."""
        ...

    def subscribe(self, topic: str) -> None:
        """Subscribe in the background, then call ``on_subscribed``; repeated calls have no effect."""
        ...

    def unsubscribe(self, topic: str) -> None:
        """Stop delivery of this topic's messages at once."""
        ...

    async def close(self) -> None:
        """Close the channel; later messages are neither delivered nor published."""
        ...


def open_channel(url: str, listener: Listener) -> Channel:
    """Open a channel that connects in the background, even if Redis is down; needs a running event loop."""
    pool = pool_at(url, protocol=2)  # RESP3 has a longer handshake and no advantage here.
    from royalcrypt.server.cluster.redis_channel import RedisChannel  # noqa: PLC0415 (an extra)

    return RedisChannel(pool, listener)


def pool_at(url: str, **options: Any) -> "ConnectionPool":
    """Create an unconnected Redis pool; settings in the URL take precedence over ``options``."""
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
    """Return the prefix of keys and topics; it has the database number, since topics span all databases."""
    return f"royalcrypt:{pool.connection_kwargs.get('db', 0)}:"
