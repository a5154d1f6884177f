"""Least squares: what goes with what, in many games at once, and how sure that is."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from royalcrypt.lab.studies.answers import Estimate, Z

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Fit:
    coefficients: tuple[Estimate, ...]
    explained: float
    """The part of the variance that the fit accounts for."""
    rows: int


def least_squares(table: Array, target: Array, deals: Array) -> Fit:
    """Without a constant; rows of one deal may hang together in any way (a cluster-robust interval).

    A column that never differs from 0, or says the same as others, gets what the shortest solution gives it,
    and no interval.
    """
    table, target = np.asarray(table, np.float64), np.asarray(target, np.float64)
    inverse = np.linalg.pinv(table.T @ table, hermitian=True)
    found = inverse @ (table.T @ target)
    left = target - table @ found
    groups, place = np.unique(deals, return_inverse=True)
    scores = np.zeros((len(groups), table.shape[1]))
    np.add.at(scores, place, table * left[:, None])
    count, width = len(groups), table.shape[1]
    correction = count / max(1, count - 1) * len(table) / max(1, len(table) - width)
    errors = np.sqrt(np.maximum(0, np.diag(inverse @ (scores.T @ scores) @ inverse) * correction))
    is_told = np.abs(table).sum(axis=0) > 0
    total = float(np.sum(target**2))
    return Fit(
        tuple(
            Estimate(float(value), float(value - Z * error), float(value + Z * error), count)
            if known
            else Estimate(float("nan"), float("nan"), float("nan"), 0)
            for value, error, known in zip(found, errors, is_told, strict=True)
        ),
        explained=1 - float(np.sum(left**2)) / total if total else 0.0,
        rows=len(table),
    )


def against_others(values: Array) -> Array:
    """Each seat's figure less the mean of the others'; seats are the second axis."""
    seats = values.shape[1]
    return (values * seats - values.sum(axis=1, keepdims=True)) / (seats - 1)
