"""The value network: predicts a seat's win chance and score, in machine code.

It has one hidden layer and two results: the win chance (solo: of the title The Magnificent) and the score.
All weights are in one array: the hidden layer's come first, ordered by input.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from typing import Any

import numpy as np

from royalcrypt.rules.layout import State, no_options
from royalcrypt.rules.turns import legal_actions
from royalcrypt.search.backend import Floats, record_of
from royalcrypt.search.compilation import compiled
from royalcrypt.search.features import END, INPUTS, INPUTS_AT, encode
from royalcrypt.search.simulation import applied

WIDTH = 128
HIDDEN_BIAS = INPUTS * WIDTH
WIN = HIDDEN_BIAS + WIDTH
SCORE = WIN + WIDTH
WIN_BIAS = SCORE + WIDTH
SCORE_BIAS = WIN_BIAS + 1
WEIGHTS = SCORE_BIAS + 1

WIN_AT = WIDTH
SCORE_AT = WIDTH + 1
LAYER = WIDTH + 2
"""The length of the array with the hidden layer, followed by the results."""
SCORE_SCALE = 50.0
SCORE_WEIGHT, SCORE_WEIGHT_ALONE = 0.05, 1.0
"""The weight of the score relative to the win chance: it breaks ties and matters in lost games."""


def evaluate(numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Evaluate an encoded position: the win chance, and the score as a fraction of ``SCORE_SCALE``."""
    reset_layer(weights, layer)
    for index in range(INPUTS):
        number = numbers[INPUTS_AT + index]
        if number != 0.0:
            for unit in range(WIDTH):
                layer[unit] += number * weights[index * WIDTH + unit]
    compute_results(weights, layer)


def evaluate_next(numbers: Floats, before: Floats, weights: Floats, layer: Floats) -> None:
    """Evaluate a position incrementally, by its difference from ``before``, to which ``layer`` belongs.

    This is faster, because positions after two actions of the same decision share most inputs.
    """
    for index in range(INPUTS):
        change = numbers[INPUTS_AT + index] - before[INPUTS_AT + index]
        if change != 0.0:
            before[INPUTS_AT + index] = numbers[INPUTS_AT + index]
            for unit in range(WIDTH):
                layer[unit] += change * weights[index * WIDTH + unit]
    compute_results(weights, layer)


def begin(before: Floats, weights: Floats, layer: Floats) -> None:
    """Initialise ``before`` and ``layer`` for a series of ``evaluate_next`` calls."""
    for index in range(INPUTS):
        before[INPUTS_AT + index] = 0.0
    reset_layer(weights, layer)


def reset_layer(weights: Floats, layer: Floats) -> None:
    for unit in range(WIDTH):
        layer[unit] = weights[HIDDEN_BIAS + unit]


def compute_results(weights: Floats, layer: Floats) -> None:
    win = weights[WIN_BIAS]
    score = weights[SCORE_BIAS]
    for unit in range(WIDTH):
        if layer[unit] > 0.0:
            win += layer[unit] * weights[WIN + unit]
            score += layer[unit] * weights[SCORE + unit]
    layer[WIN_AT] = 1.0 / (1.0 + exp(-win))
    layer[SCORE_AT] = score


def worth_of(win: float, score: float, is_solo: int) -> float:
    """The value that bots maximise; the score is a fraction of ``SCORE_SCALE``."""
    return win + (SCORE_WEIGHT_ALONE if is_solo else SCORE_WEIGHT) * score


def predict(state: State, seat: int, numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Write the network's prediction for a seat in a concealed state to ``layer``."""
    encode(state, seat, numbers)
    evaluate(numbers, weights, layer)


@cache
def learned_weights() -> Any:
    """The weights made by ``royalcrypt train``; value.json beside the file describes the training."""
    with (files("royalcrypt.search") / "learned" / "value.npy").open("rb") as file:
        return np.load(file, allow_pickle=False)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A seat's predicted win chance (solo: of the title The Magnificent) and score in coins."""

    win: float
    score: float
    worth: float
    """The value that bots maximise."""


class Evaluator:
    """Evaluates plain states. Each thread needs its own instance."""

    def __init__(self) -> None:
        self._weights = learned_weights()
        self._numbers: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)

    def prediction(self, known: State, seat: int) -> Prediction:
        """The prediction for any seat, in a plain state where the seat has just acted or waits for others."""
        compiled(predict)(record_of(known), seat, self._numbers, self._weights, self._layer)
        win, score = float(self._layer[WIN_AT]), float(self._layer[SCORE_AT])
        return Prediction(win, score * SCORE_SCALE, worth_of(win, score, known.is_solo))

    def best_decision(self, known: State) -> int:
        """The small decision of the actor with the highest evaluation."""
        options = no_options()
        codes = [options.codes[index] for index in range(legal_actions(known, options))]
        seat = known.actor
        return max(codes, key=lambda code: self.prediction(applied(known, seat, code), seat).worth)
