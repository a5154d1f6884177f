"""Many whole games of every bot, in each company and with random Collectors: ``make endurance``."""

import random

import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named, registry
from royalcrypt.play.chance import SeededChance

GAMES = {"seer": 200, "regent": 200, "sovereign": 40}
USUALLY = 1000
PARTS = 10
"""Each is a test of its own, so that they can be played side by side."""


@pytest.mark.endurance
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("name", registry.LADDER)
def test_a_bot_plays_whole_games_without_an_illegal_move(name: str, players: int, part: int) -> None:
    rng = random.Random(f"{name} {players} {part}")
    bot, games = bot_named(name), GAMES.get(name, USUALLY) // PARTS
    for number in range(part * games, (part + 1) * games):
        sides = "".join(rng.choice("AB") for _ in range(6))
        game = Game.new(players=players, collectors=sides, chance=SeededChance(2026, number))
        while game.actor is not None:
            game.play(bot.choose(game.view(game.actor), Budget(seed=number)))
        assert game.is_over
