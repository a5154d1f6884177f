"""Bots think in workers elsewhere, and it makes no difference to anybody."""

import asyncio
from collections.abc import Generator
from pathlib import Path

import pytest

from royalcrypt.bots.registry import PLAIN
from royalcrypt.server.bots.move_requests import Failed, MoveRequest, Taken, encode
from royalcrypt.server.bots.pool import WorkerFailed, choose_move
from tests.server.processes import Process
from tests.server.workers.asking import PACKED, asking, until, working
from tests.services.redis import Redis


@pytest.fixture(scope="module")
def worker(redis: Redis, tmp_path_factory: pytest.TempPathFactory) -> Generator[Process]:
    with working(tmp_path_factory.mktemp("shared"), redis) as running:
        yield running


def test_a_worker_thinks_what_anybody_would_think(redis: Redis, worker: Process) -> None:
    async def test() -> None:
        async with asking(redis) as workers:
            await workers.know()
            for bot in PLAIN:
                assert await workers.ask(bot, 7) == choose_move(bot, PACKED, 7)

    asyncio.run(test())


def test_a_worker_says_how_it_is_and_takes_no_more_than_it_can_think(redis: Redis, worker: Process) -> None:
    async def test() -> None:
        async with asking(redis) as workers:
            await workers.know("sleepy")
            assert workers.processes() == (1, 0)
            slow = asyncio.create_task(workers.ask("sleepy", 1200, seconds=5.0))
            await until(workers.takers)
            assert await workers.ask("sleepy", 1) is None, "the only process is taken"
            await until(lambda: workers.processes() == (1, 1))
            assert await slow is not None
            assert await workers.ask("sleepy", 1) is not None
            assert len(workers.takers()) == 2, "what nobody waits for any more is dropped"

    asyncio.run(test())


def test_a_thought_that_is_too_old_is_dropped(redis: Redis, worker: Process) -> None:
    async def test() -> None:
        async with asking(redis) as workers:
            await workers.know()
            now = await workers._requests.now()
            await workers._requests.put(MoveRequest(-1, workers._topic, "greedy", PACKED, 1, 1.0, now - 0.01))
            await workers._requests.put(MoveRequest(-2, workers._topic, "greedy", PACKED, 1, 1.0, now + 60.0))
            assert await workers.ask("greedy") is not None
            assert {news.number for news in workers.news} == {-2, 0}

    asyncio.run(test())


def test_what_a_bot_fails_at_is_told(redis: Redis, worker: Process) -> None:
    async def test() -> None:
        async with asking(redis) as workers:
            await workers.know("raising")
            with pytest.raises(WorkerFailed, match="ValueError: no idea"):
                await workers.ask("raising")
            with pytest.raises(WorkerFailed, match="BrokenWorkerProcess"):
                await workers.ask("leaving")
            await workers.know("babbling")
            assert await workers.ask("babbling") == "the left one, please"
            await workers.know()
            assert await workers.ask("greedy") is not None, "another process thinks on"

    asyncio.run(test())


def test_nothing_is_thought_for_those_who_write_nonsense(redis: Redis, worker: Process) -> None:
    async def test() -> None:
        async with asking(redis) as workers:
            await workers.know()
            queue = workers._requests
            later = await queue.now() + 60
            await queue.put(MoveRequest(-1, workers._topic, "greedy", b"nonsense", 1, 1.0, later))
            await queue.put(MoveRequest(-2, workers._topic, "os:getcwd", PACKED, 1, 1.0, later))
            await queue._run([("LPUSH", f"{queue._prefix}greedy", b"nonsense", encode([1, 2]))])
            assert await workers.ask("greedy") is not None
            assert await queue._run([("LLEN", f"{queue._prefix}os:getcwd")]) == [1], "who was not announced"
            taken, failed = (news for news in workers.news if news.number == -1)
            assert (type(taken), type(failed)) == (Taken, Failed)

    asyncio.run(test())


def test_two_workers_share_the_work(redis: Redis, worker: Process, tmp_path: Path) -> None:
    async def test() -> None:
        async with asking(redis) as workers:
            await until(lambda: sum("sleepy" in worker.bots for worker in workers.online()) == 2)
            answers = await asyncio.gather(*(workers.ask("sleepy", 1000, seconds=5.0) for _ in range(2)))
            assert None not in answers
            assert len(set(workers.takers())) == 2

    with working(tmp_path, redis):
        asyncio.run(test())
