"""The tree search: seer's simulations a second, beside OpenSpiel's search of the same family on oh hell."""

import random
from statistics import median
from time import process_time
from typing import Any

import pyspiel

from benchmarks.figures import Figure
from benchmarks.rules import NAMES, PLAYERS, REPEATS, stay_on_one_core
from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.play.views import View
from royalcrypt.search.tree import SearchLimits, Tree

SIMULATIONS = 5000
POSITIONS = 12
GAMES = 4
"""Positions are taken evenly from so many games, from the first decision to the last."""
SIMULATIONS_WANTED = {2: 70_000}
RATIO_WANTED = {2: 2}


def evenly(found: list[Any]) -> list[Any]:
    return [found[index * len(found) // POSITIONS] for index in range(POSITIONS)]


def our_positions(players: int) -> list[View]:
    """What the deciders see in games of greedy players, with random sides."""
    found: list[View] = []
    for seed in range(GAMES):
        game = Game.new(
            players=players, collectors="".join(random.Random(seed).choices("AB", k=6)), seed=seed
        )
        while game.actor is not None:
            found.append(game.view(game.actor))
            game.play(bot_named("greedy").choose(found[-1], Budget()))
    return evenly(found)


def our_rate(positions: list[View], seed: int) -> float:
    start = process_time()
    for view in positions:
        assert view.seat is not None
        Tree(view.known, view.seat, SearchLimits(SIMULATIONS, seed=seed))
    return POSITIONS * SIMULATIONS / (process_time() - start)


class OhHell:
    """Decisions of random deals of oh hell, and the search from each of them, with random playouts."""

    def __init__(self) -> None:
        self.game: Any = pyspiel.load_game("oh_hell")
        found = [state for seed in range(GAMES) for state in self._decisions(random.Random(seed))]
        self.positions = evenly(found)

    def _decisions(self, rng: random.Random) -> list[Any]:
        state = self.game.new_initial_state()
        found: list[Any] = []
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                found.append(state.clone())
                state.apply_action(rng.choice(state.legal_actions()))
        return found

    def rate(self, seed: int) -> float:
        seconds = 0.0
        for state in self.positions:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
            bot: Any = pyspiel.ISMCTSBot(seed, evaluator, uct_c=2.0, max_simulations=SIMULATIONS)
            start = process_time()
            bot.step(state)
            seconds += process_time() - start
        return POSITIONS * SIMULATIONS / seconds


def figures() -> list[Figure]:
    """Ours and oh hell in turns, so that what slows the machine slows both; the median of each ratio."""
    stay_on_one_core()
    ours = {players: our_positions(players) for players in PLAYERS}
    oh_hell = OhHell()
    our_rate(ours[2], REPEATS)
    rounds = [
        (oh_hell.rate(seed), {players: our_rate(ours[players], seed) for players in PLAYERS})
        for seed in range(REPEATS)
    ]
    theirs = median(rate for rate, _ in rounds)
    found = [Figure("oh hell, C++ ISMCTS", theirs, "simulations/s")]
    for players in PLAYERS:
        rate = median(rates[players] for _, rates in rounds)
        ratio = median(rates[players] / their_rate for their_rate, rates in rounds)
        name = f"{NAMES[players]}, seer"
        wanted, ratio_wanted = SIMULATIONS_WANTED.get(players), RATIO_WANTED.get(players)
        found += [
            Figure(name, rate, "simulations/s", at_least=wanted),
            Figure(f"{name} / C++ ISMCTS", ratio, "times", at_least=ratio_wanted),
        ]
    return found
