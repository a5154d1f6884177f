"""The Bradley-Terry model: strengths that explain best who beat whom, on Elo's scale.

Whoever stands 400 higher is expected to win ten games for each one lost.
"""

from collections.abc import Sequence
from math import exp, log

TEN_TO_ONE = 400
SHARED_GAMES = 1
"""Added to every match as shared wins, so that a bot that never lost has a rating as well."""
STEPS = 200
CLOSE_ENOUGH = 1e-10
Matrix = Sequence[Sequence[float]]


def fit(wins: Matrix, games: Matrix, start: Sequence[float] | None = None) -> list[float]:
    """Ratings relative to the first; ``wins[i][j]`` are those of i over j in ``games[i][j]``.

    All must be connected by games, directly or by way of others. Newton's method: the likelihood has one
    peak, and steps that are far are shortened so that none leads away from it.
    """
    number = len(wins)
    met = [[count + SHARED_GAMES if count else 0.0 for count in row] for row in games]
    won = [
        sum(wins[one][other] + SHARED_GAMES / 2 for other in range(number) if met[one][other])
        for one in range(number)
    ]
    strengths = [0.0] * number if start is None else [value * log(10) / TEN_TO_ONE for value in start]
    for _ in range(STEPS):
        step = [0.0, *_solved(*_slope_and_bend(strengths, won, met))]
        longest = max(map(abs, step))
        strengths = [value + way / (1 + longest) for value, way in zip(strengths, step, strict=True)]
        if longest < CLOSE_ENOUGH:
            break
    return [(value - strengths[0]) * TEN_TO_ONE / log(10) for value in strengths]


def _slope_and_bend(
    strengths: list[float], won: list[float], met: list[list[float]]
) -> tuple[list[float], list[list[float]]]:
    """Of the logarithm of the likelihood, but for the first, who stands still."""
    number = len(strengths)
    slope, bend = won[:], [[0.0] * number for _ in range(number)]
    for one in range(number):
        for other in range(one):
            if met[one][other]:
                share = 1 / (1 + exp(strengths[other] - strengths[one]))
                slope[one] -= met[one][other] * share
                slope[other] -= met[one][other] * (1 - share)
                part = met[one][other] * share * (1 - share)
                bend[one][one] += part
                bend[other][other] += part
                bend[one][other] -= part
                bend[other][one] -= part
    return slope[1:], [row[1:] for row in bend[1:]]


def _solved(right: list[float], left: list[list[float]]) -> list[float]:
    """Linear equations; the matrix is symmetric and positive, so that no rows need be exchanged."""
    number = len(right)
    for pivot in range(number):
        for row in range(pivot + 1, number):
            factor = left[row][pivot] / left[pivot][pivot]
            for column in range(pivot + 1, number):
                left[row][column] -= factor * left[pivot][column]
            right[row] -= factor * right[pivot]
    for row in reversed(range(number)):
        known = sum(left[row][column] * right[column] for column in range(row + 1, number))
        right[row] = (right[row] - known) / left[row][row]
    return right
