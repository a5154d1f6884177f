"""What the rest of the storage asks of a database, whichever it is."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from royalcrypt.tables.journal import Line

T = TypeVar("T")


class Database(Protocol):
    async def append(self, line: Line) -> None:
        """Keep a line of a journal; as in ``royalcrypt.tables.journal.Journal``."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do work in a transaction of its own, and return once its changes are on the disk.

        An exception of the work undoes it. Raises NotKept, and then nothing was kept.
        """
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do work that changes nothing; it sees everything that was acknowledged before it was asked for."""
        ...

    async def cleanse(self) -> None:
        """Leave no byte in the file of what was deleted or replaced before. Raises NotKept."""
        ...

    async def close(self) -> None:
        """Finish what was handed in, and let go of the database."""
        ...
