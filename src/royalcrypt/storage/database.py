"""What the rest of the storage asks of a database, whichever it is."""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection

from royalcrypt.tables.journal import Line

T = TypeVar("T")


class Entry(NamedTuple):
    """A line of a journal as it is kept."""

    table: str
    ply: int
    content: bytes


class Changed(NamedTuple):
    mark: int
    """Where to go on the next time."""
    plies: dict[str, int]
    """Of tables with new entries, how many each has."""
    newest_line: int = 0
    """The number of what was last said at a table,"""
    newest_notice: int = 0
    """and of the last notice."""


class Database(Protocol):
    @property
    def is_shared(self) -> bool:
        """Whether other processes may write, too."""
        ...

    async def append(self, line: Line) -> None:
        """Keep a line of a journal; as in ``royalcrypt.tables.journal.Journal``."""
        ...

    async def entries(self, since: Mapping[str, int]) -> list[Entry]:
        """Lines of several journals, of each from a ply on, in order."""
        ...

    async def changed(self, mark: int) -> Changed:
        """Tables whose journal has grown since an earlier mark; some may be told twice, none is missed."""
        ...

    async def due(self, now: int, *, most: int) -> list[str]:
        """Tables that need the server by now, the longest waiting first. Where several processes ask, each is
        told to one of them, and to others only some seconds later, if it is still due then."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do work in a transaction of its own, and return once its changes are on the disk.

        An exception of the work undoes it. Raises NotKept, and then nothing was kept.
        """
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do work that changes nothing; it sees everything that was acknowledged before it was asked for, and
        nothing that came while it was done."""
        ...

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """The same for what is asked in one statement: it needs no transaction around it."""
        ...

    def alone(self, name: str) -> AbstractAsyncContextManager[None]:
        """One at a time for each name, in whatever process, where what is done takes several steps."""
        ...

    async def cleanse(self) -> None:
        """Leave no byte that is ours to remove of what was deleted or replaced before. Raises NotKept."""
        ...

    async def close(self) -> None:
        """Finish what was handed in, and let go of the database."""
        ...
