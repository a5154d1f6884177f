"""The value network: what a position promises to a seat, in machine code within the playouts.

One hidden layer. Of its two results one says how likely the seat is to win (alone: to be The Magnificent),
the other which score to expect. Its weights lie in one row, the hidden layer's first, input after input.
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
"""Room for the hidden layer and, behind it, the results."""
SCORE_SCALE = 50.0
SCORE_WEIGHT, SCORE_WEIGHT_ALONE = 0.05, 1.0
"""Weight of the score beside the chance to win: it breaks ties, and gives a lost game a goal."""


def evaluate(numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Of a description, the chance to win and the score as a part of ``SCORE_SCALE``."""
    hear_nothing(weights, layer)
    for index in range(INPUTS):
        number = numbers[SCRATCH + index]
        if number != 0.0:
            for unit in range(WIDTH):
                layer[unit] += number * weights[index * WIDTH + unit]
    conclude(weights, layer)


def evaluate_next(numbers: Floats, before: Floats, weights: Floats, layer: Floats) -> None:
    """The same by what is different from ``before``, the description that ``layer`` heard last.

    Positions after two actions in the same place have most of their numbers in common.
    """
    for index in range(INPUTS):
        change = numbers[SCRATCH + index] - before[SCRATCH + index]
        if change != 0.0:
            before[SCRATCH + index] = numbers[SCRATCH + index]
            for unit in range(WIDTH):
                layer[unit] += change * weights[index * WIDTH + unit]
    conclude(weights, layer)


def begin(before: Floats, weights: Floats, layer: Floats) -> None:
    """Before the first of several that are evaluated one after the other."""
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
