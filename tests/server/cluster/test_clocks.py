"""Processes on machines whose clocks disagree."""

import asyncio
from pathlib import Path

import pytest

from royalcrypt.server.clock import TOLERANCE, ServerClock, wall_clock
from tests.server.captured import captured_logs
from tests.server.cluster.pairs import elsewhere, hurry
from tests.server.harness import PATIENCE, person, run, seated, serving, until
from tests.server.registries import Hands

HOUR = 3_600_000


@pytest.mark.parametrize("wrong", [-24 * HOUR, -HOUR, HOUR, 24 * HOUR])
def test_a_machine_with_a_wrong_clock_takes_the_databases(
    tmp_path: Path, url: str, wrong: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    clock = ServerClock(lambda: wall_clock() + wrong)

    async def test() -> None:
        with captured_logs() as logged:
            async with (
                serving(tmp_path / "a", database=url) as right,
                person(right, "Ada") as ada,
                person(right, "Bo") as bo,
                serving(tmp_path / "b", database=url, clock=clock) as other,
            ):
                table = await seated([ada, bo], clock={"kind": "live", "move": 60, "bank": 60}, leader=0)
                async with elsewhere(ada, other) as twin:
                    await twin.watch(table)
                    now = right.service.tables.now()
                    assert abs(other.service.tables.now() - now) < 2 * TOLERANCE
                    update = await twin.act(table, {"do": "recover"})
                    assert abs(update["clock"]["deadline"] - now - 120_000) < 5 * TOLERANCE
                    assert update["clock"]["banks"] == [60_000, 60_000]
                for host in (right, other):
                    await host.service.heartbeat()
                    assert await host.service.state.outages() == []
                assert (await right.service.tables.table(table)).seats[1].taken_over is None
        assert not [line for line in logged if "forward" in line["event"]]

    run(test())


def test_a_clock_that_jumps_while_both_run_moves_no_processs_time(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurry(monkeypatch)
    wrong = Hands(0)
    clock = ServerClock(lambda: wall_clock() + wrong.now)

    async def test() -> None:
        async with (
            serving(tmp_path / "a", database=url) as right,
            serving(tmp_path / "b", database=url, clock=clock) as other,
        ):
            for wrong.now in (HOUR, -HOUR, -24 * HOUR, 24 * HOUR, 0):
                before, both = right.service.tables.now(), (right.service, other.service)
                await asyncio.gather(*(service.heartbeat() for service in both))
                for service in both:
                    assert before <= service.tables.now() < before + PATIENCE * 1000
            await until(lambda: abs(other.service.tables.now() - wall_clock()) < 2 * TOLERANCE)

    run(test())
