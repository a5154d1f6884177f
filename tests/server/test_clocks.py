"""Clocks as people see them, and through outages of the server."""

import asyncio
from pathlib import Path
from typing import Any

from royalcrypt.server.operations.heartbeat import MAX_GAP
from royalcrypt.tables.settings import DAY, SECOND
from tests.server.harness import PATIENCE, Host, Json, Person, people, person, run, seated, serving
from tests.server.registries import Hands
from tests.tables.leading import NOON

LIVE: dict[str, Any] = {"clock": {"kind": "live", "move": 30, "bank": 60}, "leader": 0}
NO_BOTS = 30.0
"""Seconds: longer than any test."""


async def pass_time(host: Host, clock: Hands, seconds: int) -> None:
    """With the server awake all the while."""
    for _ in range(seconds // 3):
        clock.turn(3)
        await host.service.heartbeat()
    clock.turn(seconds % 3)


async def deadline(someone: Person, table: str) -> int | None:
    return (await someone.ask("GET", f"/api/tables/{table}"))["info"]["deadline"]


def test_deadline_and_banks_are_told_with_every_move(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with serving(tmp_path, clock=clock) as host, people(host, 2) as two:
            ada, bo = two
            table = await seated(two, **LIVE)
            shown = await ada.watch(table)
            assert (shown["info"]["deadline"], shown["info"]["settings"]["clock"]["kind"]) == (
                NOON + 90_000,
                "live",
            )
            assert [seat["bank"] for seat in shown["info"]["seats"]] == [60_000, 60_000]
            await pass_time(host, clock, 42)
            update = await ada.act(table, {"do": "recover"})
            assert update["clock"] == {"deadline": clock.now + 90_000, "banks": [48_000, 60_000]}
            assert (await bo.hear("update"))["clock"] == update["clock"]
            assert (await ada.tell(type="ping"))["now"] == clock.now

    run(test())


def test_who_runs_out_is_told_so_and_so_are_all_others(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with serving(tmp_path, clock=clock, bot_pause=NO_BOTS) as host, people(host, 2) as two:
            ada, bo = two
            table = await seated(two, **LIVE)
            await pass_time(host, clock, 90)
            for each in (ada, bo):
                while (update := await each.hear("update")).get("info") is None:
                    pass
                assert update["info"]["seats"][0]["taken_over"] == "time"
                assert update["clock"] == {"deadline": None, "banks": [0, 60_000]}
            assert (await ada.act(table, {"do": "recover"}))["reason"]["code"] == "seat_with_bot"
            await ada.post(f"/api/tables/{table}/return")
            back = await ada.hear("update")
            assert back["clock"] == {"deadline": clock.now + 30_000, "banks": [0, 60_000]}
            assert (await ada.act(table, {"do": "recover"}))["type"] == "update"

    run(test())


def test_time_in_which_the_server_was_down_is_credited_each_time(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        table, cookies = "", {}
        async with serving(tmp_path, clock=clock) as host, people(host, 2) as two:
            table = await seated(two, **LIVE)
            cookies = dict(two[0].http.cookies)
            await pass_time(host, clock, 9)
        for _ in range(3):
            clock.turn(DAY / SECOND + 0.5)
            async with serving(tmp_path, clock=clock) as host, host.client(cookies=cookies) as http:
                ada = Person(host, http, "Ada")
                await pass_time(host, clock, 6)
        clock.turn(3)  # a short stop counts as well
        async with (
            serving(tmp_path, clock=clock, bot_pause=NO_BOTS) as host,
            host.client(cookies=cookies) as http,
        ):
            ada = Person(host, http, "Ada")
            left = 90 - 9 - 3 * 6
            assert await deadline(ada, table) == clock.now + left * SECOND
            await pass_time(host, clock, left - 1)
            await host.service.sweep()
            assert await deadline(ada, table) == clock.now + SECOND
            await pass_time(host, clock, 1)
            await host.service.sweep()
            info: Json = (await ada.ask("GET", f"/api/tables/{table}"))["info"]
            assert info["seats"][0]["taken_over"] == "time"

    run(test())


def test_the_sweeper_comes_by_itself_after_a_restart_though_nobody_is_connected(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with serving(tmp_path, clock=clock) as host, people(host, 2) as two:
            table = await seated(two, **LIVE)
        clock.turn(500)
        async with serving(tmp_path, clock=clock, bot_pause=NO_BOTS) as host, asyncio.timeout(PATIENCE):
            await pass_time(host, clock, 91)
            assert host.service.hub.connections == set()
            while (await host.service.tables.table(table)).seats[0].taken_over is None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    run(test())


def test_time_in_which_the_machine_slept_is_credited(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with serving(tmp_path, clock=clock) as host, people(host, 2) as two:
            table = await seated(two, **LIVE)
            await pass_time(host, clock, 60)
            clock.turn(5 * 3600)
            await host.service.sweep()
            assert await deadline(two[0], table) == clock.now + 30 * SECOND
            assert (await host.service.tables.table(table)).seats[0].taken_over is None
            clock.turn(MAX_GAP / SECOND)
            await host.service.sweep()
            assert await deadline(two[0], table) == clock.now + 30 * SECOND - MAX_GAP

    run(test())


def test_without_a_clock_there_is_no_deadline(tmp_path: Path) -> None:
    async def test() -> None:
        async with serving(tmp_path) as host, person(host) as ada:
            opened = await ada.open_table(players=1, start=True)
            table = opened["info"]["table"]
            assert await deadline(ada, table) is None
            await ada.watch(table)
            assert "clock" not in await ada.act(table, {"do": "recover"})

    run(test())
