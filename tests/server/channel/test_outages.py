"""A Redis that goes, comes, stops or says nonsense: nobody waits for it, and all is well afterwards."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from royalcrypt.server.cluster.channel import Channel, open_channel
from royalcrypt.server.cluster.redis_channel import LONGEST_PAUSE, MOST_BYTES, SHORTEST_PAUSE, RedisChannel
from tests.server.channel.conftest import Opener
from tests.server.channel.ears import PATIENCE, Ear, ask, hears, is_down, is_up, until
from tests.services.redis import Redis

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> Any:
    return "asyncio", {"use_uvloop": True}


async def two_processes(enter: Opener, *topics: str) -> tuple[Channel, Channel, Ear]:
    """One that speaks, and one that hears these topics."""
    ear = Ear()
    speaking, hearing = enter(Ear()), enter(ear)
    for topic in topics:
        hearing.subscribe(topic)
    await hears(ear, *topics)
    await is_up(speaking)
    return speaking, hearing, ear


async def assert_all_is_well(speaking: Channel, ear: Ear, topic: str) -> None:
    await is_up(speaking)
    ear.heard.clear()
    speaking.publish(topic, b"moved")
    await until(lambda: ear.heard)
    assert ear.heard == [(topic, b"moved")]


def restart(redis: Redis) -> None:
    redis.restart()


def crash(redis: Redis) -> None:
    redis.kill()
    redis.start()


@pytest.mark.parametrize("outage", [restart, crash], ids=["restart", "crash"])
async def test_after_a_restart_every_topic_is_heard_again(
    frail_redis: Redis, enter_frail: Opener, outage: Callable[[Redis], None]
) -> None:
    topics = [f"table:{number}" for number in range(1000)]
    speaking, _, ear = await two_processes(enter_frail, *topics)
    for _ in range(2):
        await asyncio.to_thread(outage, frail_redis)
        await until(lambda: len(ear.hearing) >= len(topics))
        assert ear.hearing == topics
        ear.hearing.clear()
        await assert_all_is_well(speaking, ear, topics[-1])


async def has_retried(channel: Channel) -> None:
    assert isinstance(channel, RedisChannel)
    await until(lambda: channel._backoff.pause > SHORTEST_PAUSE)


async def tries_at_its_slowest(channel: Channel) -> None:
    """After several attempts to connect."""
    assert isinstance(channel, RedisChannel)
    await until(lambda: channel._backoff.pause == LONGEST_PAUSE)


async def test_an_outage_longer_than_any_pause_heals(frail_redis: Redis, enter_frail: Opener) -> None:
    speaking, hearing, ear = await two_processes(enter_frail, "crypt")
    frail_redis.kill()
    await is_down(speaking)
    await is_down(hearing)
    await tries_at_its_slowest(hearing)
    assert ear.hearing == []
    await asyncio.to_thread(frail_redis.start)
    await hears(ear, "crypt")
    await assert_all_is_well(speaking, ear, "crypt")


async def test_a_redis_that_stands_still_is_noticed_and_heard_again_when_it_moves(
    frail_redis: Redis, enter_frail: Opener
) -> None:
    speaking, hearing, ear = await two_processes(enter_frail, "crypt")
    frail_redis.pause()
    await is_down(hearing)
    await is_down(speaking)
    await has_retried(speaking)
    frail_redis.resume()
    await hears(ear, "crypt")
    await assert_all_is_well(speaking, ear, "crypt")


@pytest.mark.parametrize("kind", ["normal", "pubsub"])
async def test_one_connection_cut_is_made_anew(frail_redis: Redis, enter_frail: Opener, kind: str) -> None:
    speaking, _, ear = await two_processes(enter_frail, "crypt")
    assert int(await ask(frail_redis, "CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")) >= 2
    await hears(ear, "crypt")
    await assert_all_is_well(speaking, ear, "crypt")


async def test_a_server_starts_without_its_redis_and_hears_it_later(
    frail_redis: Redis, enter_frail: Opener
) -> None:
    frail_redis.kill()
    with capture_logs() as logs:
        ear = Ear()
        speaking, hearing = enter_frail(Ear()), enter_frail(ear)
        hearing.subscribe("crypt")
        await until(lambda: len(logs) >= 2)
    assert {line["event"] for line in logs} == {"channel is down"}
    assert not hearing.is_up
    await asyncio.to_thread(frail_redis.start)
    await hears(ear, "crypt")
    await assert_all_is_well(speaking, ear, "crypt")


async def test_what_is_asked_for_and_left_during_an_outage_holds_afterwards(
    frail_redis: Redis, enter_frail: Opener
) -> None:
    speaking, hearing, ear = await two_processes(enter_frail, "left", "kept")
    frail_redis.kill()
    await is_down(hearing)
    hearing.unsubscribe("left")
    hearing.subscribe("new")
    hearing.subscribe("neither")
    hearing.unsubscribe("neither")
    await asyncio.to_thread(frail_redis.start)
    await until(lambda: {"kept", "new"} <= set(ear.hearing))
    assert sorted(ear.hearing) == ["kept", "new"]
    await is_up(speaking)
    for topic in ("left", "neither", "kept", "new"):
        speaking.publish(topic, b"moved")
    await until(lambda: len(ear.heard) >= 2)
    assert ear.heard == [("kept", b"moved"), ("new", b"moved")]


async def test_hints_during_an_outage_are_dropped(frail_redis: Redis, enter_frail: Opener) -> None:
    speaking, _, ear = await two_processes(enter_frail, "crypt")
    frail_redis.kill()
    await is_down(speaking)
    for number in range(100_000):
        speaking.publish("crypt", b"%d" % number)
    assert waiting(speaking) == 0
    await asyncio.to_thread(frail_redis.start)
    await hears(ear, "crypt")
    await assert_all_is_well(speaking, ear, "crypt")


async def test_hints_that_nobody_takes_are_bounded_and_so_is_the_time_they_wait(
    frail_redis: Redis, enter_frail: Opener
) -> None:
    speaking, _, ear = await two_processes(enter_frail, "crypt")
    frail_redis.pause()
    most = 0
    async with asyncio.timeout(PATIENCE):
        while speaking.is_up:
            for _ in range(3000):
                speaking.publish("crypt", bytes(1000))
            most = max(most, waiting(speaking))
            await asyncio.sleep(0.01)
    assert MOST_BYTES // 2 < most <= MOST_BYTES
    assert waiting(speaking) == 0
    frail_redis.resume()
    await is_up(speaking)
    speaking.publish("crypt", b"moved")
    await until(lambda: ("crypt", b"moved") in ear.heard)


def waiting(channel: Channel) -> int:
    """Bytes of hints that a channel holds."""
    assert isinstance(channel, RedisChannel)
    line = channel._speaking
    assert channel._bytes == sum(map(len, channel._hints))
    return channel._bytes + (line.waiting if line else 0)


async def test_an_outage_is_told_once_and_so_is_its_end(frail_redis: Redis, enter_frail: Opener) -> None:
    with capture_logs() as logs:
        channel = enter_frail(Ear())
        await is_up(channel)
        frail_redis.kill()
        await is_down(channel)
        await tries_at_its_slowest(channel)
        await asyncio.to_thread(frail_redis.start)
        await is_up(channel)
    told = [(line["log_level"], line["event"]) for line in logs]
    assert told == [("info", "channel is up"), ("warning", "channel is down"), ("info", "channel is up")]


@pytest.mark.parametrize("is_paused", [False, True], ids=["down", "paused"])
@pytest.mark.parametrize("is_noticed", [False, True], ids=["unnoticed", "noticed"])
async def test_a_channel_closes_while_its_redis_is_gone(
    frail_redis: Redis, enter_frail: Opener, is_paused: bool, is_noticed: bool
) -> None:
    channel, *_ = await two_processes(enter_frail, "crypt")
    if is_paused:
        frail_redis.pause()
    else:
        frail_redis.kill()
    if is_noticed:
        await is_down(channel)
    for _ in range(3000):
        channel.publish("crypt", bytes(1000))
    async with asyncio.timeout(PATIENCE):
        await channel.close()
    assert not channel.is_up


async def test_a_channel_closes_before_it_was_open(frail_redis: Redis, enter_frail: Opener) -> None:
    frail_redis.pause()
    for delay in (0, 0.001, 0.01, 0.1):
        channel = enter_frail(Ear())
        await asyncio.sleep(delay)
        async with asyncio.timeout(PATIENCE):
            await channel.close()


@pytest.mark.parametrize(
    "answer",
    [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"+OK\r\n" * 9, b"*1\r\n$-9\r\n", b"-LOADING wait\r\n" * 9],
    ids=["silence", "web", "yes", "nonsense", "loading"],
)
async def test_whatever_else_listens_there_is_no_channel(answer: bytes) -> None:
    calls = 0

    async def answering(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        writer.write(answer)
        await reader.read()
        writer.close()

    server = await asyncio.start_server(answering, "127.0.0.1", 0)
    async with server:
        channel = open_channel(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", Ear())
        await until(lambda: calls >= 2)
        assert not channel.is_up
        await channel.close()


async def test_a_listener_that_fails_is_heard_of_and_the_channel_goes_on(enter_frail: Opener) -> None:
    class Deaf(Ear):
        def on_message(self, topic: str, hint: bytes) -> None:
            super().on_message(topic, hint)
            if hint == b"bad":
                raise ValueError

    ear, complaints = Deaf(), []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    speaking, hearing = enter_frail(Ear()), enter_frail(ear)
    hearing.subscribe("crypt")
    await hears(ear, "crypt")
    await is_up(speaking)
    speaking.publish("crypt", b"bad")
    await hears(ear, "crypt")
    await assert_all_is_well(speaking, ear, "crypt")
    assert isinstance(complaints[0]["exception"], ValueError)
