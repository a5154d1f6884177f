"""Who does the work: this process, several threads or processes, or a cluster. What comes out is the same.

Work is cut into pieces that depend on nothing but themselves, so that a piece may be done anywhere, and again
if whoever did it is lost.
"""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Protocol, TypeVar

Piece = TypeVar("Piece")
Done = TypeVar("Done")
AHEAD = 4
"""Pieces in hand for each who works."""


class Crew(Protocol):
    size: int
    """How many work at the same time."""

    def do(self, task: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        """What comes of each piece, in their order. The task is a module's function that keeps nothing."""
        ...


class Alone:
    """This process itself."""

    size = 1

    def do(self, task: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        return map(task, pieces)


class Pool:
    """Several processes of this machine, or threads of this process."""

    def __init__(self, size: int, pool: Executor) -> None:
        self.size = size
        self._pool = pool

    def do(self, task: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        left = iter(pieces)
        waiting: deque[Future[Done]] = deque(
            self._pool.submit(task, piece) for piece in islice(left, self.size * AHEAD)
        )
        while waiting:
            done = waiting.popleft().result()
            waiting.extend(self._pool.submit(task, piece) for piece in islice(left, 1))
            yield done


@contextmanager
def crew_of(jobs: int = 1, ray: str | None = None) -> Generator[Crew]:
    """So many who work at once, or all of the Ray cluster at an address (``auto``: the one that runs here).

    They are sent home at the end, whatever is still to be done.
    """
    if ray is not None:
        from royalcrypt.lab.cluster import cluster_at

        with cluster_at(ray) as cluster:
            yield cluster
        return
    if jobs == 1:
        yield Alone()
        return
    # Fresh processes: a copy of this one would inherit locks of threads that it does not have.
    with _working(ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts)) as pool:
        yield Pool(jobs, pool)


@contextmanager
def threads(size: int) -> Generator[Crew]:
    """For compiled work, which threads do at the same time; pieces and results are not copied."""
    with _working(ThreadPoolExecutor(size)) as pool:
        yield Pool(size, pool)


@contextmanager
def _working(pool: Executor) -> Generator[Executor]:
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who gives out the work.
