"""The value network: predicts a seat's chance to win and its score, in machine code.

It has one hidden layer and two results: the chance to win (alone: to be The Magnificent) and the score. Its
weights are one row, the hidden layer's first, input after input.
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
"""Length of the row with the hidden layer and, behind it, the results."""
SCORE_SCALE = 50.0
SCORE_WEIGHT, SCORE_WEIGHT_ALONE = 0.05, 1.0
"""Weight of the score beside the chance to win: it breaks ties, and gives a lost game a goal."""


def evaluate(numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Evaluate an encoded position: the chance to win, and the score as a fraction of ``SCORE_SCALE``."""
    reset_layer(weights, layer)
    for index in range(INPUTS):
        number = numbers[INPUTS_AT + index]
        if number != 0.0:
            for unit in range(WIDTH):
                layer[unit] += number * weights[index * WIDTH + unit]
    compute_results(weights, layer)


def evaluate_next(numbers: Floats, before: Floats, weights: Floats, layer: Floats) -> None:
    """Evaluate by the difference from ``before``, the position that ``layer`` was computed from.

    Positions after two actions of the same decision have most inputs in common.
    """
    for index in range(INPUTS):
        change = numbers[INPUTS_AT + index] - before[INPUTS_AT + index]
        if change != 0.0:
            before[INPUTS_AT + index] = numbers[INPUTS_AT + index]
            for unit in range(WIDTH):
                layer[unit] += change * weights[index * WIDTH + unit]
    compute_results(weights, layer)


def begin(before: Floats, weights: Floats, layer: Floats) -> None:
    """Prepare ``before`` and ``layer`` for a series of calls of ``evaluate_next``."""
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
    """The value by which bots choose; the score is a fraction of ``SCORE_SCALE``."""
    return win + (SCORE_WEIGHT_ALONE if is_solo else SCORE_WEIGHT) * score


def predict(state: State, seat: int, numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Write what the network says of a concealed state for a seat to ``layer``."""
    encode(state, seat, numbers)
    evaluate(numbers, weights, layer)


@cache
def learned_weights() -> Any:
    """The weights that ``royalcrypt train`` made; value.json beside the file says how and when."""
    with (files("royalcrypt.search") / "learned" / "value.npy").open("rb") as file:
        return np.load(file, allow_pickle=False)


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a seat may expect: its chance to win (alone: to be The Magnificent) and its score in coins."""

    win: float
    score: float
    worth: float
    """The value by which bots choose."""


class Evaluator:
    """Evaluates plain states. Each thread needs one of its own."""

    def __init__(self) -> None:
        self._weights = learned_weights()
        self._numbers: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)

    def prediction(self, known: State, seat: int) -> Prediction:
        """Of any seat, in a plain state where the seat has just acted or waits for others."""
        compiled(predict)(record_of(known), seat, self._numbers, self._weights, self._layer)
        win, score = float(self._layer[WIN_AT]), float(self._layer[SCORE_AT])
        return Prediction(win, score * SCORE_SCALE, worth_of(win, score, known.is_solo))

    def best_decision(self, known: State) -> int:
        """The actor's small decision after which the actor's evaluation is highest."""
        options = no_options()
        codes = [options.codes[index] for index in range(legal_actions(known, options))]
        seat = known.actor
        return max(codes, key=lambda code: self.prediction(applied(known, seat, code), seat).worth)
