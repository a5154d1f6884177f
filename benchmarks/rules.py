"""The rules: compiled beside OpenSpiel, plain, at a live table, and how soon they are there."""

import os
from dataclasses import dataclass
from statistics import median

from benchmarks.figures import Figure
from benchmarks.hearts import Hearts
from benchmarks.ours import Rate, compiled_rate, copying, live, plain_step, views
from benchmarks.starts import compile_seconds, import_seconds

REPEATS = 5
PLAYERS = (1, 2, 3, 4)
NAMES = {1: "solo", 2: "two players", 3: "three players", 4: "four players"}
GAMES_WANTED = {2: 100_000, 4: 60_000}
RATIO_WANTED = {2: 1.6, 4: 0.9}
DECISIONS_RATIO_WANTED = {2: 1.3, 4: 0.9}
PYTHON_RATIO_WANTED = 30


@dataclass(frozen=True)
class Round:
    """Rates measured one after the other: of hearts, in games a second, and ours by number of players."""

    cpp: float
    python: float
    bare: float
    ours: dict[int, Rate]


def side_by_side() -> list[Figure]:
    """Ours and hearts in turns, so that what slows the machine slows both; the median of each ratio."""
    hearts = Hearts()
    compiled_rate(2, 0)
    rounds: list[Round] = []
    for seed in range(REPEATS):
        ours = {players: compiled_rate(players, seed) for players in PLAYERS}
        rounds.append(Round(hearts.compiled_rate(), hearts.python_rate(), hearts.bare_rate(), ours))
    figures = [
        Figure("hearts, C++ rollouts", median(each.cpp for each in rounds), "games/s"),
        Figure("hearts, Python rollouts", median(each.python for each in rounds), "games/s"),
        Figure("hearts, barest Python loop", median(each.bare for each in rounds), "games/s"),
        Figure("hearts, players' decisions", hearts.decisions, "a game"),
    ]
    for players in PLAYERS:
        figures += beside_hearts(players, [(each, each.ours[players]) for each in rounds], hearts.decisions)
    return figures


def beside_hearts(players: int, pairs: list[tuple[Round, Rate]], hearts_decisions: float) -> list[Figure]:
    name = NAMES[players]
    games = median(ours.games for _, ours in pairs)
    decisions = median(ours.decisions for _, ours in pairs)
    steps = median(ours.steps for _, ours in pairs)
    ratio = median(ours.games / hearts.cpp for hearts, ours in pairs)
    decisions_ratio = median(ours.decisions / (hearts.cpp * hearts_decisions) for hearts, ours in pairs)
    python_ratio = median(ours.games / hearts.python for hearts, ours in pairs)
    bare_ratio = median(ours.games / hearts.bare for hearts, ours in pairs)
    wanted = DECISIONS_RATIO_WANTED.get(players)
    return [
        Figure(f"{name}, compiled", games, "games/s", at_least=GAMES_WANTED.get(players)),
        Figure(f"{name}, players' decisions", decisions, "a second"),
        Figure(f"{name}, with chance's", steps, "a second"),
        Figure(f"{name}, games / C++ hearts", ratio, "times", at_least=RATIO_WANTED.get(players)),
        Figure(f"{name}, decisions / C++ hearts", decisions_ratio, "times", at_least=wanted),
        Figure(f"{name}, games / Python rollouts", python_ratio, "times", at_least=PYTHON_RATIO_WANTED),
        Figure(f"{name}, games / barest loop", bare_ratio, "times"),
    ]


def plainly() -> list[Figure]:
    figures: list[Figure] = []
    for players in PLAYERS:
        micros = median(plain_step(players, seed) for seed in range(REPEATS))
        figures.append(Figure(f"{NAMES[players]}, plain step", micros, "µs", at_most=10))
    figures.append(Figure("copy of a plain state", median(copying() for _ in range(REPEATS)), "µs"))
    for players in PLAYERS:
        found = [views(players, seed) for seed in range(REPEATS)]
        figures += [
            Figure(f"{NAMES[players]}, view, mean", median(mean for mean, _ in found), "µs", at_most=200),
            Figure(f"{NAMES[players]}, view, slowest", median(most for _, most in found), "µs"),
        ]
    return figures


def living() -> list[Figure]:
    """What the rules take of a live table's time."""
    figures: list[Figure] = []
    for players in PLAYERS:
        found = [live(players, seed) for seed in range(REPEATS)]
        moves = median(1e6 / (move + players * telling) for move, telling in found)
        figures += [
            Figure(f"{NAMES[players]}, live move", median(move for move, _ in found), "µs"),
            Figure(f"{NAMES[players]}, telling a seat", median(told for _, told in found), "µs"),
            Figure(f"{NAMES[players]}, moves told to all", moves, "a second", at_least=1000),
        ]
    return figures


def starting() -> list[Figure]:
    first, later, with_scipy = compile_seconds(REPEATS)
    return [
        Figure("import royalcrypt", import_seconds(REPEATS), "s", at_most=0.3),
        Figure("compiled game, first process", first.wall, "s", at_most=15),
        Figure("compiled game, first process, processor", first.processor, "s"),
        Figure("compiled game, later processes", later.wall, "s", at_most=1),
        Figure("compiled game, later processes, processor", later.processor, "s"),
        Figure("compiled game, later processes, with SciPy", with_scipy.wall, "s"),
    ]


def stay_on_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def figures() -> list[Figure]:
    started = starting()
    stay_on_one_core()
    return side_by_side() + plainly() + living() + started
