"""Worker pools: this process, threads, processes or a Ray cluster; the results are the same.

Work consists of independent pieces, so each can run on any worker, and again if its worker is lost.
"""

import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

Piece = TypeVar("Piece")
Done = TypeVar("Done")
QUEUED_PER_WORKER = 4
"""The number of queued pieces of work per worker."""


class WorkerPool(ABC):
    size: int
    """The number of workers."""

    @abstractmethod
    def submit(self, task: Callable[[Piece], Done], piece: Piece) -> Any:
        """Queue one piece of work; returns a handle for ``result``."""

    @abstractmethod
    def result(self, handle: Any) -> Any: ...

    def map(self, task: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        """The results of all pieces in order; ``task`` must not depend on earlier calls."""
        left = iter(pieces)
        waiting = deque(self.submit(task, piece) for piece in islice(left, self.size * QUEUED_PER_WORKER))
        while waiting:
            done = self.result(waiting.popleft())
            waiting.extend(self.submit(task, piece) for piece in islice(left, 1))
            yield done


class SerialPool(WorkerPool):
    """Runs each piece of work in this process when its result is needed."""

    size = 1

    def submit(self, task: Callable[[Piece], Done], piece: Piece) -> Any:
        return task(piece)

    def result(self, handle: Any) -> Any:
        return handle

    def map(self, task: Callable[[Piece], Done], pieces: Iterable[Piece]) -> Iterator[Done]:
        return map(task, pieces)


class LocalPool(WorkerPool):
    """A pool of processes on this machine, or of threads in this process."""

    def __init__(self, size: int, executor: Executor) -> None:
        self.size = size
        self._executor = executor

    def submit(self, task: Callable[[Piece], Done], piece: Piece) -> Any:
        return self._executor.submit(task, piece)

    def result(self, handle: Any) -> Any:
        return handle.result()


@contextmanager
def worker_pool(jobs: int = 1, ray: str | None = None) -> Generator[WorkerPool]:
    """A pool of local processes, or of all processors of a Ray cluster (``auto``: the local one).

    Queued work is cancelled at the end.
    """
    if ray is not None:
        from royalcrypt.lab.cluster import cluster_at

        with cluster_at(ray) as cluster:
            yield cluster
    elif jobs == 1:
        yield SerialPool()
    else:
        # Not forked: a forked process would inherit locks of threads that it does not have.
        with _closing(ProcessPoolExecutor(jobs, get_context("spawn"), _ignore_interrupts)) as executor:
            yield LocalPool(jobs, executor)


@contextmanager
def thread_pool(size: int) -> Generator[WorkerPool]:
    """A pool of threads for compiled work, which releases the GIL; pieces and results are not copied."""
    with _closing(ThreadPoolExecutor(size)) as executor:
        yield LocalPool(size, executor)


@contextmanager
def _closing(executor: Executor) -> Generator[Executor]:
    try:
        yield executor
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process.
