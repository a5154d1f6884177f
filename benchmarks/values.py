"""What is asked of the value network: how fast it judges in the kernel, and how fast it plays to learn."""

import time
from collections.abc import Callable
from statistics import mean, median
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.bots.compiling import compile_entry
from royalcrypt.bots.registry import entries_of
from royalcrypt.lab.training import QUICK, SelfPlayer, TrainingPlan
from royalcrypt.rules.layout import State
from royalcrypt.search.backend import Floats, record_of
from royalcrypt.search.compilation import compiled
from royalcrypt.search.features import END, encode
from royalcrypt.search.network import LAYER, evaluate, learned_weights

TIMES = 5
JUDGEMENTS = 100_000
DARING = 200
GAMES = 100
MOVES = {"novice": 10, "greedy": 10, "heir": 10, "regent": 60, "sovereign": 1000}
"""Milliseconds that a move may take."""


def judge_often(
    state: State, seat: int, numbers: Floats, weights: Floats, layer: Floats, times: int
) -> float:
    heard = 0.0
    for _ in range(times):
        encode(state, seat, numbers)
        evaluate(numbers, weights, layer)
        heard += layer[LAYER - 1]
    return heard


def figures() -> list[Figure]:
    return [
        Figure("a position described and judged, two players", judging(2), "µs", at_most=2.5),
        Figure("the same with four players", judging(4), "µs", at_most=2.5),
        Figure("games against itself, two players", teaching(2), "a second", at_least=500),
        Figure("the same with four players", teaching(4), "a second"),
        *(figure for name, most in MOVES.items() for figure in moving(name, most)),
    ]


def seconds_of(work: Callable[[], object]) -> float:
    """Of processor time, the middle of several times."""
    found: list[float] = []
    for _ in range(TIMES):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return median(found)


def middle_of_a_game(players: int) -> Game:
    game = Game.new(players=players, seed=players)
    greedy = bot_named("greedy")
    while game.round < 4 and game.actor is not None:
        game.play(greedy.choose(game.view(game.actor), Budget()))
    return game


def judging(players: int) -> float:
    game = middle_of_a_game(players)
    seat = game.actor or 0
    state = record_of(game.view(seat).known)
    numbers: Any = np.zeros(END, np.float32)
    layer: Any = np.zeros(LAYER, np.float32)
    judge = compiled(judge_often)
    judge(state, seat, numbers, learned_weights(), layer, 1)
    work = seconds_of(lambda: judge(state, seat, numbers, learned_weights(), layer, JUDGEMENTS))
    return work / JUDGEMENTS * 1e6


def teaching(players: int) -> float:
    player, plan = SelfPlayer(), TrainingPlan()
    games = range(GAMES)
    player.play(QUICK, learned_weights(), plan, range(1), players, DARING)
    return GAMES / seconds_of(lambda: player.play(QUICK, learned_weights(), plan, games, players, DARING))


def moving(name: str, most: float) -> list[Figure]:
    """How long the bot thinks about a move, over whole games against itself with two and with four."""
    bot = bot_named(name)
    for entry in entries_of(bot):
        compile_entry(entry)
    found: list[Figure] = []
    for players in (2, 4):
        took: list[float] = []
        game = Game.new(players=players, seed=players)
        bot.choose(game.view(0), Budget())
        while game.actor is not None:
            view = game.view(game.actor)
            began = time.process_time()
            move = bot.choose(view, Budget(seed=1))
            took.append((time.process_time() - began) * 1e3)
            game.play(move)
        found.append(Figure(f"a move of {name}, {players} players, on average", mean(took), "ms"))
        found.append(Figure(f"the longest of {name}, {players} players", max(took), "ms", at_most=most))
    return found
