"""Calibration of the value network: compares predicted win chances with the frequency of wins."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from royalcrypt.lab.simulate import batches
from royalcrypt.lab.training import QUICK, THREADS, TrainingPlan, own_player
from royalcrypt.lab.worker_pools import WorkerPool, thread_pool
from royalcrypt.search.compilation import compiled
from royalcrypt.search.network_training import Array, predict_all
from royalcrypt.search.self_play import generate_samples

BINS = 10
BATCH = 50
"""The number of games per task."""
TO_THE_END = 1.0
"""The lambda of TD(lambda) for which a sample's target is the result of its game."""


@dataclass(frozen=True)
class Predictions:
    """One random position of each game, with the predicted win chance and the result."""

    predicted: Array
    results: Array

    @classmethod
    def joined(cls, parts: "Iterable[Predictions]") -> "Predictions":
        predicted, results = zip(*((part.predicted, part.results) for part in parts), strict=True)
        return cls(np.concatenate(predicted), np.concatenate(results))


@dataclass(frozen=True)
class Bin:
    """Positions with similar predictions."""

    positions: int
    expected: float
    """The mean prediction."""
    happened: float
    """The mean result."""


@dataclass(frozen=True)
class Calibration:
    bins: tuple[Bin, ...]
    """Bins of the predicted chance, each a tenth wide."""

    @classmethod
    def of(cls, found: Predictions) -> "Calibration":
        tenth = np.minimum((found.predicted * BINS).astype(int), BINS - 1)
        bins: list[Bin] = []
        for number in range(BINS):
            here = tenth == number
            count = int(here.sum())
            columns = (found.predicted, found.results)
            means = (float(column[here].mean()) if count else 0.0 for column in columns)
            bins.append(Bin(count, *means))
        return cls(tuple(bins))

    @property
    def positions(self) -> int:
        return sum(one.positions for one in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: the mean difference between prediction and result."""
        return sum(one.positions * abs(one.expected - one.happened) for one in self.bins) / self.positions


def sample(
    weights: Any,
    players: int,
    games: int,
    seed: int,
    on_games: Callable[[int], None] = lambda _: None,
    pool: WorkerPool | None = None,
) -> Predictions:
    """Play games of the network against itself and sample one position of each; equal for equal seeds."""
    compiled(generate_samples)  # Compile once, before several threads start.
    samples: list[Array] = []
    came: list[Array] = []
    with thread_pool(THREADS) if pool is None else nullcontext(pool) as workers:
        task = partial(sample_games, weights, players, seed)
        for inputs, results in workers.map(task, batches(games, BATCH)):
            samples.append(inputs)
            came.append(results)
            on_games(len(results))
    predicted = predict_all(weights, np.concatenate(samples))[:, 0]
    return Predictions(predicted, np.concatenate(came))


def sample_games(weights: Any, players: int, seed: int, games: range) -> tuple[Array, Array]:
    """The encoded position and the result of one random sample of each game."""
    player = own_player()
    plan = TrainingPlan(seed=seed, trust=TO_THE_END)
    samples: list[Array] = []
    came: list[float] = []
    for game in games:
        count = player.play(QUICK, weights, plan, range(game, game + 1), players, 0)
        chosen = int(np.random.default_rng((seed, players, game)).integers(count))
        samples.append(player.samples[chosen].copy())
        came.append(float(player.targets[chosen, 0]))
    return np.stack(samples), np.array(came, np.float32)
