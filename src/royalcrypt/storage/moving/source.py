"""The database file that is transferred. Nobody else may open it meanwhile."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, cast

import apsw
from sqlalchemy import Connection, Table, func, select, text
from sqlalchemy.exc import DBAPIError

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.migrations import check_is_known
from royalcrypt.storage.sqlite.backup import check, truncate_log
from royalcrypt.storage.sqlite.connection import DatabaseFileLock, open_existing, open_raw, refusal_of
from royalcrypt.storage.sqlite.dialect import engine_on
from royalcrypt.storage.sqlite.migration import migrate

Row = tuple[Any, ...]
SEQUENCE = text("SELECT seq FROM sqlite_sequence WHERE name = :name")


class Source:
    """A snapshot of the file."""

    def __init__(self, sql: Connection, digest: str) -> None:
        self._sql = sql
        self.digest = digest

    def count(self, table: Table) -> int:
        return self._sql.scalar(select(func.count()).select_from(table)) or 0

    def pages(self, table: Table, *, size: int, since: int = 0) -> Iterator[list[Row]]:
        """All rows from number ``since`` on, in the order of their keys. One page is in memory at a time."""
        wanted = select(table).order_by(*table.primary_key.columns).offset(since)
        for page in self._sql.execution_options(yield_per=size).execute(wanted).partitions():
            yield [tuple(row) for row in page]

    def last_number(self, table: Table) -> int:
        """The highest id that was ever assigned, even if the row was deleted; 0 if none was."""
        return self._sql.scalar(SEQUENCE, {"name": table.name}) or 0


@contextmanager
def opened(path: Path) -> Generator[Source]:
    """Lock a file against servers, and migrate it if needed. Raises Refusal."""
    with open_existing(path) as (_, version):
        check_is_known(version, path)
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
    stack.enter_context(DatabaseFileLock(path))
    migrate(path)
    digest = _digest(path)
    raw = stack.enter_context(closing(open_raw(path)))
    check(raw, path)
    raw.execute("BEGIN")
    return Source(stack.enter_context(engine_on(raw, is_managed=True).connect()), digest)


def _digest(path: Path) -> str:
    """SHA-256 of the file after a checkpoint. SQLite must have it closed: reading it would drop its locks."""
    with closing(open_raw(path)) as raw:
        if not truncate_log(raw):
            raise Refusal(Reason.DATABASE_BUSY)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
