"""A thread with the only connection it uses: work for it is done in groups, one transaction each."""

from collections.abc import Callable, Iterable
from itertools import groupby
from threading import Thread
from typing import Any

import apsw
from sqlalchemy.exc import DBAPIError

from royalcrypt.notation.reasons import Refusal
from royalcrypt.storage.appends import Appender
from royalcrypt.storage.apsw_driver import engine_on
from royalcrypt.storage.connecting import STORAGE_FAILURES, reason_of
from royalcrypt.storage.desk import Desk, Job
from royalcrypt.storage.raw import Raw
from royalcrypt.tables.journal import Line, NotKept, PlyTaken

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
        self.appender.forget()
        if self.raw.in_transaction:
            self.execute("ROLLBACK")

    def close(self) -> None:
        self.sql.close()
        self.raw.close(force=True)


class Worker:
    """Answers no job before its group's COMMIT has returned, and outlives whatever goes wrong."""

    def __init__(
        self,
        name: str,
        connect: Callable[[], Raw],
        *,
        begin: str,
        failure: type[Refusal] = NotKept,
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
        if self._link:
            self._link.close()

    def _do(self, group: list[Job]) -> None:
        link = self._open()
        try:
            link.execute(self._begin)
        except apsw.BusyError:
            raise
        except apsw.Error:
            # The connection itself may be broken: the next group gets a new one.
            self._link = None
            link.close()
            raise
        for is_append, jobs in groupby(group, lambda job: isinstance(job.work, Line)):
            if is_append:
                _append(link, list(jobs))
            else:
                for job in jobs:
                    _do_apart(link, job, _call)
        link.execute("COMMIT")

    def _open(self) -> Link:
        if self._link is None:
            self._link = Link(self._connect())
        return self._link

    def _give_up(self, group: Iterable[Job], problem: Exception) -> None:
        if self._link:
            self._link.undo()
        reason, details = reason_of(problem)
        for job in group:
            job.result = None
            job.error = self._failure(reason, **details)
            job.error.__cause__ = problem


def _append(link: Link, jobs: list[Job]) -> None:
    """All in one savepoint; should one fail by itself, again with a savepoint each."""
    link.execute("SAVEPOINT lines")
    try:
        for job in jobs:
            try:
                link.appender.append(job.work)
            except PlyTaken as taken:
                job.error = taken
    except STORAGE_FAILURES:
        raise
    except Exception:  # noqa: BLE001 (bad input of one must not cost the others their entries)
        link.execute("ROLLBACK TO lines")
        link.appender.forget()
        for job in jobs:
            job.error = None
            _do_apart(link, job, _append_one)
    link.execute("RELEASE lines")


def _do_apart(link: Link, job: Job, act: Callable[[Link, Job], Any]) -> None:
    link.execute("SAVEPOINT job")
    try:
        job.result = act(link, job)
    except BaseException as problem:
        failed = problem.orig if isinstance(problem, DBAPIError) else problem
        if isinstance(failed, STORAGE_FAILURES):
            raise failed from problem
        job.error = problem
        link.appender.forget()
        link.execute("ROLLBACK TO job")
    link.execute("RELEASE job")


def _append_one(link: Link, job: Job) -> None:
    link.appender.append(job.work)


def _call(link: Link, job: Job) -> Any:
    try:
        return job.work(link.sql)
    finally:
        if link.sql.in_transaction():
            link.sql.rollback()  # Of SQLAlchemy's own bookkeeping: the transaction is ours.
