"""Many games, in order, on one core or several; the same games whatever they run on."""

import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context

from royalcrypt.lab.carriers import COMPILED, PLAIN, Carrier, can_compile, carrier_named, must_compile
from royalcrypt.lab.tables import Outcome, Setting, is_all_random, play_batch, play_game

WORTH_LOADING, WORTH_COMPILING = 2_000, 20_000
"""Games of random players from which the compiled carrier saves time: once compiled, and before that."""
AT_ONCE = 5_000
"""Compiled games of random players between two looks at the progress."""
BATCH = 16
WAITING = 4
"""Batches in hand for each process."""


def best_carrier(setting: Setting, games: int, *, is_recorded: bool) -> str:
    """The carrier that is likely to be done first; what comes out is the same."""
    if is_recorded or not is_all_random(setting) or games < WORTH_LOADING or not can_compile():
        return PLAIN
    return PLAIN if games < WORTH_COMPILING and must_compile(step_by_step=False) else COMPILED


def is_step_by_step(setting: Setting, *, is_recorded: bool) -> bool:
    """Whether each step is looked at; else the compiled carrier plays whole games at once."""
    return is_recorded or not is_all_random(setting)


def simulate(
    setting: Setting, games: int, carrier: Carrier, *, is_recorded: bool = False, jobs: int = 1
) -> Iterator[Outcome]:
    """Play games 0, 1, … of the setting's seed; their order and outcomes do not depend on ``jobs``."""
    if carrier.name == COMPILED and not is_step_by_step(setting, is_recorded=is_recorded):
        for first in range(0, games, AT_ONCE):
            yield from play_batch(setting, range(first, min(first + AT_ONCE, games)))
        return
    if jobs == 1:
        for number in range(games):
            yield play_game(setting, number, carrier, is_recorded=is_recorded)
        return
    batches = (range(first, min(first + BATCH, games)) for first in range(0, games, BATCH))
    # Fresh processes: a copy of this one would inherit locks of threads that it does not have.
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin_work, initargs=(carrier.name,)
    ) as pool:
        try:
            yield from _in_order(pool, setting, batches, is_recorded=is_recorded, ahead=jobs * WAITING)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, setting: Setting, batches: Iterator[range], *, is_recorded: bool, ahead: int
) -> Iterator[Outcome]:
    waiting: deque[Future[list[Outcome]]] = deque(
        pool.submit(_play_batch, setting, batch, is_recorded) for batch in islice(batches, ahead)
    )
    while waiting:
        yield from waiting.popleft().result()
        waiting.extend(pool.submit(_play_batch, setting, batch, is_recorded) for batch in islice(batches, 1))


_carrier: list[Carrier] = []
"""Of a process that works for another."""


def _begin_work(carrier: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives out the work.
    _carrier.append(carrier_named(carrier))


def _play_batch(setting: Setting, numbers: range, is_recorded: bool) -> list[Outcome]:  # noqa: FBT001
    return [play_game(setting, number, _carrier[0], is_recorded=is_recorded) for number in numbers]
