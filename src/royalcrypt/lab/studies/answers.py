"""What a study found: tables of estimates, pictures of them, and the words around both."""

import csv
import io
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pandas import DataFrame

Array = np.ndarray[Any, np.dtype[Any]]
DIGITS = 4
Z = 1.959964
"""Half of the width of a 95 % interval, in standard errors."""


def reach(count: int) -> float:
    """The same for a mean of few observations: Student's t, by the first terms of its expansion."""
    left = max(1, count - 1)
    return Z + (Z**3 + Z) / (4 * left) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * left**2) + 8 / left**4


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float
    count: int
    """Independent observations behind it: deals, mostly."""

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        return value < self.low or value > self.high


LOPSIDED = 0.1
NOTHING = Estimate(float("nan"), float("nan"), float("nan"), 0)


def mean_of(values: Array) -> Estimate:
    """Of independent values."""
    count = len(values)
    if count == 0:
        return NOTHING
    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / sqrt(count) if count > 1 else float("nan")
    return Estimate(mean, mean - reach(count) * error, mean + reach(count) * error, count)


def mean_by_deal(values: Array, deals: Array) -> Estimate:
    """Of values that belong to deals: those of one deal hang together, so deals are what is counted."""
    if len(values) == 0:
        return NOTHING
    _, place = np.unique(deals, return_inverse=True)
    sums, sizes = np.bincount(place, values), np.bincount(place)
    count, mean = len(sums), float(sums.sum() / sizes.sum())
    if count < 2:
        return Estimate(mean, float("nan"), float("nan"), count)
    error = sqrt(float(np.sum((sums - mean * sizes) ** 2)) * count / (count - 1)) / float(sizes.sum())
    return Estimate(mean, mean - reach(count) * error, mean + reach(count) * error, count)


def share_of(hits: float, count: int) -> Estimate:
    """Of independent trials, by Wilson's interval, which stays between 0 and 1."""
    if count == 0:
        return NOTHING
    share, square = hits / count, Z * Z
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = Z * sqrt(share * (1 - share) / count + square / (4 * count**2)) / (1 + square / count)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half), count)


Cell = str | int | float | Estimate


@dataclass(frozen=True)
class Column:
    name: str
    """In the CSV; an estimate's bounds go into ``name_low`` and ``name_high``."""
    heading: str
    form: str = ""
    """How a number is shown, as in ``format``: ``.1f``, ``+.2f``, ``.1%``."""


@dataclass(frozen=True)
class Table:
    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_long: bool = False
    """Whether it is folded away in the report."""

    def header(self) -> list[str]:
        names: list[str] = []
        for index, column in enumerate(self.columns):
            names.append(column.name)
            if any(isinstance(row[index], Estimate) for row in self.rows):
                names += [f"{column.name}_low", f"{column.name}_high"]
        return names

    def lines(self) -> list[list[str | int | float]]:
        """Numbers are rounded, so that the last bits of a machine's arithmetic do not show."""
        return [[number for cell in row for number in _numbers(cell)] for row in self.rows]

    def to_csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.header())
        writer.writerows([["" if is_nothing(cell) else cell for cell in line] for line in self.lines()])
        return text.getvalue()

    def to_frame(self) -> "DataFrame":
        from pandas import DataFrame

        return DataFrame(self.lines(), columns=self.header())


def is_nothing(cell: str | float) -> bool:
    return isinstance(cell, float) and np.isnan(cell)


def _numbers(cell: Cell) -> list[str | int | float]:
    if isinstance(cell, Estimate):
        return [_rounded(cell.value), _rounded(cell.low), _rounded(cell.high)]
    return [_rounded(cell) if isinstance(cell, float) else cell]


def _rounded(number: float) -> float:
    return round(float(number), DIGITS) + 0.0  # never minus nothing


@dataclass(frozen=True)
class Picture:
    name: str
    svg: str
    alt: str
    """What it shows, for those who do not see it."""
    caption: str


@dataclass(frozen=True)
class Section:
    heading: str
    words: tuple[str, ...]
    """Paragraphs."""
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True)
class Study:
    """A question and its answer."""

    name: str
    title: str
    question: str
    findings: tuple[str, ...]
    """In a sentence each, with figures."""
    sections: tuple[Section, ...]
    method: tuple[str, ...]
    limits: tuple[str, ...]
    games: int
    """That were played for it, the counterfactual ones too."""
    player: str
    """Who played, and how strong that is."""

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(table for section in self.sections for table in section.tables)

    def table(self, name: str) -> Table:
        return next(table for table in self.tables if table.name == name)

    def to_frame(self, name: str | None = None) -> "DataFrame":
        """One of the tables as a data frame; the first, if none is named."""
        return (self.tables[0] if name is None else self.table(name)).to_frame()


def told(estimate: Estimate, form: str = ".2f") -> str:
    """As words: ``1.25 ± 0.10``; where it reaches further to one side, ``2.0 % (0.5 to 7.1)``."""
    if np.isnan(estimate.value):
        return "–"
    is_share = form.endswith("%")
    scale, sign, plain = (100, " %", form[:-1] + "f") if is_share else (1, "", form)
    digits = int(plain.strip("+.f"))
    value = format(round(estimate.value * scale, digits) + 0.0, plain).replace("-", "−")
    if np.isnan(estimate.low):
        return value + sign
    unsigned = plain.lstrip("+")
    low, high, half = (
        format(number * scale, unsigned).replace("-", "−")
        for number in (estimate.low, estimate.high, estimate.half)
    )
    if abs(estimate.high + estimate.low - 2 * estimate.value) > LOPSIDED * estimate.half:
        return f"{value}{sign} ({low} to {high})"
    return f"{value} ± {half}{sign}"


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Of two that are independent of each other."""
    value, half = one.value - other.value, sqrt(one.half**2 + other.half**2)
    return Estimate(value, value - half, value + half, min(one.count, other.count))


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"
