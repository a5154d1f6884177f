"""Everything that is asked of a server's speed and size, in one run: ``python -m benchmarks server``."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import apsw

from benchmarks.figures import Figure
from benchmarks.server import beside_boardgameio
from benchmarks.server.load import Step
from benchmarks.server.prepare import SEATS, prepare
from benchmarks.server.processes import Side, bare_server, cores, crowd_at, live_side, playing_side
from benchmarks.server.starting import seconds_to_answer

TABLES = 1000
SPARE_TABLES = 350
"""In the place of those whose game ends in a step, so that there are always as many that play."""
SIZED_TABLES = 500
FIRST_TABLES = 100
"""Those whose sockets come before memory is weighed: the first ones bring in what all share."""
RATE = 500
SECONDS = 10
ROUNDS = 3
HIGHEST_P99 = 100
BARE_MESSAGE = 4300
"""Bytes of a message from the bare program: those of an average update that has the complete view.

A constant, so that the reference stays the same when our updates become smaller."""
FULL_LOAD = 256
"""Tables with a command under way, to see how much a server can do."""
SHARES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
"""Of what it can do, tried until commands are answered in time."""
KIB = 1024


class Limit(NamedTuple):
    """The highest rate at which a server still answers in time, and what a command costs there."""

    rate: float
    micros: float


def figures(folder: Path) -> list[Figure]:
    """``folder`` is where databases are put: on a disk, for figures that mean something."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        prepared = Path(place) / "prepared"
        tables = prepare(prepared, TABLES + SPARE_TABLES)
        row = row_size(prepared / "royalcrypt.db")
        found = starting(Path(place))
        found += sizes(prepared, tables[:SIZED_TABLES])
        with live_side(prepared, tables) as live:
            found += memory(live, tables)
            steps = [live.crowd.run(RATE, SECONDS, seed) for seed in range(ROUNDS)]
            found += at_rate(steps)
            found += [playing_on(live.crowd.run(RATE, SECONDS, ROUNDS, plays_on=True))]
            with bare_side(Path(place), command=round(mean(steps, "command")), row=row) as bare:
                found += side_by_side(live, bare)
            found.append(after_playing(live))
        return found + beside_boardgameio.figures(Path(place))


def starting(place: Path) -> list[Figure]:
    """From the command to the first answer, as whoever starts it waits."""
    prepared = place / "prepared"
    new = [seconds_to_answer(place / f"new-{number}") for number in range(ROUNDS)]
    again = [seconds_to_answer(prepared) for _ in range(ROUNDS)]
    cold = seconds_to_answer(prepared, is_cold=True)
    return [
        Figure("start with a new folder", median(new), "s", at_most=2),
        Figure(f"start with {TABLES + SPARE_TABLES} games", median(again), "s", at_most=2),
        Figure("start with its files out of memory", cold, "s", at_most=2),
    ]


@contextmanager
def bare_side(place: Path, *, command: int, row: int) -> Generator[Side]:
    for_server, for_crowd = cores()
    with (
        bare_server(place / "bare.db", for_server, size=BARE_MESSAGE, row=row) as server,
        crowd_at(for_crowd, server.host) as crowd,
    ):
        crowd.tell("seat_bare", tables=TABLES, seats=SEATS, size=command)
        crowd.tell("connect", first=0, last=TABLES)
        yield Side(server, crowd)


def sizes(prepared: Path, tables: list[dict[str, Any]]) -> list[Figure]:
    """Of updates with changes, and of those with the complete view, in the same games."""
    steps: list[Step] = []
    for protocol in (2, 1):
        with playing_side(prepared, tables, protocol=protocol) as side:
            steps.append(side.crowd.run(RATE, SECONDS / 2, 1))
    changes, complete = (step.message for step in steps)
    return [
        Figure("an update with changes (protocol 2)", changes, "bytes", at_most=1536),
        Figure("an update with the complete view (protocol 1)", complete, "bytes"),
        Figure("  bytes beside protocol 1", changes / complete, "times", at_most=0.4),
    ]


def memory(live: Side, tables: list[dict[str, Any]]) -> list[Figure]:
    """Of sockets that say nothing, then of the tables they watch."""
    live.crowd.tell("connect", first=0, last=FIRST_TABLES)
    before = live.server.memory()
    live.crowd.tell("connect", first=FIRST_TABLES, last=len(tables))
    idle = live.server.memory()
    live.crowd.tell("watch")
    watching = live.server.memory()
    sockets = SEATS * (len(tables) - FIRST_TABLES)
    return [
        Figure("memory of an idle connection", (idle - before) / KIB / sockets, "KiB", at_most=40),
        Figure("memory of a running table", (watching - idle) / KIB / len(tables), "KiB", at_most=100),
    ]


def after_playing(live: Side) -> Figure:
    return Figure("memory after all this, whole server", live.server.memory() / KIB / KIB, "MiB")


def at_rate(steps: list[Step]) -> list[Figure]:
    def of(name: str) -> float:
        return median(getattr(step, name) for step in steps)

    at = f"at {RATE} commands/s"
    return [
        Figure(f"acknowledged {at}, p50", of("acknowledged_p50"), "ms", at_most=15),
        Figure(f"acknowledged {at}, p99", of("acknowledged_p99"), "ms", at_most=100),
        Figure(f"seen by all four {at}, p50", of("seen_p50"), "ms", at_most=15),
        Figure(f"seen by all four {at}, p99", of("seen_p99"), "ms", at_most=100),
        Figure("games going on all the time", min(step.playing for step in steps), "", at_least=TABLES),
        Figure("an update", mean(steps, "message"), "bytes"),
        Figure("a command", mean(steps, "command"), "bytes"),
    ]


def playing_on(step: Step) -> Figure:
    """With all that it takes when a game ends: four sign up again, one starts, all look at the new table."""
    return Figure(
        f"seen by all four, with {step.rematches} games begun anew meanwhile, p99", step.seen_p99, "ms"
    )


def side_by_side(live: Side, bare: Side) -> list[Figure]:
    """In turns, so that what slows the machine slows both; the median of the ratios of neighbours."""
    ours: list[Limit] = []
    theirs: list[Limit] = []
    for seed in range(ROUNDS):
        ours.append(highest(live, seed))
        theirs.append(highest(bare, seed))
    ratio = median(one.rate / other.rate for one, other in zip(ours, theirs, strict=True))
    costs = median(one.micros / other.micros for one, other in zip(ours, theirs, strict=True))
    within = f"with p99 under {HIGHEST_P99} ms"
    return [
        Figure(f"commands a second {within}", median(each.rate for each in ours), "a second", at_least=800),
        Figure(f"bare program {within}", median(each.rate for each in theirs), "a second"),
        Figure("beside the bare program", ratio, "times", at_least=1 / 3),
        Figure("processor time of a command", median(each.micros for each in ours), "µs"),
        Figure("bare program, of a message", median(each.micros for each in theirs), "µs"),
        Figure("processor time beside the bare program", costs, "times", at_most=4.5),
    ]


def highest(side: Side, seed: int) -> Limit:
    """Down from what it can do at all, until it answers in time."""
    most = side.crowd.full(FULL_LOAD, SECONDS / 2).rate
    for share in SHARES:
        cost = side.measure(share * most, SECONDS / 2, seed)
        if not cost.step.is_abandoned and cost.step.seen_p99 < HIGHEST_P99:
            return Limit(share * most, cost.micros)
    raise RuntimeError(f"Of {most:.0f} a second not even a tenth was answered in time: measure again.")


def mean(steps: list[Step], name: str) -> float:
    return sum(getattr(step, name) for step in steps) / len(steps)


def row_size(database: Path) -> int:
    """Bytes of what a move leaves in the journal, on average."""
    connection = apsw.Connection(str(database))
    (size,) = connection.execute(
        "SELECT avg(length(entry)) FROM journal WHERE CAST(entry AS TEXT) LIKE '%\"moved\"%'"
    ).fetchone()  # type: ignore[misc]
    connection.close()
    return round(size)
