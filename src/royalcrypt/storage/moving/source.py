"""The database file that is read, by nobody else meanwhile."""

import errno
import hashlib
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, cast

import apsw
from sqlalchemy import Connection, Table, func, select, text
from sqlalchemy.exc import DBAPIError

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.apsw_driver import engine_on
from royalcrypt.storage.connecting import refusal_of
from royalcrypt.storage.copying import check
from royalcrypt.storage.identity import check_is_known, filled_version_of
from royalcrypt.storage.lock import Lock
from royalcrypt.storage.migrating import migrate
from royalcrypt.storage.raw import open_raw

Row = tuple[Any, ...]
SEQUENCE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")


class Source:
    """As of one moment."""

    def __init__(self, sql: Connection, digest: str) -> None:
        self._sql = sql
        self.digest = digest

    def count(self, table: Table) -> int:
        return self._sql.scalar(select(func.count()).select_from(table)) or 0

    def pages(self, table: Table, *, size: int, since: int = 0) -> Iterator[list[Row]]:
        """All rows but the first so many, in the order of their keys; no more than a page is in memory."""
        wanted = select(table).order_by(*table.primary_key.columns).offset(since)
        for page in self._sql.execution_options(yield_per=size).execute(wanted).partitions():
            yield [tuple(row) for row in page]

    def last_number(self, table: Table) -> int:
        """The highest that was ever given to a row, though it may be gone; 0 if none was."""
        return self._sql.scalar(SEQUENCE, {"name": table.name}) or 0


@contextmanager
def opened(path: Path) -> Generator[Source]:
    """Locked against servers, and first brought to this version if need be. Raises Refusal."""
    if not path.is_file():
        raise Refusal(Reason.CANNOT_READ, file=str(path), why=os.strerror(errno.ENOENT))
    with ExitStack() as stack:
        try:
            source = _opened(path, stack)
        except (apsw.Error, OSError) as problem:
            raise refusal_of(problem, path) from problem
        try:
            yield source
        except DBAPIError as problem:
            raise refusal_of(cast("Exception", problem.orig), path) from problem


def _opened(path: Path, stack: ExitStack) -> Source:
    with closing(open_raw(path)) as raw:
        check_is_known(filled_version_of(raw, path), path)
    stack.enter_context(Lock(path))
    migrate(path)
    digest = _digest(path)
    raw = stack.enter_context(closing(open_raw(path)))
    check(raw, path)
    raw.execute("BEGIN")
    return Source(stack.enter_context(engine_on(raw, is_managed=True).connect()), digest)


def _digest(path: Path) -> str:
    """Of the bytes, with the log folded in; while SQLite has the file closed, whose locks this would undo."""
    with closing(open_raw(path)) as raw:
        is_busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        if is_busy:
            raise Refusal(Reason.DATABASE_BUSY)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
