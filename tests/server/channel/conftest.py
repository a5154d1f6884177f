"""Channels of several processes that are in fact one."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from royalcrypt.server.cluster.channel import Channel, Listener, open_channel
from tests.services.redis import Redis

Opener = Callable[[Listener], Channel]


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return "asyncio", {"use_uvloop": request.param}


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """To which nothing bad is done."""
    with Redis() as running:
        yield running


@pytest.fixture
def frail_redis() -> Iterator[Redis]:
    with Redis() as running:
        yield running


@pytest.fixture
async def opened() -> AsyncIterator[list[Channel]]:
    """Whatever is put here is closed in the end."""
    channels: list[Channel] = []
    yield channels
    for channel in channels:
        await channel.close()


@pytest.fixture
def enter(redis: Redis, opened: list[Channel]) -> Opener:
    """A channel for another process of the same server."""
    return at(redis.url, opened)


@pytest.fixture
def enter_frail(frail_redis: Redis, opened: list[Channel]) -> Opener:
    return at(frail_redis.url, opened)


def at(url: str, opened: list[Channel]) -> Opener:
    def enter(listener: Listener) -> Channel:
        opened.append(open_channel(url, listener))
        return opened[-1]

    return enter
