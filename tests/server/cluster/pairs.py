"""Two server processes on one database, both on this event loop, and people who are at either or both."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest

from royalcrypt.server import startup
from tests.server.harness import Host, Person, serving, until
from tests.services.redis import Redis

T = TypeVar("T")
Test = Callable[["Pair"], Awaitable[None]]
Meet = Callable[..., None]
"""Runs a test of two processes, with settings for both."""
QUICK = 0.05
"""Seconds between the chores of a test's server."""


class Pair(NamedTuple):
    first: Host
    second: Host


@contextlib.asynccontextmanager
async def pair(folder: Path, url: str, channel: str | None, **settings: Any) -> AsyncGenerator[Pair]:
    shared: dict[str, Any] = {"database": url, "channel": channel, **settings}
    async with serving(folder / "a", **shared) as first, serving(folder / "b", **shared) as second:
        if channel is not None:
            for host in (first, second):
                await until_up(host)
        yield Pair(first, second)


async def until_up(host: Host) -> None:
    async with asyncio.timeout(20):
        while not host.service.peers.is_connected:  # noqa: ASYNC110 (nobody rings a bell)
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def elsewhere(someone: Person, host: Host, *, is_connected: bool = True) -> AsyncGenerator[Person]:
    """The same person, as another process knows them."""
    async with host.client(cookies=someone.http.cookies) as http:
        twin = Person(host, http, someone.name)
        twin.id = someone.id
        if is_connected:
            await twin.connect()
        yield twin
        await twin.disconnect()


async def hear_until(someone: Person, is_wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    while not is_wanted(message := await someone.hear_any()):
        pass
    return message


async def until_seen(host: Host, table: str, *people: Person) -> None:
    """As having it open elsewhere."""
    await until(lambda: {one.id for one in people} <= host.service.hub.remote_people(table))


def reads_at(host: Host, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, int]]:
    """What a process reads on from now on."""
    journal, reads = host.service.journal, list[dict[str, int]]()
    read = journal.entries_of

    async def entries_of(since: dict[str, int]) -> Any:
        reads.append(since)
        return await read(since)

    monkeypatch.setattr(journal, "entries_of", entries_of)
    return reads


def run_pair(
    test: Callable[[Pair], Awaitable[T]], folder: Path, url: str, redis: Redis | None, **settings: Any
) -> T:
    async def run() -> T:
        async with pair(folder, url, redis and redis.url, **settings) as hosts:
            return await test(hosts)

    return asyncio.run(run())


def hurry(monkeypatch: Any) -> None:
    for name in ("SWEEP_SECONDS", "FLUSH_SECONDS", "HEARTBEAT_SECONDS", "POLL_SECONDS"):
        monkeypatch.setattr(startup, name, QUICK)
