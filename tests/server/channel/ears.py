"""Somebody who hears, and remembers it; and how to wait for that."""

import asyncio
from collections.abc import Callable
from typing import Any

from royalcrypt.server.cluster.channel import Channel, pool_at
from tests.services.redis import Redis

PATIENCE = 30.0
"""Seconds, on a machine that is busy with other tests."""


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.hearing: list[str] = []
        """Topics, each time that it was told of them."""

    def on_message(self, topic: str, hint: bytes) -> None:
        self.heard.append((topic, hint))

    def on_subscribed(self, topic: str) -> None:
        self.hearing.append(topic)


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():  # noqa: ASYNC110 (of all that may happen, nothing tells)
            await asyncio.sleep(0.005)


async def is_up(channel: Channel) -> None:
    await until(lambda: channel.is_up)


async def is_down(channel: Channel) -> None:
    await until(lambda: not channel.is_up)


async def hears(ear: Ear, *topics: str) -> None:
    """Wait until it was told of all of them, and begin anew."""
    await until(lambda: set(topics) <= set(ear.hearing))
    ear.hearing.clear()


async def ask(redis: Redis, *command: str) -> Any:
    """As its administrator."""
    connection: Any = pool_at(redis.url).make_connection()
    try:
        await connection.send_command(*command)
        return await connection.read_response()
    finally:
        await connection.disconnect()
