"""What the server does by itself: for clocks that ran out, bots to move, and tables nobody comes to."""

import asyncio
from pathlib import Path
from typing import Any

from royalcrypt.live.registry import TableRegistry
from royalcrypt.tables import commands
from royalcrypt.tables.entries import TakenOver
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import ABANDONED_STEPS, Pace
from royalcrypt.tables.settings import DAY, SECOND
from tests.server.harness import PATIENCE, bot_task, run
from tests.server.registries import Hands, a_registry, begun, journal_in, move_on, sit
from tests.tables.leading import ADA, BO, actor_of, opened

LIVE: dict[str, Any] = {"clock": {"kind": "live", "move": 30, "bank": 60}}
BOT = [{"seat": 1, "level": "random"}]
DAY_SECONDS = DAY / SECOND


async def leave(registry: TableRegistry, table: str, person: str) -> None:
    await registry.change(table, lambda found, now: commands.leave(found, person, now=now))


def test_whose_time_has_run_out_is_played_by_a_bot(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal, clock, pace=Pace(bot_pause=DAY))
            table = await begun(registry, ADA, BO, **LIVE)
            clock.turn(89.9)
            assert await registry.deadlines.sweep() == 0
            clock.turn(0.1)
            assert await registry.deadlines.sweep() == 1
            after = await registry.table(table)
            assert (after.seats[0].taken_over, after.seats[1].taken_over) == ("time", None)
            assert registry.ears.heard[-1].entry == TakenOver(clock.now, (0,), "time")
            await registry.close()

    run(test())


def test_a_table_nobody_has_loaded_is_attended_to(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            table = await begun(a_registry(journal, clock), ADA, BO, clock={"kind": "days", "days": 1})
            clock.turn(DAY_SECONDS)
            registry = a_registry(journal, clock, pace=Pace(bot_pause=DAY))
            assert registry.loaded == {}
            assert await registry.deadlines.sweep() == 1
            assert (await registry.table(table)).seats[0].taken_over == "time"
            await registry.close()

    run(test())


def test_a_table_that_nobody_starts_is_closed_a_day_after_its_last_change(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal, clock)
            table = await registry.open(commands.open_table(opened().settings, "ada", now=clock()))
            clock.turn(DAY_SECONDS - 1)
            await sit(registry, table.id, BO, 1)
            clock.turn(2)
            assert await registry.deadlines.sweep() == 0
            clock.turn(DAY_SECONDS - 2)
            assert await registry.deadlines.sweep() == 1
            after = await registry.table(table.id)
            assert (after.status, after.why_closed) == (Status.CLOSED, "abandoned")
            assert await registry.deadlines.sweep() == 0

    run(test())


def test_a_game_is_closed_when_nobody_has_moved_for_longer_than_the_servers_patience(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal, clock, pace=Pace(abandoned_after=3 * DAY))
            table = await begun(registry, ADA, BO)
            clock.turn(3 * DAY_SECONDS - 1)
            assert await registry.deadlines.sweep() == 0
            await move_on(registry, table)
            clock.turn(3 * DAY_SECONDS - 1)
            assert await registry.deadlines.sweep() == 0
            clock.turn(1 + 3 * DAY_SECONDS // ABANDONED_STEPS)
            assert await registry.deadlines.sweep() == 1
            assert (await registry.table(table)).why_closed == "abandoned"

    run(test())


def test_a_table_that_all_have_left_waits_for_them(tmp_path: Path) -> None:
    """No bot plays on among bots, and no clock runs, until somebody comes back."""

    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal, clock, pace=Pace(bot_pause=0, abandoned_after=9 * DAY))
            table = await begun(registry, ADA, players=2, bots=BOT, **LIVE)
            await leave(registry, table, "ada")
            ply = (await registry.table(table)).ply
            for _ in range(8):
                clock.turn(DAY_SECONDS)
                await registry.deadlines.sweep()
                await asyncio.sleep(0)
            waiting = await registry.table(table)
            assert (waiting.ply, waiting.status, bot_task(registry.bots, table)) == (
                ply,
                Status.RUNNING,
                None,
            )
            await registry.change(table, lambda found, now: commands.return_to(found, "ada", now=now))
            assert (await move_on(registry, table)).status is Status.RUNNING
            await registry.close()

    run(test())


def test_bots_go_on_after_a_restart_without_anybody_looking(tmp_path: Path) -> None:
    async def test() -> None:
        async with journal_in(tmp_path) as journal:
            first = a_registry(journal, pace=Pace(bot_pause=30_000))
            table = await begun(first, ADA, players=2, bots=BOT)
            await move_on(first, table)
            assert actor_of(await first.table(table)) == 1
            await first.close()
            registry = a_registry(journal, Hands(first.now() + 60_000))
            await registry.deadlines.sweep()
            async with asyncio.timeout(PATIENCE):
                while (await registry.table(table)).actor == 1:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            await registry.close()

    run(test())


def test_credited_clocks_do_not_keep_the_sweeper_from_those_that_ran_out(tmp_path: Path) -> None:
    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            first = a_registry(journal, clock)
            credited = [await begun(first, ADA, BO, **LIVE) for _ in range(3)]
            clock.turn(DAY_SECONDS)
            registry = a_registry(journal, clock, pace=Pace(bot_pause=DAY))
            registry.outages.append((clock.now - DAY + SECOND, clock.now))
            late = await begun(registry, ADA, BO, clock={"kind": "live", "move": 5, "bank": 0})
            clock.turn(6)
            for _ in range(4):
                await registry.deadlines.sweep(most=1)
            assert (await registry.table(late)).seats[0].taken_over == "time"
            assert [(await registry.table(table)).seats[0].taken_over for table in credited] == [None] * 3
            clock.turn(90)
            assert await registry.deadlines.sweep() == 3
            assert [(await registry.table(table)).seats[0].taken_over for table in credited] == ["time"] * 3
            await registry.close()

    run(test())


def test_whoever_comes_at_the_last_moment_keeps_their_table(tmp_path: Path) -> None:
    """The sweeper waits for its turn at the table, and then finds that it is not due any more."""

    async def test() -> None:
        clock = Hands()
        async with journal_in(tmp_path) as journal:
            registry = a_registry(journal, clock)
            table = await registry.open(commands.open_table(opened().settings, "ada", now=clock()))
            clock.turn(DAY_SECONDS)
            loaded = registry.loaded[table.id]
            await loaded.lock.acquire()
            sitting = asyncio.create_task(sit(registry, table.id, BO, 1))
            await asyncio.sleep(0)
            sweeping = asyncio.create_task(registry.deadlines.sweep())
            await asyncio.sleep(0.05)
            loaded.lock.release()
            await sitting
            assert await sweeping == 1
            after = await registry.table(table.id)
            assert (after.status, after.seats[1].person) == (Status.OPEN, "bo")

    run(test())
