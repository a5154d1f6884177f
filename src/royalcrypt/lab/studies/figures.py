"""Figures of table rows as SVG, in the colours and fonts of the surrounding page.

Equal rows give equal bytes. The module needs matplotlib (``pip install royalcrypt[plots]``).
"""

import io
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from html import escape
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from royalcrypt.lab.studies.estimates import UNKNOWN, Estimate, number_text

TableRow = Mapping[str, Any]
"""A row of a table by column name, with the number of players."""
TableRows = Sequence[TableRow]
ROLES = (
    "text", "dim", "line", "paper", "ember", "idol", "jewelry", "manuscript", "pottery", "remains",
    "tapestry", "heir-0", "heir-1", "heir-2", "heir-3", "ghost",
)  # fmt: skip
"""The colours of the page, as names of CSS variables."""
PLAYERS_ROLES = {1: "ghost", 2: "heir-0", 3: "heir-1", 4: "heir-2"}
WIDTH = 5.0
"""The width in inches; phones scale figures down, so text must be large."""
HEIGHT = 3.2
"""The height in inches of charts that do not depend on the number of rows."""
MARKERS = "os^Dv"
LEGEND_WIDTH = 54
"""The number of characters in one line of the legend."""
HATCHES = ("", "//", "..", "xx", "\\\\")
LINE_STYLES = ("-", "--", "-.", ":", (0, (1, 1)))


def colour(role: str) -> str:
    """A placeholder colour that ``render`` replaces by the CSS variable."""
    return f"#0a0b{ROLES.index(role):02x}"


STYLE = {
    "svg.fonttype": "none", "font.size": 11, "axes.spines.top": False, "axes.spines.right": False,
    "axes.edgecolor": colour("line"), "axes.labelcolor": colour("dim"), "text.color": colour("text"),
    "xtick.color": colour("line"), "ytick.color": colour("line"), "xtick.labelcolor": colour("text"),
    "ytick.labelcolor": colour("text"), "axes.facecolor": "none", "legend.frameon": False,
    "grid.color": colour("line"), "grid.linewidth": 0.5, "hatch.linewidth": 0.8,
    "hatch.color": colour("paper"), "axes.axisbelow": True,
}  # fmt: skip
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


@dataclass(frozen=True)
class Chart(ABC):
    """The specification of a figure: the columns of a table that it shows, and how."""

    name: str
    label: str
    """The column with the labels of the items."""
    value: str = ""
    """The column with the estimates or numbers."""
    _: KW_ONLY
    xlabel: str = ""
    ylabel: str = ""
    is_share: bool = False
    """Whether values are shown as percentages."""
    is_split: ClassVar[bool] = False
    """Whether each number of players has a separate figure."""
    value_axis: ClassVar[str] = "y"
    grid: ClassVar[str] = "y"

    @abstractmethod
    def draw(self, axes: Any, rows: TableRows) -> None:
        """Draw the rows on the axes."""

    def details(self, rows: TableRows) -> dict[str, str]:  # noqa: ARG002 (for some charts)
        """Parameters for the alternative text and the caption."""
        return {}


def render(chart: Chart, rows: TableRows, name: str, alt: str) -> str:
    """Render an SVG element; ``name`` must be unique on its page, as it is the prefix of all identifiers."""
    from matplotlib.figure import Figure

    matplotlib: Any = import_module("matplotlib")
    with matplotlib.rc_context(STYLE | {"svg.hashsalt": name}):
        figure: Any = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        axes = figure.subplots()
        chart.draw(axes, rows)
        axes.set(xlabel=chart.xlabel, ylabel=chart.ylabel)
        if chart.grid:
            axes.grid(axis=chart.grid)
        if chart.is_share:
            getattr(axes, f"{chart.value_axis}axis").set_major_formatter(_percent)
        _add_legend(figure, axes)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata=NO_METADATA)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :].replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    svg = svg.replace("xlink:href", "href")
    for reference in (' id="', 'href="#', "url(#"):
        svg = svg.replace(reference, f"{reference}{name}-")
    for role in ROLES:
        svg = svg.replace(colour(role), f"var(--{role})")
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt)}"', 1)


def _percent(share: float, _: Any = None) -> str:
    return number_text(share * 100, ".3g") + " %"


def _add_legend(figure: Any, axes: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        columns = max(1, min(len(labels), LEGEND_WIDTH // (max(map(len, labels)) + 6)))
        figure.legend(
            handles, labels, loc="outside upper center", ncols=columns, handlelength=1.8, columnspacing=1.2
        )


@dataclass(frozen=True, kw_only=True)
class DotPlot(Chart):
    """Estimates with intervals: a line for each label, a colour for each number of players."""

    order: str = ""
    """The column by whose estimates labels are sorted, descending, for the fewest players."""
    role: str = ""
    """The colour if there is only one number of players."""
    zero: float | None = None
    """The value that means no effect."""
    value_axis: ClassVar[str] = "x"
    grid: ClassVar[str] = "x"

    def series(self, rows: TableRows) -> tuple[list[str], dict[int, list[Estimate]]]:
        """The labels, and for each number of players an estimate per label."""
        players = list(dict.fromkeys(row["players"] for row in rows))
        known = {(row["players"], row[self.label]): row for row in rows}
        labels = list(dict.fromkeys(row[self.label] for row in rows))
        if self.order:
            labels.sort(key=lambda label: -known[players[0], label][self.order].value)
        unknown = {self.value: UNKNOWN}
        return labels, {
            number: [known.get((number, label), unknown)[self.value] for label in labels]
            for number in players
        }

    def draw(self, axes: Any, rows: TableRows) -> None:
        labels, several = self.series(rows)
        places, lanes = np.arange(len(labels))[::-1], len(several)
        axes.figure.set_figheight(0.9 + len(labels) * (0.2 + 0.12 * lanes))
        for lane, (players, estimates) in enumerate(several.items()):
            y = places + (0.5 - (lane + 0.5) / lanes) * 0.62
            self.draw_estimates(axes, lane, players, estimates, [one.value for one in estimates], y)
        if self.zero is not None:
            axes.axvline(self.zero, color=colour("dim"), linewidth=1)
        axes.set_yticks(places, labels)
        axes.set_ylim(-0.6, len(labels) - 0.4)
        axes.tick_params(axis="y", length=0)

    def draw_estimates(
        self, axes: Any, lane: int, players: int, estimates: list[Estimate], x: Any, y: Any
    ) -> None:
        arms = [[one.value - one.low for one in estimates], [one.high - one.value for one in estimates]]
        axes.errorbar(
            x, y, **{f"{self.value_axis}err": np.nan_to_num(np.maximum(arms, 0))},
            fmt=MARKERS[lane % len(MARKERS)], color=colour(self.role or PLAYERS_ROLES[players]),
            label="alone" if players == 1 else f"{players} players", markersize=6, elinewidth=1.6, capsize=0,
            markeredgecolor=colour("paper"), markeredgewidth=0.6,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class LinePlot(DotPlot):
    """Estimates by label, connected by a line for each number of players."""

    value_axis: ClassVar[str] = "y"
    grid: ClassVar[str] = "y"

    def draw(self, axes: Any, rows: TableRows) -> None:
        labels, several = self.series(rows)
        for lane, (players, estimates) in enumerate(several.items()):
            x = np.arange(len(labels)) + (lane - (len(several) - 1) / 2) * 0.07
            y = [one.value for one in estimates]
            axes.plot(x, y, color=colour(PLAYERS_ROLES[players]), linewidth=1.4, alpha=0.7)
            self.draw_estimates(axes, lane, players, estimates, x, y)
        axes.set_xticks(np.arange(len(labels)), labels)


@dataclass(frozen=True, kw_only=True)
class StackedBars(Chart):
    """Shares that add up to one, a bar for each label."""

    parts: Sequence[tuple[str, str, str]]
    """The column, legend text and colour of each part."""
    is_share: bool = True
    value_axis: ClassVar[str] = "x"
    grid: ClassVar[str] = ""

    def draw(self, axes: Any, rows: TableRows) -> None:
        axes.figure.set_figheight(1.3 + 0.38 * len(rows))
        places, left = np.arange(len(rows))[::-1], np.zeros(len(rows))
        for (column, label, role), hatch in zip(self.parts, HATCHES, strict=False):
            shares = np.array([row[column].value for row in rows])
            bars = axes.barh(
                places, shares, left=left, height=0.7, color=colour(role), label=label, hatch=hatch,
                edgecolor=colour("paper"), linewidth=0.8,
            )  # fmt: skip
            texts = [f"{share:.0%}" if share >= 0.07 else "" for share in shares]
            box = {"facecolor": colour("paper"), "edgecolor": "none", "pad": 1.2, "alpha": 0.85}
            axes.bar_label(bars, texts, label_type="center", fontsize=10, bbox=box)
            left = left + shares
        axes.set_yticks(places, [row[self.label] for row in rows])
        axes.set_xlim(0, 1)
        axes.tick_params(axis="y", length=0)

    def details(self, rows: TableRows) -> dict[str, str]:
        bars = [
            f"{row[self.label]}: "
            + ", ".join(f"{text} {row[name].value:.0%}" for name, text, _ in self.parts)
            for row in rows
        ]
        return {"shares": "; ".join(bars)}


@dataclass(frozen=True, kw_only=True)
class Histogram(Chart):
    """The frequencies of whole numbers in bins of two, with a curve for each label."""

    roles: Sequence[str]
    marks: Sequence[int]
    """The numbers before which a dotted line is drawn."""
    is_share: bool = True

    def draw(self, axes: Any, rows: TableRows) -> None:
        for index, row in enumerate(rows):
            numbers = row[self.value]
            least, most = int(numbers.min()), int(numbers.max())
            role = self.roles[index % len(self.roles)]
            counts, edges = np.histogram(numbers, np.arange(least - least % 2, most + 3, 2))
            axes.plot(
                edges[:-1] + 0.5, counts / len(numbers) / 2, color=colour(role),
                label=row[self.label], linewidth=2, linestyle=LINE_STYLES[index % len(LINE_STYLES)],
            )  # fmt: skip
        for mark in self.marks:
            axes.axvline(mark - 0.5, color=colour("dim"), linewidth=1, linestyle=":")
        axes.set_ylim(bottom=0)


@dataclass(frozen=True, kw_only=True)
class Heatmap(Chart):
    """A matrix of numbers; higher numbers have stronger colours.

    Unknown cells are empty; rows without a label are omitted.
    """

    across: str
    """The column with the labels of the horizontal axis."""
    form: str
    """The number format of the cells."""
    is_split: ClassVar[bool] = True
    grid: ClassVar[str] = ""

    def draw(self, axes: Any, rows: TableRows) -> None:
        from matplotlib.patches import Rectangle

        rows = [row for row in rows if row[self.label]]
        lines = list(dict.fromkeys(row[self.label] for row in rows))[::-1]
        columns = list(dict.fromkeys(row[self.across] for row in rows))
        numbers = [float(row[self.value]) for row in rows]
        axes.figure.set_figheight(0.8 + 0.36 * len(lines))
        known = [number for number in numbers if not np.isnan(number)]
        lowest, highest = min(known, default=0), max(known, default=0)
        for row, number in zip(rows, numbers, strict=True):
            if np.isnan(number):
                continue
            x, y = columns.index(row[self.across]), lines.index(row[self.label])
            strength = 0.08 + 0.5 * (number - lowest) / (highest - lowest or 1)
            colour_of_type = row[self.label].split()[0].lower()
            role = colour_of_type if colour_of_type in ROLES else "ember"
            axes.add_patch(Rectangle((x + 0.03, y + 0.03), 0.94, 0.94, lw=0, fc=colour(role), alpha=strength))
            text = number_text(number, self.form)
            axes.text(
                x + 0.5, y + 0.5, text if text.strip("+0.") else text.lstrip("+"), ha="center", va="center"
            )
        axes.set(xlim=(0, len(columns)), ylim=(0, len(lines)))
        axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
        axes.set_yticks(np.arange(len(lines)) + 0.5, lines)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)


@dataclass(frozen=True, kw_only=True)
class ScatterPlot(Chart):
    """Two estimates per label as a point; labels are shown at the ends of both axes."""

    against: str
    """The column of the estimates on the horizontal axis."""
    is_share: bool = True
    is_split: ClassVar[bool] = True
    grid: ClassVar[str] = "both"

    def draw(self, axes: Any, rows: TableRows) -> None:
        ends = {
            end(rows, key=lambda row: row[column].value)[self.label]
            for column in (self.value, self.against)
            for end in (min, max)
        }
        axes.figure.set_figheight(4.4)
        for row in rows:
            label, x, y = row[self.label], row[self.against], row[self.value]
            axes.errorbar(
                x.value, y.value, xerr=x.half, yerr=y.half, fmt="o", markersize=4, elinewidth=0.4,
                color=colour("ember" if label in ends else "dim"),
            )  # fmt: skip
            if label in ends:
                axes.annotate(
                    label, (x.value, y.value), xytext=(5, 5), textcoords="offset points", fontsize=10,
                    fontweight="bold",
                )  # fmt: skip
