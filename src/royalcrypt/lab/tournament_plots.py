"""The standings of a tournament as a picture; it needs matplotlib (``pip install royalcrypt[plots]``)."""

from pathlib import Path
from typing import Any

from royalcrypt.lab.standings import Standings

STRONG, QUIET, FAINT = "#7a2e1d", "0.35", "0.88"
SIDE = 0.62
"""Inches for one bot in the matrix."""
LONGEST_NAME = 16


def draw_standings(standings: Standings, rating: str, encounters: str, file: Path) -> None:
    """Ratings with their intervals to the left, who won against whom to the right; the best on top."""
    from matplotlib.figure import Figure

    number = len(standings.table)
    side = max(2.6, SIDE * number)
    figure: Any = Figure(figsize=(4.6 + side + 1.3, side + 1.1), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(4.2, side + 0.9))
    _draw_ratings(left, standings, rating)
    _draw_encounters(figure, right, standings, encounters)
    figure.savefig(file, dpi=160, metadata={"Date": None} if file.suffix == ".svg" else None)


def _draw_ratings(axes: Any, standings: Standings, rating: str) -> None:
    for row, one in enumerate(standings.table):
        if one.low is not None and one.high is not None:
            axes.plot([one.low, one.high], [row, row], color=STRONG, linewidth=2.4, solid_capstyle="butt")
        axes.plot([one.rating], [row], marker="o", markersize=7, color=STRONG, markeredgecolor="white")
        axes.annotate(
            f"{one.rating:.0f}",
            (one.rating, row),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=8.5,
            color=QUIET,
        )
    axes.set_yticks(range(len(standings.table)), [_short(one.bot) for one in standings.table])
    axes.set_title(rating, fontsize=9, color=QUIET)
    axes.locator_params(axis="x", nbins=6)
    axes.margins(x=0.12)
    axes.grid(axis="x", color=FAINT)
    axes.set_axisbelow(True)
    axes.tick_params(left=False)
    for edge in ("top", "right", "left"):
        axes.spines[edge].set_visible(False)


def _draw_encounters(figure: Any, axes: Any, standings: Standings, words: str) -> None:
    names = [one.bot for one in standings.table]
    shares = [
        [met[rival].share if rival in met else float("nan") for rival in names]
        for met in (standings.head_to_head[bot] for bot in names)
    ]
    picture = axes.imshow(shares, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            if row != column:
                color = "white" if abs(share - 0.5) > 0.3 else "black"
                axes.text(column, row, f"{share:.0%}", ha="center", va="center", fontsize=9, color=color)
    axes.set_xticks(range(len(names)), [_short(name) for name in names], rotation=35, ha="right")
    axes.tick_params(left=False, bottom=False, labelleft=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.set_title(words, fontsize=9, color=QUIET, wrap=True)
    figure.colorbar(picture, ax=axes, format="{x:.0%}", fraction=0.05, pad=0.02).outline.set_visible(False)


def _short(name: str) -> str:
    """Of a path, what it leads to."""
    last = name.rpartition(":")[2]
    return last if len(last) <= LONGEST_NAME else last[: LONGEST_NAME - 1] + "…"
