"""Where a channel's Redis is, who may use it, and what is wrong with addresses that lead nowhere."""

from typing import Any

import pytest
from redis.asyncio import Connection, SSLConnection
from structlog.testing import capture_logs

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.cluster.channel import Channel, open_channel, pool_at, prefix_at
from tests.server.channel.conftest import at
from tests.server.channel.ears import Ear, ask, hears, is_up, until
from tests.services.redis import Redis

pytestmark = pytest.mark.anyio
PASSWORD = "open-sesame"


@pytest.fixture
def anyio_backend() -> Any:
    return "asyncio", {"use_uvloop": True}


@pytest.mark.parametrize(
    ("url", "prefix", "kind"),
    [
        ("redis://crypt.example", "royalcrypt:0:", Connection),
        ("redis://crypt.example/", "royalcrypt:0:", Connection),
        ("valkey://crypt.example:7000/3", "royalcrypt:3:", Connection),
        ("rediss://me:secret@crypt.example/12", "royalcrypt:12:", SSLConnection),
        ("valkeys://crypt.example/0?db=4", "royalcrypt:4:", SSLConnection),
    ],
)
async def test_an_address_says_how_to_connect_and_under_which_names(
    url: str, prefix: str, kind: type
) -> None:
    pool = pool_at(url)
    assert prefix_at(pool) == prefix
    assert pool.connection_class is kind


async def test_valkey_is_another_name_of_redis(redis: Redis, opened: list[Channel]) -> None:
    channel = at(redis.url.replace("redis:", "valkey:"), opened)(Ear())
    await is_up(channel)


async def test_two_communities_on_one_redis_do_not_hear_each_other(
    redis: Redis, opened: list[Channel]
) -> None:
    ears = [Ear(), Ear()]
    urls = [redis.url, redis.url.removesuffix("0") + "1"]
    for url, ear in zip(urls, ears, strict=True):
        at(url, opened)(ear).subscribe("crypt")
        await hears(ear, "crypt")
    for url, hint in zip(urls, (b"first", b"second"), strict=True):
        speaking = at(url, opened)(Ear())
        await is_up(speaking)
        speaking.publish("crypt", hint)
    await until(lambda: all(ear.heard for ear in ears))
    assert [ear.heard for ear in ears] == [[("crypt", b"first")], [("crypt", b"second")]]


async def test_a_password_opens_the_door_and_is_never_told(frail_redis: Redis, opened: list[Channel]) -> None:
    await ask(frail_redis, "CONFIG", "SET", "requirepass", PASSWORD)
    address = frail_redis.url.removeprefix("redis://")
    with capture_logs() as logs:
        await is_up(at(f"redis://:{PASSWORD}@{address}", opened)(Ear()))
        lock_out = at(f"redis://:{PASSWORD}-or-so@{address}", opened)(Ear())
        await until(lambda: len(logs) == 2)
    assert not lock_out.is_up
    assert [line["event"] for line in logs] == ["channel is up", "channel is down"]
    assert PASSWORD not in str(logs)


@pytest.mark.parametrize("command", ["publish", "subscribe"])
async def test_whoever_may_not_speak_or_hear_has_no_channel_and_is_told_why(
    frail_redis: Redis, opened: list[Channel], command: str
) -> None:
    user = ("on", f">{PASSWORD}", "allchannels", "+@all", f"-{command}")
    await ask(frail_redis, "ACL", "SETUSER", "mute", *user)
    with capture_logs() as logs:
        channel = at(frail_redis.url.replace("//", f"//mute:{PASSWORD}@"), opened)(Ear())
        channel.subscribe("crypt")
        await until(lambda: logs)
    assert not channel.is_up
    assert "NOPERM" in logs[0]["why"]
    assert command in logs[0]["why"].lower()


@pytest.mark.parametrize("option", ["colour=red", "db=many", "socket_timeout=soon"])
async def test_an_address_with_wrong_options_is_refused_without_being_repeated(option: str) -> None:
    with pytest.raises(Refusal) as caught:
        open_channel(f"redis://:{PASSWORD}@127.0.0.1/0?{option}", Ear())
    assert caught.value.reason is Reason.WRONG_SETTING
    assert "channel" in str(caught.value)
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize("missing", ["redis", "hiredis"])
async def test_without_the_libraries_a_channel_is_refused_with_the_way_to_get_them(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    def found(name: str) -> str | None:
        return None if name == missing else name

    monkeypatch.setattr("royalcrypt.server.cluster.channel.find_spec", found)
    with pytest.raises(Refusal, match=r"royalcrypt\[cluster\]") as caught:
        open_channel("redis://127.0.0.1", Ear())
    assert caught.value.reason is Reason.NO_REDIS
