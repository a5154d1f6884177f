"""The results of a study: tables of estimates, figures and texts."""

import csv
import io
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from royalcrypt.lab.studies.estimates import Estimate

if TYPE_CHECKING:
    from pandas import DataFrame

DIGITS = 4
"""The number of decimals in CSV files and data frames, which hides rounding errors of the machine."""
Cell = str | int | float | Estimate


@dataclass(frozen=True)
class ResultColumn:
    name: str
    """The column name in CSV files; the bounds of estimates are in ``name_low`` and ``name_high``."""
    heading: str = ""
    """The displayed heading; empty for columns that only figures and findings use."""
    form: str = ""
    """The number format, as for ``format``: ``.1f``, ``+.2f``, ``.1%``."""


@dataclass(frozen=True)
class ResultTable:
    name: str
    caption: str
    columns: tuple[ResultColumn, ...]
    rows: list[tuple[Cell, ...]]
    is_long: bool = False
    """Whether the report shows the table collapsed."""

    def header(self) -> list[str]:
        names: list[str] = []
        for index, column in enumerate(self.columns):
            names.append(column.name)
            if any(isinstance(row[index], Estimate) for row in self.rows):
                names += [f"{column.name}_low", f"{column.name}_high"]
        return names

    def lines(self) -> list[list[str | int | float]]:
        return [[number for cell in row for number in _numbers(cell)] for row in self.rows]

    def to_csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.header())
        for line in self.lines():
            writer.writerow(["" if isinstance(cell, float) and isnan(cell) else cell for cell in line])
        return text.getvalue()

    def to_frame(self) -> "DataFrame":
        from pandas import DataFrame

        return DataFrame(self.lines(), columns=self.header())


def _numbers(cell: Cell) -> list[str | int | float]:
    if isinstance(cell, Estimate):
        return [number for bound in (cell.value, cell.low, cell.high) for number in _numbers(bound)]
    return [round(float(cell), DIGITS) + 0.0 if isinstance(cell, float) else cell]  # never -0.0


@dataclass(frozen=True)
class Picture:
    svg: str
    caption: str


@dataclass(frozen=True)
class Section:
    heading: str
    paragraphs: list[str]
    pictures: list[Picture]
    tables: list[ResultTable]


@dataclass(frozen=True)
class Study:
    """A question with its answer: findings, tables and figures."""

    name: str
    title: str
    question: str
    findings: list[str]
    """Findings: one sentence each, with numbers."""
    sections: list[Section]
    method: list[str]
    limits: list[str]
    games: int
    """The number of games played, including the counterfactual ones."""
    player: str
    """The players in the games, with their rating."""

    @property
    def tables(self) -> list[ResultTable]:
        return [table for section in self.sections for table in section.tables]

    def table(self, name: str) -> ResultTable:
        return next(table for table in self.tables if table.name == name)

    def to_frame(self, name: str | None = None) -> "DataFrame":
        """The table with this name, by default the first, as a data frame."""
        return (self.tables[0] if name is None else self.table(name)).to_frame()
