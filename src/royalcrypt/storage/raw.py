"""As much of apsw as is used here. Its own stubs name a type that Python 3.11 does not have."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import apsw

Row = tuple[Any, ...]
BUSY = 2000


class RawCursor(Protocol):
    exec_trace: Callable[[Any, str, Any], bool] | None
    get: Any
    """The first value of the first row, or None."""

    def execute(self, statement: str, bindings: Sequence[object] = (), /) -> "RawCursor": ...
    def executemany(self, statement: str, bindings: Iterable[Sequence[object]], /) -> "RawCursor": ...
    def fetchone(self) -> Row | None: ...
    def fetchall(self) -> list[Row]: ...
    def get_description(self) -> Sequence[tuple[str, str]]: ...
    def close(self, force: bool = False) -> None: ...  # noqa: FBT001, FBT002 (as it is in apsw)
    def __iter__(self) -> Iterator[Row]: ...


class RawBackup(Protocol):
    def step(self) -> bool: ...


class Raw(Protocol):
    in_transaction: bool

    def execute(self, statement: str, bindings: Sequence[object] = (), /) -> RawCursor: ...
    def cursor(self) -> RawCursor: ...
    def pragma(self, name: str, value: str | int | None = None) -> Any: ...
    def backup(self, into: str, source: "Raw", of: str, /) -> AbstractContextManager[RawBackup]: ...
    def changes(self) -> int: ...
    def total_changes(self) -> int: ...
    def last_insert_rowid(self) -> int: ...
    def set_busy_timeout(self, milliseconds: int, /) -> None: ...
    def close(self, force: bool = False) -> None: ...  # noqa: FBT001, FBT002 (as it is in apsw)


def open_raw(path: Path, *, vfs: str | None = None, busy: int = BUSY) -> Raw:
    """As SQLite opens it: nothing is altered yet. Whoever locks it is waited for, so many ms."""
    anyhow: Any = apsw
    raw: Raw = anyhow.Connection(str(path), vfs=vfs)
    raw.set_busy_timeout(busy)
    return raw
