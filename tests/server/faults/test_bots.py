"""A bot that fails costs a retry, then a simpler bot plays: never the table, never the server."""

import asyncio
import random
from pathlib import Path

import pytest
from structlog.typing import EventDict

from royalcrypt.notation.records import Record
from royalcrypt.play.game import Game
from royalcrypt.play.replay import replay
from royalcrypt.server.bots import pool
from royalcrypt.server.bots.pool import BotRunner, Choice, attempts, check
from tests.server.captured import captured_logs
from tests.server.faults import bad_bots
from tests.server.harness import Host, bot_task, choose_with, people, person, play_on, seated, with_server

LONGEST = 3.0
"""Long enough for a worker to start on a busy machine."""


def failures(logged: list[EventDict]) -> list[str]:
    return [entry["bot"] for entry in logged if entry["event"] == "bot failed"]


async def ask(think: Choice, *, longest: float = 60.0) -> list[str]:
    """Let a bot choose; tells which bots failed at it."""
    view = Game.new(players=2, seed=1).view(0)
    with captured_logs() as logged:
        move = await BotRunner(1, choice=think, timeout=longest).choose("greedy", view)
    check(move, view)
    return failures(logged)


def test_a_bot_that_fails_is_asked_once_more_then_a_simpler_one_plays() -> None:
    async def test() -> None:
        for think in bad_bots.AT_ONCE:
            assert await ask(think) == ["greedy", "greedy"], think

    asyncio.run(test())


def test_a_worker_that_hears_ctrl_c_does_not_end_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "in_worker", bad_bots.interrupted_before_it_thinks)
    assert asyncio.run(ask(pool.choose_move)) == pool.attempts("greedy")


@pytest.mark.parametrize("think", bad_bots.DEADLY)
def test_a_bot_that_takes_its_process_along_costs_no_more_than_that(think: Choice) -> None:
    assert asyncio.run(ask(think)) == ["greedy", "greedy"]


def test_a_bot_that_hangs_is_left_alone_for_a_while() -> None:
    async def test() -> None:
        view = Game.new(players=2, seed=1).view(0)
        bot_runner = BotRunner(1, choice=bad_bots.hanging, timeout=LONGEST)
        with captured_logs() as logged:
            await bot_runner.choose("greedy", view)
            await bot_runner.choose("greedy", view)
        assert failures(logged).count("greedy") == 2, "asked again at once"

    asyncio.run(test())


def test_if_no_bot_answers_at_all_there_is_still_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "to_process", None)
    assert asyncio.run(ask(pool.choose_move)) == attempts("greedy")


def test_a_game_with_failing_bots_is_played_to_its_end(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        choose_with(host.service, BotRunner(1, choice=bad_bots.moody))
        async with person(host) as ada:
            bots = [{"seat": seat, "level": "greedy"} for seat in (1, 2)]
            opened = await ada.open_table(players=3, bots=bots, start=True)
            table = opened["info"]["table"]
            await ada.watch(table)
            await play_on([ada], table, random.Random(2))
            record = await ada.ask("GET", f"/api/tables/{table}/record")
            assert replay(Record.parse(record)).is_over

    with captured_logs() as logged:
        with_server(test, tmp_path)
    assert len(failures(logged)) > 20
    assert {entry["event"] for entry in logged} == {"bot failed"}


def test_while_a_bot_hangs_everybody_else_plays_on(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        choose_with(host.service, BotRunner(1, choice=bad_bots.never_thinking, timeout=600))
        async with people(host, 2) as players, person(host, "Eve") as eve:
            bots = [{"seat": 1, "level": "greedy"}]
            opened = await eve.open_table(players=2, bots=bots, leader=1, start=True)
            loaded = host.service.tables.loaded[opened["info"]["table"]]
            thinking = bot_task(host.service.bots, loaded.table.id)
            assert thinking is not None
            table = await seated(players)
            await play_on(players, table, random.Random(4))
            assert not thinking.done()
            await eve.watch(loaded.table.id)
            assert (await eve.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path)
