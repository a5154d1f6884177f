"""A thread that owns one connection and runs jobs in groups, one transaction per group."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import apsw
import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.sqlite.appender import Appender
from royalcrypt.storage.sqlite.connection import STORAGE_FAILURES, RawConnection, reason_of
from royalcrypt.storage.sqlite.dialect import engine_on
from royalcrypt.tables.journal import Line, NotKept

log = structlog.get_logger()
CAPACITY = 4096
MAX_BATCH = 512


@dataclass(slots=True, eq=False)
class Job:
    """A unit of work and, after it has run, its result or error."""

    work: Any
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class JobQueue:
    """A bounded queue that rejects jobs when full, so that the event loop never waits."""

    def __init__(self, capacity: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._capacity = capacity
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._unanswered = 0
        self._is_closed = False
        self._is_done = False

    def submit(self, work: Any) -> asyncio.Future[Any]:
        """Add a job and return its future; raises NotKept if the queue is full or closed."""
        if self._is_closed:
            raise NotKept(Reason.STORAGE_CLOSED)
        if self._unanswered >= self._capacity:
            raise NotKept(Reason.STORAGE_BUSY)
        self._unanswered += 1
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put(Job(work, future))
        return future

    def close(self) -> None:
        """Accept no further jobs; submitted ones are still run."""
        if not self._is_closed:
            self._is_closed = True
            self._jobs.put(None)

    def take(self, most: int) -> list[Job]:
        """Wait for jobs and take up to ``most``; empty after close. Called in the worker thread."""
        taken: list[Job] = []
        while not self._is_done and len(taken) < most:
            try:
                job = self._jobs.get(block=not taken)
            except Empty:
                break
            if job is None:
                self._is_done = True
            else:
                taken.append(job)
        return taken

    def answer(self, jobs: list[Job]) -> None:
        """Deliver a group's results with one event-loop callback. Called in the worker thread."""
        with suppress(RuntimeError):  # The loop is closed, so no caller is waiting.
            self._loop.call_soon_threadsafe(self._deliver, jobs)

    def _deliver(self, jobs: list[Job]) -> None:
        for job in jobs:
            self._unanswered -= 1
            if job.future.done():  # The caller was cancelled.
                continue
            if job.error is None:
                job.future.set_result(job.result)
            elif isinstance(job.error, StopIteration):  # Futures do not accept StopIteration.
                job.future.set_exception(RuntimeError(repr(job.error)))
            else:
                job.future.set_exception(job.error)


class WorkerConnection:
    """One connection with its apsw and SQLAlchemy interfaces."""

    def __init__(self, raw: RawConnection) -> None:
        self.raw = raw
        self.execute = raw.cursor().execute
        self.appender = Appender(raw)
        self.sql = engine_on(raw, is_managed=True).connect()

    def undo(self) -> None:
        if self.raw.in_transaction:
            self.execute("ROLLBACK")

    def close(self) -> None:
        self.sql.close()
        self.raw.close()


class OutsideTransaction(NamedTuple):
    """Work that cannot run in a transaction; it runs after its group's transaction."""

    do: Callable[[RawConnection], Any]


class DatabaseWorker:
    """The worker thread; completes jobs only after their group's COMMIT, and continues after any error."""

    def __init__(
        self, name: str, connect: Callable[[], RawConnection], *, begin: str, failure: type[Refusal] = NotKept
    ) -> None:
        self._connect = connect
        self._begin = begin
        self._failure = failure
        self._connection: WorkerConnection | None = WorkerConnection(connect())
        self._queue = JobQueue(CAPACITY)
        self.submit = self._queue.submit
        self._thread = Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._queue.close()

    def join(self) -> None:
        """Block until all jobs are done and the connection is closed; not to be called on the event loop."""
        self._thread.join()

    def _serve(self) -> None:
        while group := self._queue.take(MAX_BATCH):
            try:
                self._do(group)
            except Exception as problem:  # noqa: BLE001 (the next group may succeed)
                self._give_up(group, problem)
            self._queue.answer(group)
        self._drop()

    def _do(self, group: list[Job]) -> None:
        if self._connection is None:
            self._connection = WorkerConnection(self._connect())
        inside = [job for job in group if not isinstance(job.work, OutsideTransaction)]
        if inside:
            self._do_in_transaction(self._connection, inside)
        for job in group:
            if isinstance(job.work, OutsideTransaction):
                self._do_outside(self._connection, job)

    def _do_in_transaction(self, connection: WorkerConnection, group: list[Job]) -> None:
        self._start(connection)
        # Lines go first, because after a rollback they can be written again.
        lines = [job for job in group if isinstance(job.work, Line)]
        if lines and not _append(connection, lines):
            connection.undo()
            self._start(connection)
            for job in lines:
                _do_in_savepoint(connection, job)
        for job in group:
            if not isinstance(job.work, Line):
                _do_in_savepoint(connection, job)
        connection.execute("COMMIT")

    def _do_outside(self, connection: WorkerConnection, job: Job) -> None:
        """Run one job outside the transaction; a failure does not affect the rest of the group."""
        try:
            job.result = job.work.do(connection.raw)
        except apsw.Error as problem:
            self._fail(job, problem)

    def _start(self, connection: WorkerConnection) -> None:
        try:
            connection.execute(self._begin)
        except apsw.BusyError:
            raise
        except apsw.Error:
            self._drop()  # The connection may be broken; the next group opens a new one.
            raise

    def _give_up(self, group: list[Job], problem: Exception) -> None:
        reason, _ = reason_of(problem)
        log.warning("storage failed", reason=reason, problem=f"{type(problem).__name__}: {problem}")
        for job in group:
            self._fail(job, problem)
        if self._connection:
            try:
                self._connection.undo()
            except apsw.Error:
                self._drop()

    def _fail(self, job: Job, problem: Exception) -> None:
        reason, details = reason_of(problem)
        job.result = None
        job.error = self._failure(reason, **details)
        job.error.__cause__ = problem

    def _drop(self) -> None:
        if self._connection:
            with suppress(apsw.Error):
                self._connection.close()
            self._connection = None


def _append(connection: WorkerConnection, lines: list[Job]) -> bool:
    """Append without a savepoint, which would cost a third of the speed; returns False if a line fails."""
    try:
        connection.appender.append([job.work for job in lines])
    except STORAGE_FAILURES:
        raise
    except Exception:  # noqa: BLE001 (one invalid line must not affect the others)
        return False
    return True


def _do_in_savepoint(connection: WorkerConnection, job: Job) -> None:
    """Run a job in a savepoint, so that its failure undoes only this job."""
    job.error = None
    connection.execute("SAVEPOINT job")
    try:
        job.result = _do_one(connection, job.work)
    except BaseException as problem:
        failed = problem.orig if isinstance(problem, DBAPIError) else problem
        if isinstance(failed, STORAGE_FAILURES):
            raise failed from problem
        job.error = problem
        connection.execute("ROLLBACK TO job")
    connection.execute("RELEASE job")


def _do_one(connection: WorkerConnection, work: Line | Callable[[Connection], Any]) -> Any:
    if isinstance(work, Line):
        return connection.appender.append([work])
    try:
        return work(connection.sql)
    finally:
        if connection.sql.in_transaction():
            connection.sql.rollback()  # Resets only SQLAlchemy's state; the worker owns the transaction.
