"""The value network: predicts a seat's chance to win and its score, in machine code.

It has one hidden layer and two results: the chance to win (alone: to be The Magnificent) and the score. Its
weights are one row, the hidden layer's first, input after input.
"""

from math import exp

from royalcrypt.search.carrier import Floats
from royalcrypt.search.features import INPUTS, SCRATCH

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
    hear_nothing(weights, layer)
    for index in range(INPUTS):
        number = numbers[SCRATCH + index]
        if number != 0.0:
            for unit in range(WIDTH):
                layer[unit] += number * weights[index * WIDTH + unit]
    conclude(weights, layer)


def evaluate_next(numbers: Floats, before: Floats, weights: Floats, layer: Floats) -> None:
    """Evaluate by the difference from ``before``, the position that ``layer`` was computed from.

    Positions after two actions of the same decision have most inputs in common.
    """
    for index in range(INPUTS):
        change = numbers[SCRATCH + index] - before[SCRATCH + index]
        if change != 0.0:
            before[SCRATCH + index] = numbers[SCRATCH + index]
            for unit in range(WIDTH):
                layer[unit] += change * weights[index * WIDTH + unit]
    conclude(weights, layer)


def begin(before: Floats, weights: Floats, layer: Floats) -> None:
    """Prepare ``before`` and ``layer`` for a series of calls of ``evaluate_next``."""
    for index in range(INPUTS):
        before[SCRATCH + index] = 0.0
    hear_nothing(weights, layer)


def hear_nothing(weights: Floats, layer: Floats) -> None:
    for unit in range(WIDTH):
        layer[unit] = weights[HIDDEN_BIAS + unit]


def conclude(weights: Floats, layer: Floats) -> None:
    win = weights[WIN_BIAS]
    score = weights[SCORE_BIAS]
    for unit in range(WIDTH):
        if layer[unit] > 0.0:
            win += layer[unit] * weights[WIN + unit]
            score += layer[unit] * weights[SCORE + unit]
    layer[WIN_AT] = 1.0 / (1.0 + exp(-win))
    layer[SCORE_AT] = score


def worth(layer: Floats, is_solo: int) -> float:
    return worth_of(layer[WIN_AT], layer[SCORE_AT], is_solo)


def worth_of(win: float, score: float, is_solo: int) -> float:
    """The value by which bots choose; the score is a fraction of ``SCORE_SCALE``."""
    return win + (SCORE_WEIGHT_ALONE if is_solo else SCORE_WEIGHT) * score
