"""A worker or a Redis that is gone, stopped or back again costs a moment, never a move."""

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from royalcrypt.server.bots import remote_workers
from royalcrypt.server.bots.move_requests import Failed, RequestReturned
from royalcrypt.server.bots.pool import LOCAL, REMOTE, BotRunner, check
from tests.server.processes import Process
from tests.server.workers.asking import PATIENCE, VIEW, Asking, asking, until, working
from tests.services.redis import Redis

IMMUTABLE = 600_000
"""Milliseconds."""


@pytest.fixture(autouse=True)
def _doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Believe in workers for no longer than necessary."""
    monkeypatch.setattr(remote_workers, "ONLINE_SECONDS", 1.5)


async def in_mid_thought(workers: Asking, milliseconds: int = IMMUTABLE) -> "asyncio.Task[str | None]":
    await workers.know("sleepy")
    taken = len(workers.takers())
    thought = asyncio.create_task(workers.ask("sleepy", milliseconds))
    await until(lambda: len(workers.takers()) > taken)
    return thought


async def move(workers: Asking) -> list[str]:
    """Let a server's bot move; tells where it was thought of."""
    where: list[str] = []
    chosen = await BotRunner(1, remote=workers, on_choice=where.append).choose("greedy", VIEW)
    check(chosen, VIEW)
    return where


async def move_apart(workers: Asking) -> None:
    """At last: a worker that is heard again may still have to find its way back to where thoughts lie."""
    async with asyncio.timeout(PATIENCE):
        await workers.know()
        while await move(workers) != [REMOTE]:
            await workers.know()


def kill(worker: Process) -> None:
    worker.process.kill()
    worker.process.wait()


def test_a_worker_that_is_killed_in_mid_thought_is_not_waited_for(own_redis: Redis, tmp_path: Path) -> None:
    async def test(worker: Process) -> None:
        async with asking(own_redis) as workers:
            await move_apart(workers)
            thought = await in_mid_thought(workers)
            kill(worker)
            assert await thought is None
            assert not workers.has("greedy"), "it is not asked again"
            assert await move(workers) == [LOCAL]

    with working(tmp_path, own_redis) as worker:
        asyncio.run(test(worker))


def test_thoughts_that_nobody_takes_are_thought_here(own_redis: Redis, tmp_path: Path) -> None:
    async def test(worker: Process) -> None:
        async with asking(own_redis) as workers:
            await workers.know()
            kill(worker)
            assert workers.has("greedy"), "it is still believed to be there"
            assert await move(workers) == [LOCAL]
            await until(lambda: not workers.online())

    with working(tmp_path, own_redis) as worker:
        asyncio.run(test(worker))


def test_a_worker_that_was_stopped_for_a_while_thinks_on_and_its_late_answer_is_ignored(
    own_redis: Redis, tmp_path: Path
) -> None:
    async def test(worker: Process) -> None:
        async with asking(own_redis) as workers:
            await workers.know("sleepy")
            os.kill(worker.process.pid, signal.SIGSTOP)
            assert await workers.ask("sleepy", 1) is None
            await until(lambda: not workers.online())
            assert await move(workers) == [LOCAL]
            os.kill(worker.process.pid, signal.SIGCONT)
            await move_apart(workers)

    with working(tmp_path, own_redis) as worker:
        asyncio.run(test(worker))


def test_a_worker_stopped_in_mid_thought_answers_too_late(own_redis: Redis, tmp_path: Path) -> None:
    async def test(worker: Process) -> None:
        async with asking(own_redis) as workers:
            thought = await in_mid_thought(workers, 300)
            os.kill(worker.process.pid, signal.SIGSTOP)
            assert await thought is None
            os.kill(worker.process.pid, signal.SIGCONT)
            await until(lambda: len(workers.news) == 2)
            await move_apart(workers)

    with working(tmp_path, own_redis) as worker:
        asyncio.run(test(worker))


def test_a_bot_that_hangs_loses_its_process_and_is_left_alone(own_redis: Redis, tmp_path: Path) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers:
            for _ in range(2):
                await workers.know("sleepy")
                assert await workers.ask("sleepy", IMMUTABLE, seconds=0.1) is None
                await until(lambda: isinstance(workers.news[-1], Failed))
            await until(lambda: workers.has("greedy") and not workers.has("sleepy"))
            await move_apart(workers)

    with working(tmp_path, own_redis):
        asyncio.run(test())


def test_a_redis_that_comes_back_brings_the_workers_back(own_redis: Redis, tmp_path: Path) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers:
            await move_apart(workers)
            own_redis.stop()
            for _ in range(3):
                assert await move(workers) == [LOCAL]
            own_redis.start()
            await move_apart(workers)

    with working(tmp_path, own_redis) as worker, capture_logs() as logged:
        asyncio.run(test())
        assert worker.end(signal.SIGTERM) == 0
        assert "Traceback" not in worker.complaints()
    assert sum(entry["event"] == "requests to bot-workers failed" for entry in logged) <= 1


def test_a_redis_that_is_stopped_stops_nobody(own_redis: Redis, tmp_path: Path) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers:
            await workers.know()
            own_redis.pause()
            for _ in range(2):
                assert await move(workers) == [LOCAL]
            own_redis.resume()
            await move_apart(workers)

    with working(tmp_path, own_redis):
        asyncio.run(test())


def test_a_worker_waits_for_a_redis_that_is_not_there_yet(own_redis: Redis, tmp_path: Path) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers:
            await workers.know()
            assert await workers.ask("greedy") is not None

    own_redis.stop()
    with working(tmp_path, own_redis):
        own_redis.start()
        asyncio.run(test())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_worker_ends_well_and_gives_back_what_it_has_not_done(
    own_redis: Redis, tmp_path: Path, number: signal.Signals
) -> None:
    async def test(worker: Process) -> None:
        async with asking(own_redis) as workers:
            thought = await in_mid_thought(workers)
            assert await asyncio.to_thread(worker.end, number) == 0
            assert await thought is None
            assert isinstance(workers.news[-1], RequestReturned)
            assert not workers.has("greedy"), "it has taken its leave"

    with working(tmp_path, own_redis) as worker:
        asyncio.run(test(worker))
        assert "Stopped." in worker.said
        assert "Traceback" not in worker.complaints()


def test_a_worker_ends_though_redis_does_not_answer(own_redis: Redis, tmp_path: Path) -> None:
    with working(tmp_path, own_redis) as worker:
        own_redis.pause()
        began = time.monotonic()
        assert worker.end(signal.SIGTERM) == 0
        assert time.monotonic() - began < 10
        own_redis.resume()
