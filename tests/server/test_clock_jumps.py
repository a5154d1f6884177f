"""A machine's clock that jumps moves no deadline, opens no seal twice and draws no second secret."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from royalcrypt.server.clock import MAX_STEP, STEP_PATIENCE, ServerClock
from royalcrypt.server.operations.heartbeat import nothing
from royalcrypt.storage.server_state import ALIVE_AT, ServerState
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.tables.seals import begin_of, end_of
from royalcrypt.tables.settings import SECOND
from tests.server.captured import captured_logs
from tests.server.harness import Host, Json, Person, people, run, seated, serving
from tests.server.registries import Hands
from tests.server.sealed import play_alone

HOUR = 3600
YEAR = 365 * 24 * HOUR
LIVE: dict[str, Any] = {"clock": {"kind": "live", "move": 30, "bank": 60}, "leader": 0}
NO_BOTS = 30.0
TODAY, TOMORROW = "2026-11-17", "2026-11-18"
MIDNIGHT = end_of(TODAY)


class Machine:
    """Time passes on it, and its clock can be set."""

    def __init__(self, now: int) -> None:
        self.wall, self.steady = Hands(now), Hands(0)

    def clock(self) -> ServerClock:
        return ServerClock(self.wall, self.steady)

    def turn(self, seconds: float) -> None:
        self.wall.turn(seconds)
        self.steady.turn(seconds)

    def set(self, seconds: float) -> None:
        self.wall.turn(seconds)

    async def pass_time(self, host: Host, seconds: int) -> None:
        """With the server awake all the while."""
        for _ in range(seconds // 3):
            self.turn(3)
            await host.service.heartbeat()
        self.turn(seconds % 3)
        await host.service.heartbeat()
        await host.service.sweep()


# The clock itself.


def test_it_follows_the_machine_and_small_steps_forward() -> None:
    machine = Machine(1_000_000)
    now = machine.clock()
    for seconds in (0, 1, 3600, 7 * 86_400):
        machine.turn(seconds)
        assert now() == machine.wall()
    machine.set(MAX_STEP / SECOND)
    assert now() == machine.wall()


@pytest.mark.parametrize("seconds", [0.5, HOUR, 24 * HOUR])
def test_set_back_it_goes_on_a_little_slower_until_the_machine_has_caught_up(seconds: float) -> None:
    machine = Machine(1_000_000)
    now = machine.clock()
    before = now()
    machine.set(-seconds)
    assert now() == before
    machine.turn(100)
    assert before + 95 * SECOND <= now() <= before + 100 * SECOND
    machine.turn(20 * seconds)
    assert now() == machine.wall()


def test_set_forward_it_goes_on_until_it_is_told_to_follow() -> None:
    machine = Machine(1_000_000)
    now = machine.clock()
    before = now()
    machine.set(HOUR)
    machine.turn(100)
    assert (now(), now.difference()) == (before + 100 * SECOND, HOUR * SECOND)
    machine.set(-HOUR)
    assert (now(), now.difference(), now.must_follow()) == (machine.wall(), 0, False)
    machine.set(HOUR)
    assert not now.must_follow()
    machine.turn(STEP_PATIENCE / SECOND - 1)
    assert not now.must_follow()
    machine.turn(1)
    assert now.must_follow()
    now.advance(machine.wall())
    assert (now(), now.must_follow()) == (machine.wall(), False)


Turns = some.lists(some.tuples(some.integers(0, 10**7), some.integers(-(10**12), 10**12)), max_size=30)


@given(Turns)
def test_whatever_is_set_it_never_goes_back_and_never_runs_ahead_by_itself(
    turns: list[tuple[int, int]],
) -> None:
    machine = Machine(10**12)
    now = machine.clock()
    highest = machine.wall()
    for passed, step in turns:
        before = now()
        machine.turn(passed / SECOND)
        machine.wall.now += step
        highest = max(highest + passed, machine.wall())
        after = now()
        assert before <= after <= highest


# Games.


async def deadline(someone: Person, table: str) -> int:
    return (await someone.ask("GET", f"/api/tables/{table}"))["info"]["deadline"]


@pytest.mark.parametrize("seconds", [HOUR, 24 * HOUR, YEAR])
def test_a_clock_set_back_gives_nobody_more_time(tmp_path: Path, seconds: int) -> None:
    async def test() -> None:
        machine = Machine(MIDNIGHT - 10 * HOUR * SECOND)
        async with (
            serving(tmp_path, clock=machine.clock(), bot_pause=NO_BOTS) as host,
            people(host, 2) as (ada, bo),
        ):
            table = await seated([ada, bo], **LIVE)
            await machine.pass_time(host, 42)
            machine.set(-seconds)
            with captured_logs() as logged:
                await machine.pass_time(host, 9)
                await machine.pass_time(host, 9)
            update = await ada.act(table, {"do": "recover"})
            assert 30_000 <= update["clock"]["banks"][0] <= 31_000, (
                "60 seconds passed, or 59 by a slowed clock"
            )
            jumps = [line for line in logged if "behind" in line["event"]]
            assert [line["seconds"] for line in jumps] == [seconds], "said once"
            await machine.pass_time(host, 84)
            info: Json = (await bo.ask("GET", f"/api/tables/{table}"))["info"]
            assert info["seats"][1]["taken_over"] is None
            await machine.pass_time(host, 12)
            info = (await bo.ask("GET", f"/api/tables/{table}"))["info"]
            assert info["seats"][1]["taken_over"] == "time"

    run(test())


@pytest.mark.parametrize("seconds", [HOUR, 24 * HOUR, 10 * YEAR])
def test_a_clock_set_forward_runs_nobody_out_and_is_followed_if_it_stays(
    tmp_path: Path, seconds: int
) -> None:
    async def test() -> None:
        machine = Machine(MIDNIGHT - 30 * HOUR * SECOND)
        async with serving(tmp_path, clock=machine.clock()) as host, people(host, 2) as (ada, bo):
            table = await seated([ada, bo], clock={"kind": "live", "move": 300, "bank": 900}, leader=0)
            day = (await ada.ask("GET", "/api/daily"))["today"]
            ends = await deadline(ada, table)
            machine.set(seconds)
            await machine.pass_time(host, 30)
            assert await deadline(ada, table) == ends
            assert (await ada.ask("GET", "/api/daily"))["today"] == day
            await machine.pass_time(host, STEP_PATIENCE // SECOND)
            now = host.service.tables.now()
            assert now == machine.wall()
            left = await deadline(ada, table) - now
            assert 1_200_000 - 630_000 <= left <= 1_200_000 - 630_000 + 5_000, "a heartbeat's gap is credited"
            assert (await host.service.tables.table(table)).seats[0].taken_over is None

    run(test())


# The daily crypt.


async def secrets_of(someone: Person) -> dict[str, tuple[str, str | None]]:
    """By day, what is published: the commitment and the secret."""
    days = [line["day"] for line in (await someone.ask("GET", "/api/daily"))["days"]]
    found = [await someone.ask("GET", f"/api/daily/{day}") for day in days]
    return {day["day"]: (day["commitment"], day["secret"]) for day in found}


@pytest.mark.parametrize("seconds", [60, HOUR, 24 * HOUR, YEAR])
@pytest.mark.parametrize("restarts", [False, True])
def test_a_published_secret_stays_published_and_is_no_longer_played_for(
    tmp_path: Path, seconds: int, restarts: bool
) -> None:
    async def look(bo: Person, before: dict[str, tuple[str, str | None]]) -> None:
        assert await secrets_of(bo) == before
        practised = (await bo.post(f"/api/daily/{TODAY}"))["info"]["table"]
        await play_alone(bo, practised, 2)
        day = await bo.ask("GET", f"/api/daily/{TODAY}")
        assert (day["begun"], day["mine"], len(day["scores"])) == (1, None, 1), (
            "no attempt with a known secret"
        )
        first = [(await bo.post(f"/api/daily/{TOMORROW}"))["info"]["table"] for _ in range(2)]
        assert first[0] == first[1]
        assert (await bo.ask("GET", f"/api/daily/{TOMORROW}"))["begun"] == 1

    async def test() -> None:
        machine = Machine(MIDNIGHT - 20 * SECOND)
        async with serving(tmp_path, clock=machine.clock()) as host, people(host, 2) as (ada, bo):
            mine = (await ada.post(f"/api/daily/{TODAY}"))["info"]["table"]
            await play_alone(ada, mine, 1)
            assert (await secrets_of(bo))[TODAY][1] is None
            await machine.pass_time(host, 21)
            before = await secrets_of(bo)
            assert before[TODAY][1] is not None
            assert before[TOMORROW][1] is None
            machine.set(-seconds)
            await host.service.heartbeat()
            if not restarts:
                await look(bo, before)
                return
            cookies = dict(bo.http.cookies)
        async with serving(tmp_path, clock=machine.clock()) as host, host.client(cookies=cookies) as http:
            bo = Person(host, http, "Bo")
            await bo.connect()
            await look(bo, before)
            await bo.disconnect()

    run(test())


def test_a_server_that_died_just_after_midnight_does_not_live_through_it_again(tmp_path: Path) -> None:
    async def test() -> None:
        machine = Machine(MIDNIGHT - SECOND)
        async with serving(tmp_path, clock=machine.clock()) as host, people(host, 1) as (ada,):
            await secrets_of(ada)
            await host.service.heartbeat()
            machine.turn(1.5)
            before = await secrets_of(ada)
            assert before[TODAY][1] is not None
            host.service.heartbeats.end = nothing  # type: ignore[method-assign] (as if it was killed)
            cookies = dict(ada.http.cookies)
        machine.set(-HOUR)
        async with serving(tmp_path, clock=machine.clock()) as host, host.client(cookies=cookies) as http:
            assert await secrets_of(Person(host, http, "Ada")) == before

    run(test())


def test_restarts_with_a_clock_that_is_behind_do_not_drive_the_time_ahead(tmp_path: Path) -> None:
    async def test() -> None:
        machine = Machine(MIDNIGHT - HOUR * SECOND)
        async with serving(tmp_path, clock=machine.clock()):
            pass
        machine.set(-5)
        ahead: list[int] = []
        for _ in range(5):
            machine.turn(1)
            async with serving(tmp_path, clock=machine.clock()) as host:
                ahead.append(host.service.tables.now() - machine.wall())
        assert ahead[-1] <= ahead[0] <= 9 * SECOND

    run(test())


@pytest.mark.parametrize("seconds", [HOUR, YEAR])
def test_a_restart_with_a_clock_set_back_keeps_the_time_that_everybody_had_left(
    tmp_path: Path, seconds: int
) -> None:
    async def test() -> None:
        machine = Machine(MIDNIGHT - 10 * HOUR * SECOND)
        async with serving(tmp_path, clock=machine.clock()) as host, people(host, 2) as two:
            table = await seated(two, **LIVE)
            await machine.pass_time(host, 30)
            stopped, cookies = host.service.tables.now(), dict(two[0].http.cookies)
        machine.set(-seconds)
        with captured_logs() as logged:
            async with serving(tmp_path, clock=machine.clock()) as host, host.client(cookies=cookies) as http:
                ada = Person(host, http, "Ada")
                assert host.service.tables.now() >= stopped
                assert await deadline(ada, table) == host.service.tables.now() + 60 * SECOND
                assert await host.service.state.get(ALIVE_AT) >= stopped
        warned = [line for line in logged if "behind" in line["event"]]
        assert [seconds <= line["seconds"] <= seconds + 5 for line in warned] == [True]

    run(test())


@pytest.mark.parametrize(("days", "warned"), [(1, []), (31, [31])])
def test_a_start_long_after_the_last_run_warns_of_a_clock_that_may_be_ahead(
    tmp_path: Path, days: int, warned: list[int]
) -> None:
    async def test() -> None:
        machine = Machine(MIDNIGHT)
        async with serving(tmp_path, clock=machine.clock()):
            pass
        machine.turn(days * 24 * HOUR)
        with captured_logs() as logged:
            async with serving(tmp_path, clock=machine.clock()):
                pass
        assert [line["days"] for line in logged if "ahead" in line["event"]] == warned

    run(test())


def test_after_a_time_far_ahead_the_host_can_go_back_to_the_machines_clock(tmp_path: Path) -> None:
    async def test() -> None:
        right = begin_of(TODAY) + 12 * HOUR * SECOND
        machine = Machine(right + 10 * YEAR * SECOND)
        async with serving(tmp_path, clock=machine.clock()) as host, people(host, 2) as (ada, bo):
            table = await seated([ada, bo], **LIVE)
            far = (await ada.ask("GET", "/api/daily"))["today"]
            await ada.post(f"/api/daily/{far}")
            cookies = dict(ada.http.cookies)
        machine.set(-10 * YEAR)
        async with serving(tmp_path, clock=machine.clock()) as host:
            assert host.service.tables.now() >= right + 10 * YEAR * SECOND
        database = await SqliteDatabase.open(tmp_path / "royalcrypt.db")
        await ServerState(database).accept_time(machine.wall())
        await database.close()
        async with serving(tmp_path, clock=machine.clock()) as host, host.client(cookies=cookies) as http:
            ada = Person(host, http, "Ada")
            assert host.service.tables.now() == machine.wall()
            assert [line["day"] for line in (await ada.ask("GET", "/api/daily"))["days"]] == [TODAY]
            await ada.connect()
            await ada.watch(table)
            update = await ada.act(table, {"do": "recover"})
            assert update["clock"]["deadline"] == machine.wall() + 90 * SECOND
            await ada.disconnect()

    run(test())
