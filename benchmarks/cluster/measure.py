"""What several processes cost and how long moves take there, in one run: ``python -m benchmarks cluster``."""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.cluster.sides import (
    MOST_MOVES,
    Cost,
    Services,
    Side,
    cluster_side,
    prepared,
    services,
    single_side,
    unrelated_side,
)
from benchmarks.figures import Figure
from benchmarks.server.load import Arrival

EACH, LIGHT_RATE = 60, 100
"""Commands a second for each process, to see what one costs; and for all, to see how long one takes."""
ROUNDS = 3
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


LOADS = (
    Load("tables of one person", 1, Arrival.APART),
    Load("tables of two, brought together", 2, Arrival.TOGETHER),  # as the setting ``gather`` does it
    Load("tables of two, as chance has it", 2, Arrival.BY_CHANCE),
    Load("tables of two, all of them apart", 2, Arrival.APART),
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
    with ExitStack() as stack:
        enter = stack.enter_context
        together = {
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
        apart = {
            count: enter(
                unrelated_side(place, shared, games, count, number=4 + count, playing=TABLES_EACH * count)
            )
            for count in PROCESSES[1:]
        }
        rounds = [measure_round(together, apart, seed) for seed in range(ROUNDS)]
    return [figure for count in PROCESSES for figure in cost_figures(rounds, count, load)]


class Round(NamedTuple):
    """What a command cost, by number of processes: with as much to do for each, and for all of them."""

    grown: dict[int, Cost]
    grown_apart: dict[int, Cost]
    spread: dict[int, Cost]
    spread_apart: dict[int, Cost]


def measure_round(together: dict[int, Side], apart: dict[int, Side], seed: int) -> Round:
    grown = {count: side.measure(EACH * count, seed) for count, side in together.items()}
    grown_apart = {count: side.measure(EACH * count, seed) for count, side in apart.items()}
    return Round(grown, grown_apart, spread(together, grown, seed), spread(apart, grown_apart, seed))


def spread(sides: dict[int, Side], grown: dict[int, Cost], seed: int) -> dict[int, Cost]:
    """As much for all as the most processes had; these need not be asked again."""
    most = max(sides)
    return {
        count: grown[most] if count == most else side.measure(RATE, seed) for count, side in sides.items()
    }


def cost_figures(rounds: list[Round], count: int, load: Load) -> list[Figure]:
    name = "one process" if count == 1 else f"{count} processes"
    costs = [each.grown[count] for each in rounds]
    found = [Figure(f"{load.name}, {name}: a command", median(cost.servers for cost in costs), "µs")]
    if count == 1:
        busier = ratio([each.spread[1] for each in rounds], costs)
        found.append(Figure(f"  the same process with {RATE} a second, beside {EACH}", busier, "times"))
    else:

        def beside(ours: str, others: str, how_many: int) -> float:
            pairs = [(getattr(each, ours)[count], getattr(each, others)[how_many]) for each in rounds]
            return ratio([one for one, _ in pairs], [other for _, other in pairs])

        for_each, for_all = f"{EACH} a second for each", f"{RATE} a second for all"
        alone, apart = "beside one", f"beside {count} unrelated ones"
        found += [
            Figure(f"  {alone}, {for_each}", beside("grown", "grown", 1), "times", at_most=MOST_GROWTH),
            Figure(
                f"  {apart}, {for_each}", beside("grown", "grown_apart", count), "times", at_most=MOST_GROWTH
            ),
            Figure(f"  {alone}, {for_all}", beside("spread", "spread", 1), "times", at_most=MOST_GROWTH),
            Figure(
                f"  {apart}, {for_all}", beside("spread", "spread_apart", count), "times", at_most=MOST_GROWTH
            ),
        ]
    return [
        *found,
        Figure("  beside it in PostgreSQL", median(cost.postgres for cost in costs), "µs"),
        Figure("  and in Redis", median(cost.redis for cost in costs), "µs"),
    ]


def ratio(ours: list[Cost], others: list[Cost]) -> float:
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
    ours: list[Cost] = []
    others: list[Cost] = []
    with (
        cluster_side(place, shared, games, 1, number=5) as cluster,
        single_side(place, shared, TABLES, 2) as single,
    ):
        for seed in range(ROUNDS):
            ours.append(cluster.measure(LIGHT_RATE, seed))
            others.append(single.measure(LIGHT_RATE, seed))
    times = median(one.step.seen_p50 / other.step.seen_p50 for one, other in zip(ours, others, strict=True))
    return [
        Figure("a move on PostgreSQL and Redis seen by both, p50", p50(ours), "ms"),
        Figure("a move on SQLite seen by both, p50", p50(others), "ms"),
        Figure("  beside SQLite, p50", times, "times", at_most=2),
        Figure("a move on PostgreSQL and Redis seen by both, p99", p99(ours), "ms"),
        Figure("a move on SQLite seen by both, p99", p99(others), "ms"),
        Figure("  processor time of the server beside SQLite", ratio(ours, others), "times"),
    ]


def p50(costs: list[Cost]) -> float:
    return median(cost.step.seen_p50 for cost in costs)


def p99(costs: list[Cost]) -> float:
    return median(cost.step.seen_p99 for cost in costs)
