"""Pictures of estimates, as SVG that takes its colours and letters from the page it stands in.

The same figures give the same bytes. Needs matplotlib (``pip install royalcrypt[plots]``).
"""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from royalcrypt.lab.studies.answers import Estimate, Picture

ROLES = (
    "text", "dim", "line", "paper", "ember", "idol", "jewelry", "manuscript", "pottery", "remains",
    "tapestry", "heir-0", "heir-1", "heir-2", "heir-3", "ghost",
)  # fmt: skip
WIDTH = 5.0
"""Inches; on a phone it is less, so letters must not be small."""
MARKS = "os^Dv"
ROOM = 54
"""Letters that fit side by side above a picture."""
BARS = ("", "//", "..", "xx", "\\\\")


def colour(role: str) -> str:
    """A stand-in that no picture uses otherwise; ``_spoken`` puts the page's own in its place."""
    return f"#0a0b{ROLES.index(role):02x}"


@dataclass(frozen=True)
class Series:
    label: str
    role: str
    estimates: Sequence[Estimate]


@dataclass(frozen=True)
class Look:
    """What the axes say; percent signs where shares are shown."""

    across: str = ""
    up: str = ""
    is_share: bool = False
    zero: float | None = None
    """Where nothing would be to be seen."""


def drawn(name: str, alt: str, caption: str, height: float, draw: Callable[[Any, Any], None]) -> Picture:
    """A picture of what ``draw(figure, axes)`` draws."""
    from matplotlib.figure import Figure

    library: Any = import_module("matplotlib")

    settings: dict[str, Any] = {
        "svg.fonttype": "none", "svg.hashsalt": name, "font.size": 11, "axes.titlesize": 11,
        "axes.titleweight": "bold", "axes.spines.top": False, "axes.spines.right": False,
        "axes.edgecolor": colour("line"), "axes.labelcolor": colour("dim"), "text.color": colour("text"),
        "xtick.color": colour("line"), "ytick.color": colour("line"), "xtick.labelcolor": colour("text"),
        "ytick.labelcolor": colour("text"), "axes.facecolor": "none", "legend.frameon": False,
        "grid.color": colour("line"), "grid.linewidth": 0.5, "hatch.linewidth": 0.8,
        "hatch.color": colour("paper"), "axes.axisbelow": True,
    }  # fmt: skip
    with library.rc_context(settings):
        figure: Any = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure, figure.subplots())
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return Picture(name, _spoken(text.getvalue(), name, alt), alt, caption)


def _spoken(svg: str, name: str, alt: str) -> str:
    """Only the drawing, with names of its own, the page's colours and letters, and what it shows in words."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xmlns:xlink="[^"]*"', "", svg).replace("xlink:href", "href")
    meant = set(re.findall(r"#([\w.]+)", " ".join(re.findall(r'href="[^"]*"|url\([^)]*\)', svg))))
    svg = re.sub(r' id="([^"]*)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in meant else "", svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{name}-", svg)
    svg = re.sub(r"#0a0b([0-9a-f]{2})", lambda found: f"var(--{ROLES[int(found[1], 16)]})", svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: inherit", svg)
    svg = re.sub(r"font: (\d+ )?([\d.]+px) [^;\"]*", r"font-weight: \1; font-size: \2", svg)
    svg = svg.replace("font-weight: ; ", "")
    size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    if size:
        svg = svg.replace(size[0], "", 1)
    return svg.replace("<svg", f'<svg role="img" aria-label="{_quoted(alt)}"', 1)


def _quoted(words: str) -> str:
    return words.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def _whiskers(axes: Any, x: Any, y: Any, series: Series, mark: str, *, upright: bool) -> None:
    arms = [
        [one.value - one.low for one in series.estimates],
        [one.high - one.value for one in series.estimates],
    ]
    arms = np.nan_to_num(np.maximum(arms, 0))
    axes.errorbar(
        x, y, **{"yerr" if upright else "xerr": arms}, fmt=mark, color=colour(series.role), markersize=6,
        elinewidth=1.6, capsize=0, label=series.label, markeredgecolor=colour("paper"), markeredgewidth=0.6,
    )  # fmt: skip


def dots(
    name: str, alt: str, caption: str, labels: Sequence[str], several: Sequence[Series], look: Look
) -> Picture:
    """An estimate with its whiskers in a line for each label, the first on top."""
    lanes = len(several)

    def draw(figure: Any, axes: Any) -> None:
        places = np.arange(len(labels))[::-1]
        for lane, series in enumerate(several):
            y = places + (0.5 - (lane + 0.5) / lanes) * 0.62
            x = [one.value for one in series.estimates]
            _whiskers(axes, x, y, series, MARKS[lane % len(MARKS)], upright=False)
        if look.zero is not None:
            axes.axvline(look.zero, color=colour("dim"), linewidth=1)
        axes.set_yticks(places, labels)
        axes.set_ylim(-0.6, len(labels) - 0.4)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(look.across)
        if look.is_share:
            axes.xaxis.set_major_formatter(_percent)
        _legend(figure, axes, lanes)

    return drawn(name, alt, caption, 0.9 + len(labels) * (0.2 + 0.12 * lanes), draw)


def lines(
    name: str, alt: str, caption: str, labels: Sequence[str], several: Sequence[Series], look: Look
) -> Picture:
    """Estimates along the labels, joined for each series."""

    def draw(figure: Any, axes: Any) -> None:
        for lane, series in enumerate(several):
            x = np.arange(len(labels)) + (lane - (len(several) - 1) / 2) * 0.07
            y = [one.value for one in series.estimates]
            axes.plot(x, y, color=colour(series.role), linewidth=1.4, alpha=0.7)
            _whiskers(axes, x, y, series, MARKS[lane % len(MARKS)], upright=True)
        if look.zero is not None:
            axes.axhline(look.zero, color=colour("dim"), linewidth=1)
        axes.set_xticks(np.arange(len(labels)), labels)
        axes.grid(axis="y")
        axes.set(xlabel=look.across, ylabel=look.up)
        if look.is_share:
            axes.yaxis.set_major_formatter(_percent)
        _legend(figure, axes, len(several))

    return drawn(name, alt, caption, 3.1, draw)


def stacks(
    name: str,
    alt: str,
    caption: str,
    labels: Sequence[str],
    parts: Sequence[tuple[str, str, Sequence[float]]],
) -> Picture:
    """Shares that add up to one, a bar for each label; parts are (label, role, shares)."""

    def draw(figure: Any, axes: Any) -> None:
        places, left = np.arange(len(labels))[::-1], np.zeros(len(labels))
        for index, (label, role, shares) in enumerate(parts):
            axes.barh(
                places, shares, left=left, height=0.7, color=colour(role), label=label,
                hatch=BARS[index % len(BARS)], edgecolor=colour("paper"), linewidth=0.8,
            )  # fmt: skip
            for place, start, share in zip(places, left, shares, strict=True):
                if share >= 0.07:
                    axes.text(
                        start + share / 2, place, f"{share:.0%}", ha="center", va="center", fontsize=10,
                        bbox={"facecolor": colour("paper"), "edgecolor": "none", "pad": 1.2, "alpha": 0.85},
                    )  # fmt: skip
            left = left + np.array(shares)
        axes.set_yticks(places, labels)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(_percent)
        axes.tick_params(axis="y", length=0)
        _legend(figure, axes, len(parts))

    return drawn(name, alt, caption, 1.3 + 0.38 * len(labels), draw)


def steps(
    name: str,
    alt: str,
    caption: str,
    several: Sequence[tuple[str, str, Any]],
    look: Look,
    marks: Sequence[int],
) -> Picture:
    """How often whole numbers came, a curve for each of (label, role, numbers); ``marks`` are borders."""

    def draw(figure: Any, axes: Any) -> None:
        styles = ("-", "--", "-.", ":", (0, (1, 1)))
        for index, (label, role, numbers) in enumerate(several):
            found: Any = np.asarray(numbers)
            least, most = int(found.min()), int(found.max())
            edges = np.arange(least - least % 2, most + 3, 2)
            counts, _ = np.histogram(found, edges)
            axes.plot(
                edges[:-1] + 0.5, counts / len(found) / 2, color=colour(role), label=label, linewidth=2,
                linestyle=styles[index % len(styles)],
            )  # fmt: skip
        for mark in marks:
            axes.axvline(mark - 0.5, color=colour("dim"), linewidth=1, linestyle=":")
        axes.set_ylim(bottom=0)
        axes.grid(axis="y")
        axes.set(xlabel=look.across, ylabel=look.up)
        axes.yaxis.set_major_formatter(_percent)
        _legend(figure, axes, len(several))

    return drawn(name, alt, caption, 3.2, draw)


@dataclass(frozen=True)
class Grid:
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Any
    """Numbers by row and column; those that are not known are left out."""
    form: str
    """How they are shown."""
    roles: Sequence[str] = ()
    """Colours of the rows, if they have their own."""

    def strength(self, number: float) -> float:
        """From 0 for the lowest to 1 for the highest."""
        lowest, highest = float(np.nanmin(self.cells)), float(np.nanmax(self.cells))
        return (number - lowest) / (highest - lowest or 1)


def unsigned_nothing(words: str) -> str:
    """Nothing is neither more nor less."""
    return words if words.strip("+-0.") else words.lstrip("+-")


def grid(name: str, alt: str, caption: str, shown: Grid, look: Look) -> Picture:
    """A number in each cell; the stronger the colour, the higher it is."""
    height, width = len(shown.rows), len(shown.columns)

    def draw(figure: Any, axes: Any) -> None:  # noqa: ARG001 (as all who draw)
        from matplotlib.patches import Rectangle

        for row in range(height):
            for column in range(width):
                number = float(shown.cells[row][column])
                if np.isnan(number):
                    continue
                corner = (column + 0.03, height - 1 - row + 0.03)
                role = shown.roles[row] if shown.roles else "ember"
                strength = 0.08 + 0.5 * shown.strength(number)
                axes.add_patch(Rectangle(corner, 0.94, 0.94, lw=0, fc=colour(role), alpha=strength))
                words = unsigned_nothing(format(number, shown.form)).replace("-", "−")
                axes.text(column + 0.5, height - 0.5 - row, words, ha="center", va="center")
        axes.set_xlim(0, width)
        axes.set_ylim(0, height)
        axes.set_xticks(np.arange(width) + 0.5, shown.columns)
        axes.set_yticks(np.arange(height)[::-1] + 0.5, shown.rows)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set(visible=False)
        axes.set(xlabel=look.across, ylabel=look.up)

    return drawn(name, alt, caption, 0.8 + 0.36 * height, draw)


def cloud(
    name: str,
    alt: str,
    caption: str,
    points: Sequence[tuple[str, Estimate, Estimate]],
    look: Look,
    named: set[str],
) -> Picture:
    """Two estimates of many things against each other; some of them with their names."""

    def draw(figure: Any, axes: Any) -> None:  # noqa: ARG001 (as all who draw)
        for label, x, y in points:
            axes.errorbar(
                x.value, y.value, xerr=x.half, yerr=y.half, fmt="o", markersize=4, elinewidth=0.4,
                color=colour("ember" if label in named else "dim"),
            )  # fmt: skip
            if label in named:
                axes.annotate(
                    label, (x.value, y.value), xytext=(5, 5), textcoords="offset points", fontsize=10,
                    fontweight="bold",
                )  # fmt: skip
        axes.grid()
        axes.set(xlabel=look.across, ylabel=look.up)
        if look.is_share:
            axes.yaxis.set_major_formatter(_percent)

    return drawn(name, alt, caption, 4.4, draw)


def _percent(share: float, _: Any = None) -> str:
    return f"{share * 100:.3g} %".replace("-", "−")


def _legend(figure: Any, axes: Any, entries: int) -> None:
    if entries > 1:
        handles, labels = axes.get_legend_handles_labels()
        longest = max(map(len, labels))
        figure.legend(
            handles, labels, loc="outside upper center", ncols=max(1, min(entries, ROOM // (longest + 6))),
            handlelength=1.8, columnspacing=1.2,
        )  # fmt: skip
