"""Simulates many games of bots with one worker or several; the results do not depend on the workers."""

from collections.abc import Iterator
from functools import partial

from royalcrypt.lab.backends import COMPILED, PLAIN, Backend, backend_named, can_compile, must_compile
from royalcrypt.lab.tables import Outcome, Setting, batch_outcomes, is_all_random, play_batch, play_game
from royalcrypt.lab.worker_pools import SerialPool, WorkerPool

WORTH_LOADING, WORTH_COMPILING = 2_000, 20_000
"""The number of random games from which the compiled backend is faster: if stored already, and if not."""
RANDOM_BATCH = 5_000
"""The number of compiled random games per task."""
BATCH = 16
"""The number of other games per task."""


def quickest_backend(setting: Setting, games: int, *, is_recorded: bool) -> str:
    """The name of the backend that will probably finish first; the games are equal on both."""
    if is_recorded or not is_all_random(setting) or games < WORTH_LOADING or not can_compile():
        return PLAIN
    return PLAIN if games < WORTH_COMPILING and must_compile(step_by_step=False) else COMPILED


def is_step_by_step(setting: Setting, *, is_recorded: bool) -> bool:
    """Whether single steps are needed; otherwise the compiled backend plays whole games in one call."""
    return is_recorded or not is_all_random(setting)


def simulate(
    setting: Setting,
    games: int,
    backend: Backend,
    *,
    is_recorded: bool = False,
    pool: WorkerPool | None = None,
) -> Iterator[Outcome]:
    """Play games 0, 1, … of the setting's seed, and yield their outcomes in order."""
    pool = pool or SerialPool()
    if backend.name == COMPILED and not is_step_by_step(setting, is_recorded=is_recorded):
        played = pool.map(play_batch, ((setting, numbers) for numbers in batches(games, RANDOM_BATCH)))
        for numbers, batch in zip(batches(games, RANDOM_BATCH), played, strict=True):
            yield from batch_outcomes(setting, numbers, batch)
        return
    if isinstance(pool, SerialPool):  # Yield each outcome as soon as its game is over.
        for number in range(games):
            yield play_game(setting, number, backend, is_recorded=is_recorded)
        return
    play = partial(play_in_a_row, setting, backend.name, is_recorded)
    for outcomes in pool.map(play, batches(games, BATCH)):
        yield from outcomes


def batches(games: int, size: int, first: int = 0) -> Iterator[range]:
    """The numbers of games from ``first`` to ``games - 1``, in consecutive ranges."""
    return (range(start, min(start + size, games)) for start in range(first, games, size))


def play_in_a_row(setting: Setting, name: str, is_recorded: bool, numbers: range) -> list[Outcome]:  # noqa: FBT001
    backend = backend_named(name)
    return [play_game(setting, number, backend, is_recorded=is_recorded) for number in numbers]
