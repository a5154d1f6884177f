"""How fast a data set grows: games of the strong bot, played, traced and written as columns."""

import time
from statistics import median

from benchmarks.figures import Figure
from royalcrypt.lab.dataset.folder import encoded
from royalcrypt.lab.dataset.plans import DatasetPlan
from royalcrypt.lab.dataset.rows import Rows, play_batch
from royalcrypt.lab.dataset.schema import arrow_tables

TIMES = 5
GAMES = {1: 400, 2: 200, 3: 100, 4: 60, None: 100}
"""By players, so many that it takes half a second."""


def figures() -> list[Figure]:
    play_batch(DatasetPlan(1), range(1))
    return [
        *(
            Figure(f"a data set of {players or 'all'} players", growing(players), "games a second")
            for players in GAMES
        ),
        Figure("a game of two in it", size(), "bytes"),
    ]


def growing(players: int | None) -> float:
    """Of processor time on one core."""
    plan, games = DatasetPlan(GAMES[players], players=players), GAMES[players]
    found: list[float] = []
    for _ in range(TIMES):
        began = time.process_time()
        written(plan, play_batch(plan, range(games)))
        found.append(time.process_time() - began)
    return games / median(found)


def size() -> float:
    plan = DatasetPlan(1000, players=2)
    return written(plan, play_batch(plan, range(plan.games))) / plan.games


def written(plan: DatasetPlan, rows: Rows) -> int:
    """Bytes."""
    return sum(encoded(table, plan).size for table in arrow_tables(plan, rows).values())
