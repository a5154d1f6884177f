"""Estimates with 95 % intervals: means, shares, differences, regression coefficients, and their text."""

from dataclasses import dataclass
from math import isnan, nan, sqrt
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Z = 1.959964
"""The half-width of a 95 % interval, in standard errors."""
MOST_ASYMMETRY = 0.1
"""The asymmetry of an interval up to which it is shown with ``±``, as a part of its half-width."""


def t_quantile(count: int) -> float:
    """The quantile of Student's t distribution that replaces ``Z`` for few observations."""
    left = max(1, count - 1)
    return Z + (Z**3 + Z) / (4 * left) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * left**2) + 8 / left**4


def number_text(number: float, form: str) -> str:
    """A number in a ``format`` such as ``+.2f`` or ``.1%``, with a typographic minus and no negative zero."""
    return format(number, form.replace(".", "z.")).replace("-", "−")


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float = nan
    high: float = nan
    count: int = 0
    """The number of independent observations, mostly deals."""

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    @property
    def is_known(self) -> bool:
        return not isnan(self.value)

    def __sub__(self, other: "Estimate") -> "Estimate":
        """The difference of two independent estimates."""
        value, half = self.value - other.value, sqrt(self.half**2 + other.half**2)
        return Estimate(value, value - half, value + half, min(self.count, other.count))

    def __abs__(self) -> "Estimate":
        return Estimate(-self.value, -self.high, -self.low, self.count) if self.value < 0 else self

    def excludes(self, value: float) -> bool:
        return value < self.low or value > self.high

    def __format__(self, form: str) -> str:
        """Text such as ``1.25 ± 0.10``, or for asymmetric intervals ``2.0 % (0.5 to 7.1)``."""
        if not self.is_known:
            return "–"
        scale, sign = (100, " %") if form.endswith("%") else (1, "")
        signed = form.replace("%", "f")
        plain = signed.lstrip("+")
        value = number_text(self.value * scale, signed)
        if isnan(self.low):
            return value + sign
        if abs(self.high + self.low - 2 * self.value) > MOST_ASYMMETRY * self.half:
            low, high = number_text(self.low * scale, plain), number_text(self.high * scale, plain)
            return f"{value}{sign} ({low} to {high})"
        return f"{value} ± {number_text(self.half * scale, plain)}{sign}"


UNKNOWN = Estimate(nan)


def mean_of(values: Array) -> Estimate:
    """The mean of independent values."""
    return mean_by_deal(values, np.arange(len(values)))


def mean_by_deal(values: Array, deals: Array) -> Estimate:
    """The mean of values clustered by deal, which depend on each other within a deal."""
    if len(values) == 0:
        return UNKNOWN
    _, place = np.unique(deals, return_inverse=True)
    sums, sizes = np.bincount(place, values), np.bincount(place)
    count, mean = len(sums), float(sums.sum() / sizes.sum())
    if count < 2:
        return Estimate(mean, count=count)
    error = sqrt(float(np.sum((sums - mean * sizes) ** 2)) * count / (count - 1)) / float(sizes.sum())
    return Estimate(mean, mean - t_quantile(count) * error, mean + t_quantile(count) * error, count)


def share_of(hits: float, count: int) -> Estimate:
    """The share of successes in independent trials, with Wilson's interval, which stays between 0 and 1."""
    if count == 0:
        return UNKNOWN
    share, square = hits / count, Z * Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = Z * sqrt(share * (1 - share) / count + square / (4 * count**2)) / (1 + square / count)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half), count)


def against_others(values: Array) -> Array:
    """Each seat's value minus the mean of the others; the second axis is the seat."""
    seats = values.shape[1]
    return (values * seats - values.sum(axis=1, keepdims=True)) / (seats - 1)


def least_squares(table: Array, target: Array, deals: Array) -> list[Estimate]:
    """Regression coefficients without an intercept; intervals allow for dependence within a deal.

    All-zero columns have no estimate; linearly dependent columns get the minimum-norm solution.
    """
    table, target = np.asarray(table, np.float64), np.asarray(target, np.float64)
    inverse = np.linalg.pinv(table.T @ table, hermitian=True)
    found = inverse @ (table.T @ target)
    left = target - table @ found
    groups, place = np.unique(deals, return_inverse=True)
    count, width = len(groups), table.shape[1]
    scores = np.zeros((count, width))
    np.add.at(scores, place, table * left[:, None])
    correction = count / max(1, count - 1) * len(table) / max(1, len(table) - width)
    errors = np.sqrt(np.maximum(0, np.diag(inverse @ (scores.T @ scores) @ inverse) * correction))
    found[~table.any(axis=0)] = nan
    bounds = np.stack([found, found - Z * errors, found + Z * errors], axis=1)
    return [Estimate(float(value), float(low), float(high), count) for value, low, high in bounds]
