"""All requests of an address are limited, also those that need no account and change nothing."""

import asyncio
import time
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from royalcrypt.server import limits
from tests.attacks.client import Answer, Attacker, Target
from tests.server.harness import Host, with_server

EVE, ADA = "127.0.6.1", "127.0.6.2"


def at(host: Host, address: str) -> Attacker:
    return Attacker(Target(urlsplit(host.url).port or 0), address)


async def asked(eve: Attacker, count: int) -> list[Answer]:
    """Answers to requests on one connection, until one is not what was asked for."""
    async with await eve.connect() as link:
        answers: list[Answer] = []
        while len(answers) < count and all(answer.status == 200 for answer in answers[-1:]):
            answers.append(await link.ask("GET", "/favicon.svg"))
        if answers[-1].status != 200:
            assert await link.reader.read() == b"", "the connection is closed"
        return answers


def test_an_address_that_asks_too_much_is_refused_until_it_waits(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        began, most = time.monotonic(), limits.ADDRESS_REQUESTS.burst
        answers = [
            answer
            for some in await asyncio.gather(*(asked(at(host, EVE), most) for _ in range(8)))
            for answer in some
        ]
        seconds = time.monotonic() - began
        served = sum(answer.status == 200 for answer in answers)
        assert most <= served
        assert served <= most + limits.ADDRESS_REQUESTS.per_second * seconds + 1
        refused = [answer for answer in answers if answer.status != 200]
        assert {answer.status for answer in refused} == {429}
        assert {answer.headers["retry-after"] for answer in refused} == {"1"}
        assert msgspec.json.decode(refused[0].body)["code"] == "too_fast"
        assert "x-content-type-options" in refused[0].headers
        (other,) = await asked(at(host, ADA), 1)
        assert other.status == 200, "others are served"

    with_server(test, tmp_path, rate_limits=True)


def test_a_host_may_switch_the_limit_off(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        answers = await asked(at(host, EVE), limits.ADDRESS_REQUESTS.burst + 50)
        assert answers[-1].status == 200

    with_server(test, tmp_path)
