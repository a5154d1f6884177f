"""Plots of calibrations, tournaments and analyses. The module needs matplotlib (``royalcrypt[plots]``)."""

import warnings
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Any

from royalcrypt.lab.analysis import Analysis
from royalcrypt.lab.attribution import CAUSES, Grade
from royalcrypt.lab.calibration import Calibration
from royalcrypt.lab.standings import Standings
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

ENDINGS = (".png", ".svg")
SEAT_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#aa4499")
"""The colour of each seat; people with most forms of colour blindness can distinguish them."""
GRADE_MARKS = {Grade.SLIP: ("#e6b800", 45), Grade.MISTAKE: ("#e67300", 80), Grade.BLUNDER: ("#cc0000", 130)}
"""The grades that are marked, with colour and marker size."""
GAIN, LOSS, EXPECTED = "#5aa469", "#c8553d", "0.45"
STRONG, QUIET, FAINT = "#7a2e1d", "0.35", "0.88"
LONGEST_PLAYER, LONGEST_BOT = 18, 16
BOT_SIZE = 0.62
"""The size of a bot in a tournament's matrix, in inches."""


def must_be_plottable(file: Path) -> None:
    """Raise an error early if plots cannot be drawn to this file."""
    if file.suffix not in ENDINGS:
        raise Refusal(Reason.NOT_A_PICTURE, file=str(file), endings=", ".join(ENDINGS))
    if find_spec("matplotlib") is None:
        raise Refusal(Reason.NO_PLOTS)


def _new_figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, file: Path, dpi: float = 100) -> None:
    """Save a figure; equal data give equal bytes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # Names may use any writing system.
        figure.savefig(file, dpi=dpi, metadata={"Date": None} if file.suffix == ".svg" else None)


def draw_calibration(found: dict[str, Calibration], file: Path) -> None:
    """Draw predicted against actual shares of wins; a perfect calibration is on the diagonal."""
    figure = _new_figure(6, 6)
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    for name, one in found.items():
        bins = [bin_ for bin_ in one.bins if bin_.positions]
        expected, happened = [bin_.expected for bin_ in bins], [bin_.happened for bin_ in bins]
        axes.plot(expected, happened, marker="o", markersize=4, label=f"{name}: {one.error:.1%}")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.set(xlabel=say("calibrate.said"), ylabel=say("calibrate.came"))
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.legend()
    _save(figure, file)


def draw_standings(standings: Standings, file: Path) -> None:
    """Draw ratings with intervals on the left, results of all pairs on the right; the best bot is on top."""
    side = max(2.6, BOT_SIZE * len(standings.table))
    figure = _new_figure(4.6 + side + 1.3, side + 1.1)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(4.2, side + 0.9))
    _draw_ratings(left, standings)
    shares = _draw_encounters(right, standings)
    bar = figure.colorbar(shares, ax=right, format="{x:.0%}", fraction=0.05, pad=0.02)
    bar.outline.set_visible(False)
    _save(figure, file, dpi=160)


def _draw_ratings(axes: Any, standings: Standings) -> None:
    for row, one in enumerate(standings.table):
        if one.low is not None and one.high is not None:
            axes.plot([one.low, one.high], [row, row], color=STRONG, linewidth=2.4, solid_capstyle="butt")
        axes.plot([one.rating], [row], marker="o", markersize=7, color=STRONG, markeredgecolor="white")
        _annotate(axes, (one.rating, row), f"{one.rating:.0f}", above=8, fontsize=8.5, color=QUIET)
    axes.set_yticks(range(len(standings.table)), [_short_bot(one.bot) for one in standings.table])
    axes.set_title(say("tournament.drawn.ratings"), fontsize=9, color=QUIET)
    axes.locator_params(axis="x", nbins=6)
    axes.margins(x=0.12)
    axes.grid(axis="x", color=FAINT)
    axes.set_axisbelow(True)
    axes.tick_params(left=False)
    axes.spines[["top", "right", "left"]].set_visible(False)


def _draw_encounters(axes: Any, standings: Standings) -> Any:
    """Draw the matrix of results; return its image for a colour bar."""
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
    axes.set_xticks(range(len(names)), map(_short_bot, names), rotation=35, ha="right")
    axes.tick_params(left=False, bottom=False, labelleft=False)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.spines[:].set_visible(False)
    axes.set_title(say("tournament.drawn.encounters"), fontsize=9, color=QUIET, wrap=True)
    return picture


def _short_bot(name: str) -> str:
    """The name of a bot without the module of an import path."""
    last = name.rpartition(":")[2]
    return last if len(last) <= LONGEST_BOT else last[: LONGEST_BOT - 1] + "…"


def draw_analysis(analysis: Analysis, file: Path) -> None:
    """Draw the curve of expectations, and below it a waterfall chart for each seat, two per row."""
    count = len(analysis.seats)
    columns = min(count, 2)
    lines = (count + 1) // 2
    figure = _new_figure(11, 6 + 2.5 * lines)
    upper, lower = figure.subfigures(2, 1, height_ratios=(1.5, lines))
    _draw_curve(upper.subplots(), analysis)
    grid = lower.subplots(lines, columns, squeeze=False, sharex=True, sharey=True)
    for place, axes in enumerate(grid.flat):
        if place < count:
            _draw_waterfall(axes, analysis, place)
        else:
            axes.set_axis_off()
    _save(figure, file, dpi=130)


def _player_name(analysis: Analysis, place: int) -> str:
    """A player's name, escaped so that matplotlib does not parse it as mathematics."""
    name = analysis.names[place][:LONGEST_PLAYER]
    escaped = "".join(sign if sign.isprintable() else "?" for sign in name).replace("$", r"\$")
    return escaped if analysis.players == 1 else f"{analysis.seats[place] + 1} {escaped}"


def _draw_curve(axes: Any, analysis: Analysis) -> None:
    is_solo = analysis.players == 1
    moves = [moment.move for moment in analysis.moments]
    rows = [moment.scores if is_solo else moment.wins for moment in analysis.moments]
    _draw_rounds(axes, analysis)
    for place, seat in enumerate(analysis.seats):
        curve = [row[place] for row in rows]
        label = _player_name(analysis, place)
        axes.step(moves, curve, where="post", color=SEAT_COLOURS[seat], linewidth=2, label=label)
        _mark_grades(axes, analysis, seat, dict(zip(moves, curve, strict=True)))
    for grade, (colour, size) in GRADE_MARKS.items():
        axes.scatter([], [], s=size, color=colour, edgecolor="black", label=say(f"analyze.grade.{grade}"))
    axes.set(xlabel=say("analyze.plot.moves"), xlim=(moves[0], max(1, moves[-1])))
    axes.set_ylabel(say("analyze.plot.coins" if is_solo else "analyze.plot.wins"))
    if not is_solo:
        axes.set_ylim(-0.03, 1.03)
        axes.yaxis.set_major_formatter("{x:.0%}")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _mark_grades(axes: Any, analysis: Analysis, seat: int, curve: dict[int, float]) -> None:
    """Mark each graded decision on the curve, at the expectation before it."""
    for decision in analysis.decisions:
        if decision.seat == seat and decision.grade in GRADE_MARKS:
            colour, size = GRADE_MARKS[decision.grade]
            before = curve.get(decision.move - 1, curve[decision.move])
            axes.scatter([decision.move], [before], s=size, color=colour, edgecolor="black", zorder=5)


def _draw_rounds(axes: Any, analysis: Analysis) -> None:
    """Draw the numbers of rounds and shade every second round."""
    first = {moment.round: moment.move for moment in reversed(analysis.moments)}
    begins = sorted(first.items())
    ends = [*(move for _, move in begins[1:]), analysis.moments[-1].move]
    for (number, begin), end in zip(begins, ends, strict=True):
        if number % 2 == 0:
            axes.axvspan(begin, end, color="0.95", zorder=0)
        axes.text(
            (begin + end) / 2, 1.0, str(number), transform=axes.get_xaxis_transform(),
            ha="center", va="bottom", color="0.5", fontsize=9,
        )  # fmt: skip


def _draw_waterfall(axes: Any, analysis: Analysis, place: int) -> None:
    """Draw a waterfall chart from the expected result, cause by cause, to the actual one."""
    is_solo = analysis.players == 1
    split = (analysis.coins if is_solo else analysis.wins)[place]
    colour = SEAT_COLOURS[analysis.seats[place]]
    reached = split.expected
    axes.bar(0, reached, color=EXPECTED)
    for at, cause in enumerate(CAUSES, 1):
        change = getattr(split, cause)
        axes.plot([at - 1, at], [reached, reached], color="0.6", linewidth=0.8, zorder=0)
        hatch = "///" if cause == "doubt" else ""
        axes.bar(at, change, bottom=reached, color=GAIN if change >= 0 else LOSS, hatch=hatch)
        words = f"{change:+.1f}" if is_solo else f"{100 * change:+.0f}"
        _annotate(axes, (at, max(reached, reached + change)), words)
        reached += change
    axes.bar(len(CAUSES) + 1, split.final, color=colour)
    final = f"{split.final:.0f}" if is_solo else f"{split.final:.0%}"
    _annotate(axes, (len(CAUSES) + 1, split.final), final)
    axes.axhline(0, color="0.3", linewidth=0.8)
    names = ("expected", *CAUSES, "final" if analysis.is_over else "now")
    words = [say(f"analyze.split.{name}") for name in names]
    axes.set_xticks(range(len(words)), words, rotation=30, ha="right", fontsize=9)
    axes.set_title(_player_name(analysis, place), color=colour, fontsize=10, loc="left")
    axes.set_ylim(*_waterfall_limits(analysis))
    if not is_solo:
        axes.yaxis.set_major_formatter("{x:.0%}")
    axes.spines[["top", "right"]].set_visible(False)


def _waterfall_limits(analysis: Analysis) -> tuple[float, float]:
    """The range of values that includes all waterfall charts and their labels."""
    reached = [0.0, 1.0]
    for split in analysis.coins if analysis.players == 1 else analysis.wins:
        changes = [getattr(split, cause) for cause in CAUSES]
        reached += accumulate([split.expected, *changes])
    margin = 0.1 * (max(reached) - min(reached))
    return min(reached) - margin * (min(reached) < 0), max(reached) + margin


def _annotate(
    axes: Any, at: tuple[float, float], text: str, above: float = 2, fontsize: float = 8, **style: Any
) -> None:
    axes.annotate(text, at, (0, above), textcoords="offset points", ha="center", fontsize=fontsize, **style)
