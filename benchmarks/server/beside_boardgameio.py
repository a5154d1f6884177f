"""Processor time of a command beside boardgame.io's, in turns, with new servers for each run.

boardgame.io keeps its matches in memory and has a trivial game; our server keeps every move on disk and knows
all the rules. Both count from the first command after everybody has come, and then once more, because a new
server's compiler (V8's) takes a part of the first run.
"""

import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.figures import Figure
from benchmarks.server.boardgameio.run import boardgameio, install
from benchmarks.server.prepare import SEATS, prepare
from benchmarks.server.processes import Cost, Side, playing_side

TABLES = 500
MOST_MOVES = 4
"""So that no game ends in a run."""
RATES = (300, 500)
SECONDS = 10
PAIRS = 3


class Run(NamedTuple):
    first: Cost
    later: Cost


def figures(place: Path) -> list[Figure]:
    try:
        install()
    except (FileNotFoundError, subprocess.CalledProcessError) as problem:
        print(f"Not compared with boardgame.io: {problem}.", file=sys.stderr)
        return []
    prepared = place / "early-games"
    tables = prepare(prepared, TABLES, most_moves=MOST_MOVES)
    return [figure for rate in RATES for figure in at_rate(prepared, tables, rate)]


def at_rate(prepared: Path, tables: list[dict[str, Any]], rate: int) -> list[Figure]:
    ours: list[Run] = []
    theirs: list[Run] = []
    for seed in range(PAIRS):
        with playing_side(prepared, tables) as side:
            ours.append(measure(side, rate, seed))
        with boardgameio(TABLES) as side:
            theirs.append(measure(side, rate, seed))
    at = f"at {rate}/s"
    return [
        beside(f"processor time beside boardgame.io {at}, new servers", ours, theirs, "first", at_most=0.8),
        beside(f"  the same {SECONDS} s later", ours, theirs, "later"),
        *told(f"a command {at}", ours),
        *told(f"boardgame.io, a move {at}", theirs),
    ]


def measure(side: Side, rate: int, seed: int) -> Run:
    return Run(*(side.measure(rate, SECONDS, PAIRS * number + seed) for number in range(2)))


def beside(
    what: str, ours: list[Run], theirs: list[Run], name: str, *, at_most: float | None = None
) -> Figure:
    ratios = [
        getattr(one, name).micros / getattr(other, name).micros
        for one, other in zip(ours, theirs, strict=True)
    ]
    values = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    return Figure(f"{what} ({values})", median(ratios), "times", at_most=at_most)


def told(what: str, runs: list[Run]) -> list[Figure]:
    def of(name: str) -> float:
        return median(getattr(run.later.step, name) for run in runs)

    return [
        Figure(f"{what}", median(run.first.micros for run in runs), "µs"),
        Figure(f"  the same {SECONDS} s later", median(run.later.micros for run in runs), "µs"),
        Figure("  seen by all four, p50", of("seen_p50"), "ms"),
        Figure("  seen by all four, p99", of("seen_p99"), "ms"),
        Figure("  bytes to all four", SEATS * of("message"), "bytes"),
        Figure("  share of a core that those who play take", of("client_share") * 100, "%"),
    ]
