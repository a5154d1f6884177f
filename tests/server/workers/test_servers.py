"""A server whose bots think elsewhere: games go on as ever, and what is offered is what somebody can play."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from royalcrypt.bots.registry import LADDER, PLAIN
from royalcrypt.play.game import Game
from royalcrypt.play.views import View
from royalcrypt.server.bots import remote_workers
from royalcrypt.server.bots.move_requests import (
    WORKERS,
    Announcement,
    Answered,
    MoveRequest,
    RequestQueue,
    Taken,
    encode,
    read_request,
)
from royalcrypt.server.bots.pool import (
    LOCAL,
    MAX_REMOTE_TIMEOUTS,
    REMOTE,
    WHAT_IF_SECONDS,
    BotRunner,
    choose_move,
)
from royalcrypt.server.cluster.channel import Channel, open_channel
from tests.golden.games import GAMES
from tests.properties.games import random_move
from tests.properties.hidden import known_to
from tests.server.harness import Host, Json, person, play_on, with_server
from tests.server.workers.asking import VIEW, asking, until, working
from tests.services.redis import Redis

SEER = "seer"
RECORD: Json = json.loads(GAMES[1].path.read_text("utf-8"))
"""Of two."""
NONSENSE = (b"", b"\xff", b"{}", encode([1, 2, 3]), encode({"type": "answered", "number": 0}))


class Actor:
    """Says that it is a worker, and answers as it is told to."""

    def __init__(self, url: str, answer: Callable[[MoveRequest], str]) -> None:
        self._requests = RequestQueue(url, longest=5.0)
        self._channel: Channel = open_channel(url, self)
        self._answer = answer
        self.bots: tuple[str, ...] = (SEER, "greedy")
        self.thoughts: list[MoveRequest] = []

    def on_message(self, topic: str, hint: bytes) -> None: ...

    def on_subscribed(self, topic: str) -> None: ...

    async def play(self) -> None:
        while True:
            self._channel.publish(WORKERS, encode(Announcement("actor", 1, 0, self.bots)))
            found = await self._requests.take(list(self.bots), seconds=0.2) if self.bots else None
            if found is not None:
                thought = read_request(found)
                self.thoughts.append(thought)
                for news in (Taken(thought.number, "actor"), Answered(thought.number, self._answer(thought))):
                    self._channel.publish(thought.topic, encode(news))

    async def leave(self) -> None:
        await self._channel.close()
        await self._requests.close()


@asynccontextmanager
async def acting(redis: Redis, answer: Callable[[MoveRequest], str]) -> AsyncGenerator[Actor]:
    actor = Actor(redis.url, answer)
    playing = asyncio.create_task(actor.play())
    try:
        yield actor
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await actor.leave()


def as_greedy(thought: MoveRequest) -> str:
    return choose_move("greedy", thought.view, thought.seed)


def thoughts(host: Host) -> dict[str, float]:
    counted = host.service.metrics.thoughts
    return {where: counted.labels(where)._value.get() for where in (LOCAL, REMOTE)}


def with_channel(test: Callable[[Host], Awaitable[None]], folder: Path, redis: Redis) -> None:
    with_server(test, folder / "data", channel=redis.url)


def has_worker(host: Host, bot: str) -> bool:
    workers = host.service.workers
    return workers is not None and workers.has(bot)


async def play_with(host: Host, level: str, *, most: int = 10_000) -> None:
    """A person plays at random beside two bots."""
    async with person(host) as ada:
        bots = [{"seat": seat, "level": level} for seat in (1, 2)]
        opened = await ada.open_table(players=3, bots=bots, start=True)
        table = opened["info"]["table"]
        await ada.watch(table)
        await play_on([ada], table, random.Random(2), most=most)


def test_a_whole_game_is_thought_of_in_a_worker(redis: Redis, tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        await until(lambda: has_worker(host, "greedy"))
        await play_with(host, "greedy")
        counted = thoughts(host)
        assert counted[REMOTE] > 10
        assert counted[LOCAL] <= counted[REMOTE] / 10, "a busy machine may be late now and then"
        async with host.client() as http:
            told = (await http.get("/metrics")).text
        assert f'royalcrypt_thoughts_total{{where="elsewhere"}} {counted[REMOTE]}' in told
        assert 'royalcrypt_bot_worker_processes{state="idle"} 1.0' in told

    with working(tmp_path, redis):
        with_channel(test, tmp_path, redis)


def test_without_a_worker_the_server_thinks_itself(own_redis: Redis, tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        await play_with(host, "greedy", most=3)
        counted = thoughts(host)
        assert (counted[LOCAL] > 0, counted[REMOTE]) == (True, 0)

    with_channel(test, tmp_path, own_redis)


def test_without_a_channel_nothing_is_asked_for(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        assert host.service.workers is None
        assert not has_worker(host, "greedy")

    with_server(test, tmp_path)


def test_bots_that_only_workers_can_play_are_offered_as_long_as_there_are_some(
    own_redis: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_workers, "ONLINE_SECONDS", 1.0)
    monkeypatch.setattr("royalcrypt.bots.registry.can_compile", lambda: False)

    async def test(host: Host) -> None:
        async with person(host) as ada:

            async def offered() -> list[str]:
                return list(await ada.ask("GET", "/api/bots"))

            assert await offered() == list(PLAIN)
            async with acting(own_redis, as_greedy) as actor:
                await until(lambda: has_worker(host, SEER))
                assert await offered() == [*PLAIN, SEER]
                await play_with(host, SEER, most=2)
                assert {thought.bot for thought in actor.thoughts} == {SEER}
            await until(lambda: not has_worker(host, SEER))
            assert await offered() == list(PLAIN)
            before = thoughts(host)
            await play_with(host, SEER, most=1)
            assert thoughts(host)[REMOTE] == before[REMOTE], "greedy plays for it"

    with_channel(test, tmp_path, own_redis)


def test_what_if_is_thought_of_in_workers_too_and_briefly(own_redis: Redis, tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, acting(own_redis, as_greedy) as actor:
            await until(lambda: has_worker(host, "greedy"))
            seat = 1 - RECORD["game"]["leader"]
            asked = {"record": RECORD, "move": 0, "seat": seat, "level": "greedy", "seed": 7}
            await ada.ask("POST", "/api/line", asked)
            assert {thought.seconds for thought in actor.thoughts} == {WHAT_IF_SECONDS}

    with_channel(test, tmp_path, own_redis)


def test_the_strongest_bot_that_somebody_can_play_answers_for_one_that_nobody_can(own_redis: Redis) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers, acting(own_redis, as_greedy) as actor:
            await workers.know(SEER)
            await BotRunner(1, remote=workers).choose([*LADDER][-1], VIEW)
            assert [thought.bot for thought in actor.thoughts] == [SEER]

    asyncio.run(test())


def test_for_bots_that_are_only_elsewhere_nobody_waits_more_than_twice(own_redis: Redis) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers:
            announcement = Announcement("silent", 1, 0, tuple(LADDER))
            workers.on_message(WORKERS, encode(announcement))
            where: list[str] = []
            await BotRunner(1, remote=workers, on_choice=where.append).choose([*LADDER][-1], VIEW)
            assert where == [LOCAL]
            assert next(workers._numbers) == MAX_REMOTE_TIMEOUTS

    asyncio.run(test())


@pytest.mark.parametrize("junk", ["", "the left one", "1:3x6 2:3x6 3:3x6", "recover; recover", "\x00" * 900])
def test_a_workers_junk_counts_as_a_bots_failure(own_redis: Redis, junk: str) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers, acting(own_redis, lambda _: junk):
            await workers.know()
            await BotRunner(1, remote=workers, is_ready=lambda name: name == "novice").choose("greedy", VIEW)

    with capture_logs() as logged:
        asyncio.run(test())
    assert [entry["bot"] for entry in logged if entry["event"] == "bot failed"] == ["greedy"] * 2


def test_what_cannot_be_read_is_told_and_changes_nothing(own_redis: Redis) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers, acting(own_redis, as_greedy) as actor:
            await workers.know()
            for topic in (WORKERS, workers._topic):
                for hint in NONSENSE:
                    remote_workers.RemoteWorkers.on_message(workers, topic, hint)
            assert await workers.ask("greedy") is not None
            assert len(actor.thoughts) == 1

    with capture_logs() as logged:
        asyncio.run(test())
    assert sum(entry["event"] == "unreadable message" for entry in logged) == 2 * len(NONSENSE)


def test_a_thought_holds_nothing_that_its_seat_does_not_know(own_redis: Redis) -> None:
    async def test() -> None:
        async with asking(own_redis) as workers, acting(own_redis, as_greedy) as actor:
            await workers.know()
            rng, hidden = random.Random(5), 0
            game = Game.new(players=3, collectors="BBBBBB", seed=5)
            while (seat := game.actor) is not None:
                if len(actor.thoughts) < 12:
                    await workers.choose("greedy", game.view(seat).pack(), 1, 1.0)
                    seen = View.unpack(actor.thoughts[-1].view)
                    assert seen == game.view(seat)
                    unknown = set(range(game.state.drawn)) - known_to(seat, game)
                    assert not any(seen.known.card_value[card] for card in unknown)
                    hidden += len(unknown)
                seat, move = random_move(game, rng)
                game.play(move, seat=seat)
            assert hidden

    asyncio.run(test())
