"""What several processes cost and how long moves take there, in one run: ``python -m benchmarks cluster``."""

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.cluster.sides import (
    MOST_MOVES,
    Cost,
    Prepared,
    Services,
    Side,
    Timed,
    cluster_side,
    prepared,
    services,
    single_side,
    unrelated_side,
)
from benchmarks.figures import Figure
from benchmarks.server.load import Arrival

EACH = 60
"""Commands a second for each process, to see what one costs."""
LIGHT_RATE, LIGHT_ROUNDS = 100, 5
"""Commands a second for all, to see how long one takes; and how often that is asked."""
AT_ONCE = 8
"""Tables for each process that make the next move as soon as everybody has seen the last."""
SITTINGS, ROUNDS = 3, 3
"""Every sitting has new processes: one and the same program differs by up to a tenth from start to start."""
MOST_GROWTH = 1.1
TABLES = 600
PROCESSES = (1, 2, 4)
RATE, TABLES_EACH = EACH * max(PROCESSES), TABLES // max(PROCESSES)
"""Commands a second for all, which is what all parts together can do on two cores; and tables for each."""
IDLE = (100, 1000, 5000)
IDLE_SECONDS = 10


class Load(NamedTuple):
    name: str
    seats: int
    arrival: Arrival
    is_as_deployed: bool
    """As the setting ``gather`` and the shipped proxy bring people in."""


LOADS = (
    Load("tables of one person", 1, Arrival.APART, is_as_deployed=True),
    Load("tables of two, brought together", 2, Arrival.TOGETHER, is_as_deployed=True),
    Load("tables of two, as chance has it", 2, Arrival.BY_CHANCE, is_as_deployed=False),
)


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder, services() as shared:
        place = Path(folder)
        found = [figure for load in LOADS for figure in by_processes(place, shared, load)]
        found += beside_idle_tables(place, shared)
        found += beside_sqlite(place, shared)
        return found


def by_processes(place: Path, shared: Services, load: Load) -> list[Figure]:
    """One, two and four processes in turns, and as many that have nothing to do with each other.

    There are as many tables for each; what those cost at which nothing happens is a hundredth of it all.
    """
    games = prepared(place, shared, TABLES, load.seats)
    rounds = [
        each
        for number in range(SITTINGS)
        for each in sitting(place / f"sitting-{number}", shared, games, load)
    ]
    return [figure for count in PROCESSES for figure in cost_figures(rounds, count, load)]


class Costs(NamedTuple):
    """What a command cost, by number of processes: of one server, and of as many unrelated ones."""

    ours: dict[int, Cost]
    unrelated: dict[int, Cost]


class Round(NamedTuple):
    """With as much to do for each process; of one server, with as much for all; and without a pause."""

    grown: Costs
    spread: dict[int, Cost]
    full: Costs


def sitting(place: Path, shared: Services, games: Prepared, load: Load) -> list[Round]:
    with ExitStack() as stack:
        enter = stack.enter_context
        ours = {
            count: enter(
                cluster_side(
                    *(place, shared, games, count),
                    number=count,
                    playing=TABLES_EACH * count,
                    arrival=load.arrival,
                )
            )
            for count in PROCESSES
        }
        unrelated = {
            count: enter(
                unrelated_side(place, shared, games, count, number=4 + count, playing=TABLES_EACH * count)
            )
            for count in PROCESSES[1:]
        }
        return [measure_round(ours, unrelated, seed) for seed in range(ROUNDS)]


def measure_round(ours: dict[int, Side], unrelated: dict[int, Side], seed: int) -> Round:
    def measured(ask: Callable[[Side, int], Cost]) -> Costs:
        return Costs(
            *({count: ask(side, count) for count, side in sides.items()} for sides in (ours, unrelated))
        )

    grown = measured(lambda side, count: side.measure(EACH * count, seed))
    most = max(ours)  # these had as much in all, and need not be asked again
    spread = {
        count: grown.ours[most] if count == most else side.measure(RATE, seed) for count, side in ours.items()
    }
    full = measured(lambda side, count: side.measure_full(AT_ONCE * count))
    return Round(grown, spread, full)


def cost_figures(rounds: list[Round], count: int, load: Load) -> list[Figure]:
    name = "one process" if count == 1 else f"{count} processes"
    costs = [each.grown.ours[count] for each in rounds]
    full = [each.full.ours[count] for each in rounds]
    found = [Figure(f"{load.name}, {name}: a command", median(cost.servers for cost in costs), "µs")]
    if count == 1:
        busier = ratio([each.spread[1] for each in rounds], costs)
        found.append(Figure(f"  the same process with {RATE} a second, beside {EACH}", busier, "times"))
    else:
        alone, others = "beside one", f"beside {count} unrelated ones"
        for_each, for_all = f"{EACH} a second for each", f"{RATE} a second for all"
        as_deployed = MOST_GROWTH if load.is_as_deployed else None

        def beside(
            what: str, costs_of: Callable[[Round], tuple[Cost, Cost]], at_most: float | None
        ) -> Figure:
            ours, theirs = zip(*map(costs_of, rounds), strict=True)
            return Figure(f"  {what}", ratio(ours, theirs), "times", at_most=at_most)

        found += [
            beside(f"{alone}, {for_each}", lambda r: (r.grown.ours[count], r.grown.ours[1]), MOST_GROWTH),
            beside(
                f"{others}, {for_each}",
                lambda r: (r.grown.ours[count], r.grown.unrelated[count]),
                as_deployed,
            ),
            beside(
                f"{others}, without a pause",
                lambda r: (r.full.ours[count], r.full.unrelated[count]),
                as_deployed,
            ),
            beside(f"{alone}, without a pause", lambda r: (r.full.ours[count], r.full.ours[1]), None),
            beside(f"{alone}, {for_all}", lambda r: (r.spread[count], r.spread[1]), None),
        ]
    return [
        *found,
        Figure("  a command without a pause", median(cost.servers for cost in full), "µs"),
        Figure("  beside it in PostgreSQL", median(cost.postgres for cost in costs), "µs"),
        Figure("  and in Redis", median(cost.redis for cost in costs), "µs"),
    ]


def ratio(ours: Sequence[Cost], others: Sequence[Cost]) -> float:
    """The median of the ratios of neighbours."""
    return median(one.servers / other.servers for one, other in zip(ours, others, strict=True))


def beside_idle_tables(place: Path, shared: Services) -> list[Figure]:
    """More and more tables at which nothing happens, then fewer and fewer."""
    active = prepared(place, shared, TABLES + max(IDLE), 1, most_moves=MOST_MOVES[1])
    costs: dict[int, list[Cost]] = {count: [] for count in IDLE}
    idle: dict[int, float] = {}
    with cluster_side(place, shared, active, 2, number=4, playing=TABLES) as side:
        there = 0
        for count in IDLE:
            side.crowd.tell("idle", tables=active.tables[TABLES + there : TABLES + count])
            there = count
            idle[count] = idle_share(side)
            costs[count] += [side.measure(RATE, seed) for seed in range(2)]
        for count in reversed(IDLE):
            side.crowd.tell("leave", remaining=count)
            costs[count] += [side.measure(RATE, seed) for seed in range(2, 4)]
    least, most = IDLE[0], IDLE[-1]

    def own(count: int) -> float:
        """Of a command, what is not spent when nobody moves."""
        return median(cost.servers for cost in costs[count]) - idle[count] * 1e6 / RATE

    return [
        *(
            Figure(f"a command beside {count:,} idle tables", median(c.servers for c in costs[count]), "µs")
            for count in IDLE
        ),
        Figure(f"  {most:,} beside {least}", ratio(costs[most], costs[least]), "times", at_most=1.1),
        Figure("  without what idle ones cost anyway", own(most) / own(least), "times", at_most=1.1),
        *(
            Figure(f"  {count:,} tables, nobody moving: share of a core", idle[count] * 100, "%")
            for count in IDLE
        ),
    ]


def idle_share(side: Side) -> float:
    before, began = side.busy(), time.monotonic()
    time.sleep(IDLE_SECONDS)
    return (side.busy() - before) / (time.monotonic() - began)


def beside_sqlite(place: Path, shared: Services) -> list[Figure]:
    """One process on each, in turns; tables of two."""
    games = prepared(place, shared, TABLES, 2)
    ours: list[Timed] = []
    others: list[Timed] = []
    with (
        cluster_side(place, shared, games, 1, number=5) as cluster,
        single_side(place, shared, TABLES, 2) as single,
    ):
        for seed in range(LIGHT_ROUNDS):
            ours.append(cluster.timed(LIGHT_RATE, seed))
            others.append(single.timed(LIGHT_RATE, seed))
    times = median(one.step.seen_p50 / other.step.seen_p50 for one, other in zip(ours, others, strict=True))
    cost = ratio([one.cost for one in ours], [other.cost for other in others])
    return [
        Figure("a move on PostgreSQL and Redis seen by both, p50", p50(ours), "ms"),
        Figure("a move on SQLite seen by both, p50", p50(others), "ms"),
        Figure("  beside SQLite, p50", times, "times", at_most=2),
        Figure("a move on PostgreSQL and Redis seen by both, p99", p99(ours), "ms"),
        Figure("a move on SQLite seen by both, p99", p99(others), "ms"),
        Figure("  processor time of the server beside SQLite", cost, "times"),
    ]


def p50(times: list[Timed]) -> float:
    return median(each.step.seen_p50 for each in times)


def p99(times: list[Timed]) -> float:
    return median(each.step.seen_p99 for each in times)
