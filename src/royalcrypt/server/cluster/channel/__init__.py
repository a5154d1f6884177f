"""Hints between the processes of one server, in memory or by way of Redis."""

from royalcrypt.server.cluster.channel.address import pool_at
from royalcrypt.server.cluster.channel.memory import MemoryBus, MemoryChannel
from royalcrypt.server.cluster.channel.protocol import Channel, Listener

__all__ = ["Channel", "Listener", "MemoryBus", "MemoryChannel", "open_channel"]


def open_channel(url: str | None, listener: Listener) -> Channel:
    """To the other processes at this address; without one, this process is alone.

    Needs a running event loop, and waits for nothing: a Redis that is not there may come later.
    """
    if url is None:
        return MemoryChannel(MemoryBus(), listener)
    pool = pool_at(url, protocol=2)  # the third version has nothing for us, and a longer greeting
    from royalcrypt.server.cluster.channel.redis import RedisChannel  # noqa: PLC0415 (an extra)

    return RedisChannel(pool, listener)
