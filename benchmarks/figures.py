"""What is measured, what is wanted of it, and how it is shown."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Figure:
    """One measured number; a goal with neither bound is for information."""

    what: str
    value: float
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def goal(self) -> str:
        if self.at_least is not None:
            return f"≥ {self.at_least:,g}"
        return "" if self.at_most is None else f"≤ {self.at_most:,g}"

    @property
    def is_met(self) -> bool | None:
        if self.at_least is not None:
            return self.value >= self.at_least
        return None if self.at_most is None else self.value <= self.at_most


def show(figures: list[Figure], machine: dict[str, str]) -> None:
    table = Table(title=", ".join(f"{name} {value}" for name, value in machine.items()))
    table.add_column("measured")
    table.add_column("figure", justify="right")
    table.add_column("unit")
    table.add_column("goal", justify="right")
    table.add_column("met")
    for figure in figures:
        met = {True: "yes", False: "NO", None: ""}[figure.is_met]
        table.add_row(figure.what, _rounded(figure.value), figure.unit, figure.goal, met)
    Console().print(table)


def write(figures: list[Figure], machine: dict[str, str], path: Path) -> None:
    rows = [asdict(figure) | {"is_met": figure.is_met} for figure in figures]
    path.write_text(json.dumps({"machine": machine, "figures": rows}, indent=2) + "\n", encoding="utf-8")


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
