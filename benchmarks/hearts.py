"""OpenSpiel's hearts, the yardstick: the same kind of random play by other people's code."""

import random
from statistics import mean
from time import process_time
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

DEALS = 10
ROLLOUTS = 200


class Hearts:
    """Deals of hearts, and how fast random play from after the deal goes."""

    def __init__(self) -> None:
        self.game: Any = pyspiel.load_game("hearts")
        self.deals = [self._deal(random.Random(seed)) for seed in range(DEALS)]
        # The first simulation evaluates the root itself, so one simulation is just the rollouts from it.
        self.bot: Any = pyspiel.MCTSBot(
            self.game,
            pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1),
            uct_c=2.0,
            max_simulations=1,
            max_memory_mb=1000,
            solve=False,
            seed=1,
            verbose=False,
        )
        self.slow_evaluator: Any = RandomRolloutEvaluator(1, np.random.RandomState(1))
        self.decisions = mean(self._play(deal, random.Random(1)) for deal in self.deals)
        """Of players, in a game, on average over the deals: 52 cards, and 12 where cards are passed first."""

    def _deal(self, rng: random.Random) -> Any:
        state = self.game.new_initial_state()
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        return state

    def _play(self, deal: Any, rng: random.Random) -> int:
        state = deal.clone()
        decisions = 0
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions

    def compiled_rate(self) -> float:
        """Games a second of the C++ rollouts."""
        start = process_time()
        for deal in self.deals:
            self.bot.step(deal)
        return DEALS * ROLLOUTS / (process_time() - start)

    def python_rate(self) -> float:
        """Games a second of the same rollouts as OpenSpiel writes them in Python, over the C++ state."""
        start = process_time()
        for deal in 5 * self.deals:
            self.slow_evaluator.evaluate(deal)
        return 5 * DEALS / (process_time() - start)

    def bare_rate(self) -> float:
        """Games a second of the barest loop in Python over the C++ state: nothing but its calls."""
        rng = random.Random(1)
        start = process_time()
        for deal in 30 * self.deals:
            self._play(deal, rng)
        return 30 * DEALS / (process_time() - start)
