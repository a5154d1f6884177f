"""Our game in OpenSpiel beside those that OpenSpiel itself has in pure Python: one loop plays them all."""

import random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.figures import Figure
from benchmarks.rules import stay_on_one_core

OURS = {
    "two players": {"players": 2},
    "four players": {"players": 4, "collectors": "BABBAB"},
}
THEIRS = ("python_liars_poker", "python_team_dominoes")
REPEATS = 15
SECONDS = 0.3
AS_MANY = 1.0


class Rate(NamedTuple):
    """A second of processor time."""

    decisions: float
    """Of players and of chance."""
    of_players: float


def play(game: Any, rng: random.Random) -> tuple[int, int]:
    """One game; return the decisions of all, and of players."""
    state = game.new_initial_state()
    of_chance = of_players = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
            of_chance += 1
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            of_players += 1
    return of_chance + of_players, of_players


def rate(game: Any, seed: int) -> Rate:
    rng = random.Random(seed)
    decisions = of_players = 0
    start = process_time()
    while (taken := process_time() - start) < SECONDS:
        more, of_them = play(game, rng)
        decisions += more
        of_players += of_them
    return Rate(decisions / taken, of_players / taken)


def figures() -> list[Figure]:
    import pyspiel
    from open_spiel.python import games

    import royalcrypt.envs.openspiel as ours

    stay_on_one_core()
    spiel: Any = pyspiel
    loaded = {name: spiel.load_game(ours.GAME_TYPE.short_name, set_up) for name, set_up in OURS.items()}
    loaded |= {name: spiel.load_game(name) for name in THEIRS if name.removeprefix("python_") in dir(games)}
    rounds = [{name: rate(game, seed) for name, game in loaded.items()} for seed in range(REPEATS)]
    found = [
        Figure(f"OpenSpiel, {name}, decisions", median(rates[name].decisions for rates in rounds), "a second")
        for name in loaded
    ]
    for own in OURS:
        for other in THEIRS:
            ratio = median(rates[own].decisions / rates[other].decisions for rates in rounds)
            of_players = median(rates[own].of_players / rates[other].of_players for rates in rounds)
            beside = f"OpenSpiel, {own} / {other}"
            found += [
                Figure(f"{beside}, decisions", ratio, "times", at_least=AS_MANY),
                Figure(f"{beside}, decisions of players", of_players, "times", at_least=AS_MANY),
            ]
    return found
