"""One server a database file: a lock that the operating system gives back when its process dies."""

from pathlib import Path
from types import TracebackType
from typing import Self

import apsw

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.raw import open_raw


class Lock:
    """An empty SQLite file beside the database, held in an exclusive transaction.

    SQLite's own locks are the same on every system. The database itself stays free for other programs to
    read and back up.
    """

    def __init__(self, path: Path) -> None:
        """Raises DATABASE_IN_USE if another holds it."""
        path = path.resolve()
        beside = path.with_name(path.name + ".lock")
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            self._held = open_raw(beside, busy=0)
        except (OSError, apsw.Error) as problem:
            raise Refusal(Reason.CANNOT_WRITE, file=str(beside), why=str(problem)) from problem
        try:
            self._held.execute("BEGIN EXCLUSIVE")
        except apsw.BusyError as problem:
            self._held.close()
            raise Refusal(Reason.DATABASE_IN_USE, file=str(path)) from problem
        except apsw.Error as problem:
            self._held.close()
            raise Refusal(Reason.CANNOT_WRITE, file=str(beside), why=str(problem)) from problem

    def release(self) -> None:
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
