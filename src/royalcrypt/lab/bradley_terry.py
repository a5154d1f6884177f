"""The Bradley-Terry model: maximum-likelihood ratings from pairwise results, on the Elo scale.

A rating 400 points higher means ten expected wins for each loss.
"""

from collections.abc import Sequence
from math import exp, log

TEN_TO_ONE = 400
SHARED_GAMES = 1
"""Shared wins that are added to every match, so that a bot without losses has a finite rating."""
STEPS = 200
CLOSE_ENOUGH = 1e-10
Matrix = Sequence[Sequence[float]]


def fit(wins: Matrix, games: Matrix, start: Sequence[float] | None = None) -> list[float]:
    """Ratings relative to the first bot; ``wins[i][j]`` are the wins of i over j in ``games[i][j]`` games.

    All bots must be connected by games, directly or through others. Uses Newton's method with a limited step
    length, because the likelihood has only one maximum.
    """
    number = len(wins)
    played = [[count + SHARED_GAMES if count else 0.0 for count in row] for row in games]
    won = [
        sum(wins[one][other] + SHARED_GAMES / 2 for other in range(number) if played[one][other])
        for one in range(number)
    ]
    strengths = [0.0] * number if start is None else [value * log(10) / TEN_TO_ONE for value in start]
    for _ in range(STEPS):
        step = [0.0, *_solved(*_gradient_and_curvature(strengths, won, played))]
        longest = max(map(abs, step))
        strengths = [value + change / (1 + longest) for value, change in zip(strengths, step, strict=True)]
        if longest < CLOSE_ENOUGH:
            break
    return [(value - strengths[0]) * TEN_TO_ONE / log(10) for value in strengths]


def _gradient_and_curvature(
    strengths: list[float], won: list[float], played: list[list[float]]
) -> tuple[list[float], list[list[float]]]:
    """The gradient and curvature of the log-likelihood; the first rating is fixed and left out."""
    number = len(strengths)
    gradient, curvature = won[:], [[0.0] * number for _ in range(number)]
    for one in range(number):
        for other in range(one):
            if played[one][other]:
                share = 1 / (1 + exp(strengths[other] - strengths[one]))
                gradient[one] -= played[one][other] * share
                gradient[other] -= played[one][other] * (1 - share)
                part = played[one][other] * share * (1 - share)
                curvature[one][one] += part
                curvature[other][other] += part
                curvature[one][other] -= part
                curvature[other][one] -= part
    return gradient[1:], [row[1:] for row in curvature[1:]]


def _solved(right: list[float], left: list[list[float]]) -> list[float]:
    """Solve linear equations without pivoting, because the matrix is symmetric and positive definite."""
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
