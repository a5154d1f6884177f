"""Training of the value network: gradients of mini-batches, and the Adam optimiser."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from royalcrypt.search.features import INPUTS
from royalcrypt.search.network import HIDDEN_BIAS, SCORE_BIAS, WEIGHTS, WIDTH, WIN, WIN_BIAS

Array = np.ndarray[Any, np.dtype[np.float32]]
BATCH = 256
INITIAL_SCORE = 0.8
"""The score that an untrained network predicts, as a fraction of ``SCORE_SCALE``."""
SCORE_LOSS_WEIGHT = 5
"""The weight of the score's error, which is small; in solo games only the score counts."""
USUAL_INPUTS = 60
"""The number of non-zero inputs of a typical position, by which initial weights are scaled."""
MEAN_DECAY, SQUARES_DECAY, EPSILON = 0.9, 0.999, 1e-8
"""The usual constants of Adam."""


class Losses(NamedTuple):
    """The mean squared errors of the predictions."""

    win: float
    score: float


class Layers(NamedTuple):
    """The parts of an array of weights or of gradients."""

    hidden: Array
    hidden_bias: Array
    results: Array
    results_bias: Array


def layers_of(row: Array) -> Layers:
    return Layers(
        row[:HIDDEN_BIAS].reshape(INPUTS, WIDTH),
        row[HIDDEN_BIAS:WIN],
        row[WIN:WIN_BIAS].reshape(2, WIDTH),
        row[WIN_BIAS:],
    )


def initial_weights(seed: int) -> Array:
    chance = np.random.default_rng((seed, 0))
    weights = np.zeros(WEIGHTS, np.float32)
    weights[:HIDDEN_BIAS] = chance.standard_normal(HIDDEN_BIAS) / np.sqrt(2 * USUAL_INPUTS)
    weights[WIN:WIN_BIAS] = chance.standard_normal(WIN_BIAS - WIN) / WIDTH
    weights[SCORE_BIAS] = INITIAL_SCORE
    return weights


def predict_all(weights: Array, samples: Array) -> Array:
    """The network's predictions: win chances, and scores as fractions of ``SCORE_SCALE``."""
    layers = layers_of(weights)
    return results_of(layers, np.maximum(samples @ layers.hidden + layers.hidden_bias, 0))


def results_of(layers: Layers, active: Array) -> Array:
    results = active @ layers.results.T + layers.results_bias
    results[:, 0] = 1 / (1 + np.exp(-results[:, 0]))
    return results


def gradients(weights: Array, samples: Array, targets: Array) -> tuple[Array, Losses]:
    """The gradients of the losses: cross entropy for the win chance, weighted squared error for the score."""
    layers = layers_of(weights)
    hidden = samples @ layers.hidden + layers.hidden_bias
    active = np.maximum(hidden, 0)
    wrong = results_of(layers, active) - targets
    losses = Losses(*(float(loss) for loss in np.mean(wrong * wrong, axis=0)))
    wrong[:, 1] *= 2 * SCORE_LOSS_WEIGHT
    wrong /= len(samples)
    found = np.empty_like(weights)
    parts = layers_of(found)
    parts.results[:] = wrong.T @ active
    parts.results_bias[:] = wrong.sum(axis=0)
    back = (wrong @ layers.results) * (hidden > 0)
    parts.hidden[:] = samples.T @ back
    parts.hidden_bias[:] = back.sum(axis=0)
    return found, losses


@dataclass
class Learner:
    weights: Array
    pace: Array
    """The running mean of the gradients (Adam's first moment); ``roughness`` is that of their squares."""
    roughness: Array
    steps: int = 0

    @classmethod
    def beginning(cls, seed: int) -> "Learner":
        return cls(initial_weights(seed), np.zeros(WEIGHTS, np.float32), np.zeros(WEIGHTS, np.float32))

    def learn(self, samples: Array, targets: Array, rate: float, chance: np.random.Generator) -> Losses:
        """Train one epoch over all samples, in random order."""
        order = chance.permutation(len(samples))
        losses: list[Losses] = []
        for first in range(0, len(order), BATCH):
            some = order[first : first + BATCH]
            found, loss = gradients(self.weights, samples[some], targets[some])
            self._step(found, rate)
            losses.append(loss)
        return Losses(*(float(loss) for loss in np.mean(losses, axis=0)))

    def _step(self, found: Array, rate: float) -> None:
        self.steps += 1
        self.pace += (1 - MEAN_DECAY) * (found - self.pace)
        self.roughness += (1 - SQUARES_DECAY) * (found * found - self.roughness)
        pace = self.pace / (1 - MEAN_DECAY**self.steps)
        roughness = self.roughness / (1 - SQUARES_DECAY**self.steps)
        self.weights -= np.float32(rate) * pace / (np.sqrt(roughness) + np.float32(EPSILON))
