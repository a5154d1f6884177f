"""Bots at live tables: they think in processes of their own, and answer after a pause as people make it."""

from pathlib import Path

from royalcrypt import Game
from royalcrypt.bots import bot_names
from royalcrypt.bots.registry import LADDER, is_plain
from royalcrypt.server.bots.pool import BotRunner, attempts
from tests.server.harness import Host, bot_task, person, run, with_server


def test_a_bots_move_is_legal_and_its_own() -> None:
    async def test() -> None:
        bot_runner = BotRunner(2)
        for players, level in ((1, "greedy"), (2, "random"), (4, "greedy")):
            game = Game.new(players=players, seed=players)
            for _ in range(4):
                if game.actor is not None:
                    game.play(await bot_runner.choose(level, game.view(game.actor)))

    run(test())


def test_a_bot_that_fails_is_followed_by_simpler_ones() -> None:
    assert attempts("greedy") == ["greedy", "greedy", "novice", "random"]
    assert attempts("random") == ["random", "random"]
    assert attempts("of another package") == ["of another package"] * 2 + [*reversed(LADDER)]
    assert attempts("heir") == ["heir", "heir", "seer", "greedy", "novice", "random"]


def test_bots_play_a_whole_game_among_themselves_beside_one_person(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            assert await ada.ask("GET", "/api/bots") == list(filter(is_plain, bot_names()))
            levels = ("greedy", "random", "greedy")
            bots = [{"seat": seat, "level": level} for seat, level in enumerate(levels, 1)]
            opened = await ada.open_table(players=4, bots=bots, leader=1, start=True)
            table = opened["info"]["table"]
            await ada.watch(table)
            movers: set[bool] = set()
            while ada.view["phase"] != "over":
                if ada.view["actor"] != 0:
                    movers.add((await ada.hear("update")).get("by_bot", False))
                elif 0 not in ada.view["actions"] and ada.view["phase"] != "claim":
                    await ada.act(table, {"do": "decline"})
                else:
                    await ada.act(table, {"do": "recover"})
            assert movers == {True}

    with_server(test, tmp_path)


def test_a_bot_pauses_before_it_moves(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            bots = [{"seat": 1, "level": "random"}]
            table = (await ada.open_table(players=2, bots=bots, leader=1, start=True))["info"]["table"]
            loaded = host.service.tables.loaded[table]
            assert bot_task(host.service.bots, table) is not None
            before = loaded.table.updated
            await ada.watch(table)
            while ada.view["actor"] == 1:
                await ada.hear("update")
            assert loaded.table.updated - before >= 200

    with_server(test, tmp_path, bot_pause=0.2)
