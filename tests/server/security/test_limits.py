"""What creates or guesses has a pace: too much is refused with a time to wait, for nobody else."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from royalcrypt.notation.reasons import Refusal
from royalcrypt.server import limiter, limits
from royalcrypt.server.accounts.identities import CODE_CHARACTERS, CODE_LENGTH
from royalcrypt.server.http.callers import address_of, source_of
from royalcrypt.server.http.common import AnyRequest, StrictRequest
from royalcrypt.server.limits import Rate
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table
from tests.server.harness import Host, Json, Person, person, with_server
from tests.server.keeping import made, robot

WRONG = "00000-00000"
TEN_MINUTES = 600.0


class Time:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    standing = Time()
    monkeypatch.setattr(limiter, "monotonic", standing)
    return standing


def at(address: str, host: Host, **options: Any) -> httpx.AsyncClient:
    """Somebody at another address of this machine."""
    few = httpx.Limits(max_connections=2, max_keepalive_connections=0)  # An idle one would be closed.
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=few)
    return httpx.AsyncClient(base_url=host.url, transport=transport, timeout=20, **options)


@asynccontextmanager
async def crowd(host: Host, count: int, address: str) -> AsyncGenerator[list[Person]]:
    """Accounts at one address, without sockets."""
    async with AsyncExitStack() as stack:
        found: list[Person] = []
        for number in range(count):
            http = await stack.enter_async_context(at(address, host))
            found.append(Person(host, http, f"Mallory {number}"))
            found[-1].id = (await found[-1].post("/api/me", {"name": found[-1].name}))["person"]
        yield found


def closing(table: Table, now: int) -> AnyEntry:
    return commands.close(table, why="host", now=now)


Try = Callable[[], Awaitable[httpx.Response]]


async def use_up(rate: Rate, act: Try, time: Time) -> None:
    """As many as there are at once; the next is refused with a time after which it goes on."""
    for number in range(rate.burst):
        assert (await act()).status_code != 429, number
    answer = await act()
    refusal: Json = answer.json()
    assert (answer.status_code, refusal["code"]) == (429, "too_fast")
    wait = refusal["details"]["seconds"]
    assert answer.headers["retry-after"] == str(wait)
    assert wait == pytest.approx(1 / rate.per_second, abs=1)
    time.now += wait
    assert (await act()).status_code != 429
    assert (await act()).status_code == 429 or rate.per_second >= 1


@asynccontextmanager
async def boss(host: Host, token: str = "wrong") -> AsyncGenerator[httpx.AsyncClient]:
    async with host.client(headers={"Authorization": f"Bearer {token}"}) as http:
        yield http


def test_new_people_come_in_one_after_another(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with host.client() as here, at("127.0.0.2", host) as there:

            async def begin() -> httpx.Response:
                here.cookies.clear()
                return await here.post("/api/me", json={"name": "Ada"})

            await use_up(limits.NEW_PEOPLE, begin, time)
            assert (await there.post("/api/me", json={"name": "Bo"})).status_code == 201
            forged = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
            here.cookies.clear()
            assert (await here.post("/api/me", json={"name": "Ada"}, headers=forged)).status_code == 429

    with_server(test, tmp_path, rate_limits=True)


def test_people_open_tables_ask_for_codes_and_do_things_at_their_own_pace(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo:
            for rate, method, path, body in (
                (limits.NEW_TABLES, "POST", "/api/tables", {}),
                (limits.CODES, "POST", "/api/me/codes", None),
                (limits.REQUESTS, "PATCH", "/api/me", {"name": "Ada"}),
            ):
                time.now += limits.HOUR
                await use_up(rate, partial(ada.http.request, method, path, json=body), time)
                answer = await bo.http.request(method, path, json=body)
                assert answer.is_success, "others are not held up"
            assert (await ada.http.get("/api/me")).status_code == 200, "looking goes on"

    with_server(test, tmp_path, rate_limits=True, max_tables_per_person=1000)


def test_tokens_are_made_and_guessed_slowly_and_used_at_any_time(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, at("127.0.0.2", host) as other:
            program = await made(ada)
            path = f"/api/me/programs/{program['program']['id']}/token"
            time.now += limits.HOUR
            await use_up(limits.TOKENS, partial(ada.http.post, path), time)
            async with boss(host, "crypt_guessed") as guesser:
                await use_up(limits.TOKEN_ATTEMPTS, partial(guesser.get, "/api/me"), time)
            time.now += limits.HOUR
            async with boss(host, (await ada.post(path))["token"]) as program:
                for _ in range(limits.TOKEN_ATTEMPTS.burst + 2):
                    assert (await program.get("/api/me")).status_code == 200
            wrong = {"Authorization": "Bearer crypt_guessed"}
            assert (await other.get("/api/me", headers=wrong)).status_code == 401

    with_server(test, tmp_path, rate_limits=True)


def test_programs_have_a_pace_together_that_holds_their_keeper_up_in_nothing(
    tmp_path: Path, time: Time
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, robot(ada) as one, robot(ada, "Other") as other:
            for rate, method, path, body in (
                (limits.PROGRAM_TABLES, "POST", "/api/tables", {}),
                (limits.PROGRAM_REQUESTS, "PATCH", "/api/me", {"name": "Robot"}),
            ):
                time.now += limits.HOUR
                robots = itertools.cycle((one, other))

                async def ask(
                    method: str = method, path: str = path, body: Json = body, robots: Any = robots
                ) -> httpx.Response:
                    answer = await next(robots).http.request(method, path, json=body)
                    for listing in await host.service.journal.listings((Status.OPEN,), is_listed=False):
                        await host.service.tables.change(listing.table, closing)
                    return answer

                await use_up(rate, ask, time)
                assert (await ada.http.request(method, path, json=body)).is_success
            for number in range(limits.PROGRAM_MESSAGES.burst):
                assert (await one.tell(type="ping"))["type"] == "done", number
            assert (await one.tell(type="ping"))["reason"]["code"] == "too_fast"
            assert (await other.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path, rate_limits=True)


def test_the_hosts_token_is_guessed_slowly_and_used_at_any_time(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        token = host.service.keys.admin_token()
        for path in ("/api/host", "/metrics"):
            time.now += limits.HOUR
            async with boss(host) as guesser, boss(host, token) as owner, at("127.0.0.2", host) as other:
                await use_up(limits.HOST, partial(guesser.get, path), time)
                assert (await owner.get(path)).status_code == 200
                assert (await other.get(path)).status_code == 401

    with_server(test, tmp_path, rate_limits=True, metrics="off")


def test_links_of_tables_are_guessed_slowly_by_whatever_way(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo, person(host, "Cleo") as cleo:
            opened = await ada.open_table()
            table, invite = opened["info"]["table"], opened["you"]["invite"]
            guess = {"X-Table-Invite": "guessed"}
            looks = f"/api/tables/{table}"
            tries: tuple[Callable[[], Awaitable[str]], ...] = (
                lambda: refusal_of(bo.watch(table, invite="guessed")),
                lambda: code_of(bo.http.get(looks, headers=guess)),
                lambda: code_of(bo.http.get(looks + "/record", headers=guess)),
                lambda: code_of(bo.http.post(looks + "/seats/1", json={}, headers=guess)),
            )
            for number in range(limits.WATCH.burst):
                assert await tries[number % len(tries)]() == "no_such_table"
            assert [await attempt() for attempt in tries] == ["too_fast"] * len(tries)
            assert (await cleo.watch(table, invite=invite))["type"] == "shown"
            time.now += 1
            assert (await bo.watch(table, invite=invite))["type"] == "shown"

    with_server(test, tmp_path, rate_limits=True)


async def code_of(asking: Awaitable[httpx.Response]) -> str:
    return (await asking).json()["code"]


async def refusal_of(telling: Awaitable[Json]) -> str:
    return (await telling)["reason"]["code"]


def test_sockets_are_opened_at_a_pace_and_told_when_to_come_again(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            headers = {"Cookie": ada.cookie}

            async def first_words(**options: Any) -> Json:
                async with connect(host.socket_url, additional_headers=headers, **options) as socket:
                    return msgspec.json.decode(await socket.recv(decode=False))

            for _ in range(limits.HANDSHAKES.burst):
                assert (await first_words())["type"] == "welcome"
            refused = await first_words()
            assert refused["reason"]["code"] == "too_fast"
            async with connect(host.socket_url, additional_headers=headers) as socket:
                await socket.recv()
                with pytest.raises(ConnectionClosed) as ended:
                    await socket.recv()
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1013
            assert (await first_words(local_addr=("127.0.0.2", 0)))["type"] == "welcome"
            time.now += refused["reason"]["details"]["seconds"]
            assert (await first_words())["type"] == "welcome"

    with_server(test, tmp_path, rate_limits=True)


def test_chat_has_a_pace_for_each_person_however_many_sockets_they_open(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo:
            table = (await ada.open_table(is_listed=True))["info"]["table"]
            twin = Person(host, ada.http, "Ada")
            await twin.connect()
            for one in (ada, twin, bo):
                await one.watch(table)
            words: tuple[Json, ...] = (
                {"type": "say", "table": table, "text": "hello"},
                {"type": "react", "table": table, "reaction": "bravo"},
            )
            for number in range(limits.TALK.burst):
                assert (await (ada, twin)[number % 2].tell(**words[number % 2]))["type"] == "done"
            refused = [await one.tell(**said) for one in (ada, twin) for said in words]
            assert {answer["reason"]["code"] for answer in refused} == {"too_fast"}
            assert (await bo.tell(**words[0]))["type"] == "done"
            time.now += refused[-1]["reason"]["details"]["seconds"]
            assert (await ada.tell(**words[0]))["type"] == "done"
            await twin.disconnect()

    with_server(test, tmp_path, rate_limits=True)


def test_who_floods_a_socket_is_slowed_down_then_shown_out(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo:
            for _ in range(limits.MESSAGES.burst):
                assert (await ada.tell(type="ping"))["type"] == "done"
            for _ in range(limits.STRIKES.most):
                assert (await ada.tell(type="ping"))["reason"]["code"] == "too_fast"
            await ada.send(type="ping")
            with pytest.raises(ConnectionClosed) as ended:
                await ada.hear("done")
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1008
            assert (await bo.tell(type="ping"))["type"] == "done"
            time.now += 60
            await ada.connect()
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path, rate_limits=True)


def test_who_floods_a_socket_with_pings_of_the_protocol_is_shown_out(tmp_path: Path, time: Time) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            assert ada.socket is not None
            for _ in range(limits.FRAMES.burst):
                await (await ada.socket.ping())
            await ada.socket.ping()
            with pytest.raises(ConnectionClosed) as ended:
                await ada.hear("done")
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1008
            time.now += 60
            await ada.connect()
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path, rate_limits=True)


async def codes_tried(guessers: list[httpx.AsyncClient], time: Time, seconds: float) -> int:
    """How many codes these get to try, each as many as they may."""
    tried, until = 0, time.now + seconds
    while time.now <= until:
        for guesser in guessers:
            while (await guesser.post("/api/sign-in", json={"code": WRONG})).status_code == 403:
                tried += 1
        time.now += limits.MINUTE
    return tried


def most(rate: Rate, seconds: float) -> int:
    return rate.burst + round(rate.per_second * seconds)


ATTEMPTS_A_SECOND = 5_000
"""More than a server answers."""


def test_guessing_a_code_is_hopeless_from_any_number_of_addresses(tmp_path: Path, time: Time) -> None:
    """In the ten minutes of a code, an address tries 55, and nobody more than the server answers."""
    assert most(limits.SIGN_INS, TEN_MINUTES) == 55
    codes = len(CODE_CHARACTERS) ** CODE_LENGTH
    assert codes / (200 * 55) > 1e11
    assert codes / (ATTEMPTS_A_SECOND * TEN_MINUTES) > 3.7e8

    async def test(host: Host) -> None:
        async with at("127.0.0.2", host) as guesser, person(host, is_connected=False) as ada:
            assert await codes_tried([guesser], time, TEN_MINUTES) == 55
            code = (await ada.post("/api/me/codes"))["code"]
            assert len(code.replace("-", "")) == CODE_LENGTH
            assert (await ada.http.post("/api/sign-in", json={"code": code})).status_code == 200

    with_server(test, tmp_path, rate_limits=True)


@pytest.mark.parametrize(("addresses", "each"), [(12, 6), (200, 1)])
def test_no_number_of_addresses_keeps_others_from_signing_in(
    tmp_path: Path, time: Time, addresses: int, each: int
) -> None:
    async def test(host: Host) -> None:
        async with contextlib.AsyncExitStack() as stack:
            crowd = [at(f"127.0.1.{number}", host) for number in range(1, addresses + 1)]
            for guesser in crowd:
                await stack.enter_async_context(guesser)
            for _ in range(each):
                await asyncio.gather(*(one.post("/api/sign-in", json={"code": WRONG}) for one in crowd))
            async with person(host, is_connected=False) as ada, at("127.0.2.1", host) as phone:
                code = (await ada.post("/api/me/codes"))["code"]
                phrase = (await ada.post("/api/me/recovery"))["phrase"]
                assert (await phone.post("/api/sign-in", json={"code": code})).status_code == 200
                recovered = await phone.post("/api/sign-in/phrase", json={"phrase": phrase})
                assert recovered.status_code == 200

    with_server(test, tmp_path, rate_limits=True)


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("not an address", "not an address"),
    ],
)
def test_a_network_in_which_one_can_choose_addresses_counts_as_one(address: str, source: str) -> None:
    assert source_of(asked_from(address)) == source


def test_an_address_in_the_clothes_of_ipv6_is_the_same_address() -> None:
    assert address_of(asked_from("::ffff:127.0.0.1")) == "127.0.0.1"


def asked_from(address: str) -> AnyRequest:
    scope: Any = {"type": "http", "client": (address, 1), "headers": []}
    return StrictRequest(scope)


def test_finished_games_are_looked_back_on_at_a_pace(tmp_path: Path, time: Time) -> None:
    line: Json = {"record": {}, "move": 0, "seat": 0, "level": "random"}
    nothing: Json = {}

    async def test(host: Host) -> None:
        async with host.client() as here, at("127.0.0.2", host) as there:
            for rate, path, body in (
                (limits.REPLAYS, "/api/replay", nothing),
                (limits.ANALYSES, "/api/analysis", nothing),
                (limits.EXPLORATIONS, "/api/line", line),
            ):
                await use_up(rate, partial(here.post, path, json=body), time)
                assert (await there.post(path, json=body)).status_code == 400

    with_server(test, tmp_path, rate_limits=True)


def test_letters_to_confirm_an_address_are_asked_for_at_a_pace(tmp_path: Path, time: Time) -> None:
    """Each limit alone: what the others count is somebody else every time."""

    async def test(host: Host) -> None:
        fresh = itertools.count()
        for rate, place in (
            (limits.ADDRESSES, 0),
            (limits.MAILBOXES, 1),
            (limits.NEW_ADDRESSES, 2),
            (limits.ALL_ADDRESSES, 3),
        ):
            time.now += 30 * limits.DAY

            async def ask(same: int = place) -> None:
                whose = [f"{part}{'' if part == same else next(fresh)}@mail.example" for part in range(3)]
                await host.service.mailing._check_pace(*whose)

            for _ in range(rate.burst):
                await ask()
            with pytest.raises(Refusal) as refused:
                await ask()
            assert refused.value.details["seconds"] == pytest.approx(1 / rate.per_second, abs=1)

    with_server(test, tmp_path)


def test_new_tables_of_an_address_have_a_pace_whoever_opens_them(tmp_path: Path, time: Time) -> None:
    """People and duplicates at one address are counted together; nobody elsewhere is held up."""

    async def test(host: Host) -> None:
        async with crowd(host, 12, "127.0.0.2") as many, person(host) as ada:
            turns = iter(range(10_000))

            async def open_one() -> httpx.Response:
                one = many[next(turns) % len(many)]
                return await one.http.post("/api/tables", json={})

            await many[0].post("/api/duplicates", {"tables": 16})
            time.now += limits.HOUR
            await use_up(limits.ADDRESS_TABLES, open_one, time)
            answer = await many[1].post("/api/duplicates", {"tables": 16}, status=429)
            assert answer["details"]["seconds"] > 60
            await ada.open_table()

    with_server(test, tmp_path, rate_limits=True, max_tables_per_person=1000)


def test_every_limit_is_tested_and_has_a_bucket_of_its_own() -> None:
    rates = {name: rate for name, rate in vars(limits).items() if isinstance(rate, Rate)}
    assert len(set(rates.values())) == len(rates), "equal rates would share their buckets"
    told = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    assert [name for name in rates if f"limits.{name}" not in told] == []
