"""A game that was looked back on, as a picture: the curve of what was expected, and where it came from."""

import warnings
from itertools import accumulate
from pathlib import Path
from typing import Any

from royalcrypt.lab.analysis import Analysis
from royalcrypt.lab.attribution import CAUSES, Grade
from royalcrypt.locales import say

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499")
"""By seat; they are told apart by most eyes."""
MARKS = {Grade.SLIP: ("#e6b800", 45), Grade.MISTAKE: ("#e67300", 80), Grade.BLUNDER: ("#cc0000", 130)}
"""Grades that are marked: colour and size."""
RISEN, FALLEN, WHOLE = "#5aa469", "#c8553d", "0.45"
LONGEST_NAME = 18
BESIDE = 2


def draw_analysis(analysis: Analysis, file: Path) -> None:
    """The curve above, and below a waterfall for each seat; of three or four seats two beside each other."""
    from matplotlib.figure import Figure

    count = len(analysis.seats)
    lines = 1 if count <= BESIDE else 2
    figure: Any = Figure(figsize=(11, 6 + 2.5 * lines), layout="constrained")
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.5, lines))
    _draw_curve(upper.subplots(), analysis)
    grid = lower.subplots(lines, min(count, BESIDE), squeeze=False, sharex=True, sharey=True)
    panels = [axes for line in grid for axes in line]
    for place in range(count):
        _draw_split(panels[place], analysis, place)
    for axes in panels[count:]:
        axes.set_axis_off()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # A name may be written in any script.
        figure.savefig(file, dpi=130, metadata={"Date": None} if file.suffix == ".svg" else None)


def _name(analysis: Analysis, place: int) -> str:
    """As it stands, also with signs that matplotlib would read as mathematics."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in analysis.names[place][:LONGEST_NAME])
    name = printable.replace("$", r"\$")
    return name if analysis.players == 1 else f"{analysis.seats[place] + 1} {name}"


def _draw_curve(axes: Any, analysis: Analysis) -> None:
    is_solo = analysis.players == 1
    moves = [moment.move for moment in analysis.moments]
    rows = [moment.scores if is_solo else moment.wins for moment in analysis.moments]
    _draw_rounds(axes, analysis)
    for place, seat in enumerate(analysis.seats):
        curve = [row[place] for row in rows]
        axes.step(moves, curve, where="post", color=COLOURS[seat], linewidth=2, label=_name(analysis, place))
        _mark(axes, analysis, place, dict(zip(moves, curve, strict=True)))
    for grade, (colour, size) in MARKS.items():
        axes.scatter([], [], s=size, color=colour, edgecolor="black", label=say(f"analyze.grade.{grade}"))
    axes.set(xlabel=say("analyze.plot.moves"), xlim=(moves[0], max(1, moves[-1])))
    axes.set_ylabel(say("analyze.plot.coins" if is_solo else "analyze.plot.wins"))
    if not is_solo:
        axes.set_ylim(-0.03, 1.03)
        axes.yaxis.set_major_formatter("{x:.0%}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _mark(axes: Any, analysis: Analysis, place: int, curve: dict[int, float]) -> None:
    """Each where the curve stood when it was made."""
    seat = analysis.seats[place]
    for decision in analysis.decisions:
        if decision.seat == seat and decision.grade in MARKS:
            colour, size = MARKS[decision.grade]
            before = curve.get(decision.move - 1, curve[decision.move])
            axes.scatter([decision.move], [before], s=size, color=colour, edgecolor="black", zorder=5)


def _draw_rounds(axes: Any, analysis: Analysis) -> None:
    """Each second round is shaded."""
    first = {moment.round: moment.move for moment in reversed(analysis.moments)}
    last = analysis.moments[-1].move
    begins = sorted(first.items())
    for (number, begin), end in zip(begins, [*(move for _, move in begins[1:]), last], strict=True):
        if number % 2 == 0:
            axes.axvspan(begin, end, color="0.95", zorder=0)
        axes.text(
            (begin + end) / 2, 1.0, str(number), transform=axes.get_xaxis_transform(),
            ha="center", va="bottom", color="0.5", fontsize=9,
        )  # fmt: skip


def _draw_split(axes: Any, analysis: Analysis, place: int) -> None:
    """From what was expected, step by step, to what came."""
    is_solo = analysis.players == 1
    split = (analysis.coins if is_solo else analysis.wins)[place]
    colour = COLOURS[analysis.seats[place]]
    reached = split.expected
    axes.bar(0, reached, color=WHOLE)
    for at, cause in enumerate(CAUSES, 1):
        change = getattr(split, cause)
        axes.plot([at - 1, at], [reached, reached], color="0.6", linewidth=0.8, zorder=0)
        axes.bar(at, change, bottom=reached, color=RISEN if change >= 0 else FALLEN, hatch=_hatch(cause))
        words = f"{change:+.1f}" if is_solo else f"{100 * change:+.0f}"
        _write(axes, at, max(reached, reached + change), words)
        reached += change
    axes.bar(len(CAUSES) + 1, split.final, color=colour)
    _write(axes, len(CAUSES) + 1, split.final, f"{split.final:.0f}" if is_solo else f"{split.final:.0%}")
    axes.axhline(0, color="0.3", linewidth=0.8)
    names = ("expected", *CAUSES, "final" if analysis.is_over else "now")
    words = [say(f"analyze.split.{name}") for name in names]
    axes.set_xticks(range(len(words)), words, rotation=30, ha="right", fontsize=9)
    axes.set_title(_name(analysis, place), color=colour, fontsize=10, loc="left")
    axes.set_ylim(*_heights(analysis))
    if not is_solo:
        axes.yaxis.set_major_formatter("{x:.0%}")
    axes.spines[["top", "right"]].set_visible(False)


def _write(axes: Any, at: int, height: float, words: str) -> None:
    axes.annotate(words, (at, height), (0, 2), textcoords="offset points", ha="center", fontsize=8)


def _heights(analysis: Analysis) -> tuple[float, float]:
    """Between which all waterfalls have room, and their figures."""
    reached = [0.0, 1.0]
    for split in analysis.coins if analysis.players == 1 else analysis.wins:
        changes = [getattr(split, cause) for cause in CAUSES]
        reached += accumulate([split.expected, *changes])
    room = 0.1 * (max(reached) - min(reached))
    return min(reached) - room * (min(reached) < 0), max(reached) + room


def _hatch(cause: str) -> str:
    """What the evaluation is not sure of looks like it."""
    return "///" if cause == "doubt" else ""
