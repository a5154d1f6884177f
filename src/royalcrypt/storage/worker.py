"""A thread with the only connection it uses: work for it is done in groups, one transaction each."""

from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, NamedTuple

import apsw
import structlog
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from royalcrypt.notation.reasons import Refusal
from royalcrypt.storage.appends import Appender
from royalcrypt.storage.apsw_driver import engine_on
from royalcrypt.storage.connecting import STORAGE_FAILURES, reason_of
from royalcrypt.storage.desk import Desk, Job
from royalcrypt.storage.raw import Raw
from royalcrypt.tables.journal import Line, NotKept

log = structlog.get_logger()
ROOM = 4096
MOST_AT_ONCE = 512


class Link:
    """One connection, as apsw and as SQLAlchemy see it."""

    def __init__(self, raw: Raw) -> None:
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


class Aside(NamedTuple):
    """Work that cannot be in a transaction: it is done after its group's."""

    do: Callable[[Raw], Any]


class Worker:
    """Answers no job before its group's COMMIT has returned, and outlives whatever goes wrong."""

    def __init__(
        self, name: str, connect: Callable[[], Raw], *, begin: str, failure: type[Refusal] = NotKept
    ) -> None:
        self._connect = connect
        self._begin = begin
        self._failure = failure
        self._link: Link | None = Link(connect())
        self._desk = Desk(ROOM)
        self.hand_in = self._desk.hand_in
        self._thread = Thread(target=self._serve, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._desk.close()

    def join(self) -> None:
        """Wait, off the event loop, until all work is done and the connection is closed."""
        self._thread.join()

    def _serve(self) -> None:
        while group := self._desk.take(MOST_AT_ONCE):
            try:
                self._do(group)
            except Exception as problem:  # noqa: BLE001 (whatever it is, the next group may fare better)
                self._give_up(group, problem)
            self._desk.answer(group)
        self._drop()

    def _do(self, group: list[Job]) -> None:
        if self._link is None:
            self._link = Link(self._connect())
        aside = [job for job in group if isinstance(job.work, Aside)]
        if len(aside) < len(group):
            self._do_together(self._link, [job for job in group if job not in aside] if aside else group)
        for job in aside:
            self._do_aside(self._link, job)

    def _do_together(self, link: Link, group: list[Job]) -> None:
        self._start(link)
        # Lines go first, while nothing was done that cannot be done again.
        lines = [job for job in group if isinstance(job.work, Line)]
        if lines and not _append(link, lines):
            link.undo()
            self._start(link)
            for job in lines:
                _do_apart(link, job)
        if len(lines) < len(group):
            for job in group:
                if not isinstance(job.work, Line):
                    _do_apart(link, job)
        link.execute("COMMIT")

    def _do_aside(self, link: Link, job: Job) -> None:
        """What fails here leaves the rest of its group as it was answered."""
        try:
            job.result = job.work.do(link.raw)
        except apsw.Error as problem:
            reason, details = reason_of(problem)
            job.error = self._failure(reason, **details)
            job.error.__cause__ = problem

    def _start(self, link: Link) -> None:
        try:
            link.execute(self._begin)
        except apsw.BusyError:
            raise
        except apsw.Error:
            self._drop()  # The connection may be broken: the next group gets a new one.
            raise

    def _give_up(self, group: list[Job], problem: Exception) -> None:
        reason, details = reason_of(problem)
        log.warning("storage failed", reason=reason, problem=f"{type(problem).__name__}: {problem}")
        for job in group:
            job.result = None
            job.error = self._failure(reason, **details)
            job.error.__cause__ = problem
        if self._link:
            try:
                self._link.undo()
            except apsw.Error:
                self._drop()

    def _drop(self) -> None:
        if self._link:
            with suppress(apsw.Error):
                self._link.close()
            self._link = None


def _append(link: Link, lines: list[Job]) -> bool:
    """Without a savepoint, which would cost a third of the speed; False if one failed by itself."""
    try:
        link.appender.append([job.work for job in lines])
    except STORAGE_FAILURES:
        raise
    except Exception:  # noqa: BLE001 (bad input of one must not cost the others their entries)
        return False
    return True


def _do_apart(link: Link, job: Job) -> None:
    """In a savepoint: what fails by itself is undone by itself."""
    job.error = None
    link.execute("SAVEPOINT job")
    try:
        job.result = _do_one(link, job.work)
    except BaseException as problem:
        failed = problem.orig if isinstance(problem, DBAPIError) else problem
        if isinstance(failed, STORAGE_FAILURES):
            raise failed from problem
        job.error = problem
        link.execute("ROLLBACK TO job")
    link.execute("RELEASE job")


def _do_one(link: Link, work: Line | Callable[[Connection], Any]) -> Any:
    if isinstance(work, Line):
        return link.appender.append([work])
    try:
        return work(link.sql)
    finally:
        if link.sql.in_transaction():
            link.sql.rollback()  # Of SQLAlchemy's own bookkeeping: the transaction is ours.
