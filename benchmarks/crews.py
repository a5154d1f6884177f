"""Ray beside plain processes: the same games of strong bots, by two workers each."""

import logging
import os
from secrets import token_hex
from statistics import median
from time import perf_counter

from benchmarks.figures import Figure
from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import simulate
from royalcrypt.lab.tables import Setting
from royalcrypt.lab.worker_pools import WorkerPool, worker_pool

WORKERS = 2
GAMES, WARMING = 384, 64
"""Played in one go: batches enough for both workers to be busy but for the last moment."""
ROUNDS = 5
RATIO_WANTED = 0.9
STORE = 80 * 1024 * 1024
BOTS = ("heir", "greedy")


def rate(pool: WorkerPool, seed: int, games: int = GAMES) -> float:
    """Games a second, by the clock on the wall: what the workers do is not this process's time."""
    setting = Setting(2, BOTS, seed, collectors=None)
    start = perf_counter()
    for _ in simulate(setting, games, plain_backend(), pool=pool):
        pass
    return games / (perf_counter() - start)


def figures() -> list[Figure]:
    """In turns, so that what slows the machine slows both; the median of the ratios."""
    # A token of its own for as long as it runs: else Ray leaves one in the home.
    os.environ |= {
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": token_hex(32),
    }
    import ray

    ray.init(
        "local",
        num_cpus=WORKERS,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
        object_store_memory=STORE,
    )
    try:
        with worker_pool(WORKERS) as processes, worker_pool(ray="auto") as cluster:
            for pool in (processes, cluster):
                rate(pool, ROUNDS, WARMING)
            rounds = [(rate(processes, seed), rate(cluster, seed)) for seed in range(ROUNDS)]
    finally:
        ray.shutdown()
    theirs, ours = (median(rates) for rates in zip(*rounds, strict=True))
    ratio = median(on_ray / plain for plain, on_ray in rounds)
    return [
        Figure("two processes, heir and greedy", theirs, "games/s"),
        Figure("Ray, two workers, heir and greedy", ours, "games/s"),
        Figure("Ray / two processes", ratio, "times", at_least=RATIO_WANTED),
    ]
