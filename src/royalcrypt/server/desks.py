"""A table in use, and moves of other processes that wait to be taken in."""

import asyncio
import time
from collections.abc import Mapping
from typing import NamedTuple

import structlog

from royalcrypt.tables.entries import decode_entry
from royalcrypt.tables.table import Table

MOST_AHEAD = 8
"""Moves of other processes that are taken in together, when somebody asks for the table."""
Words = Mapping[int | None, bytes]
"""A message by the seat whose view it shows; None for spectators."""
log = structlog.get_logger()


class Copy(NamedTuple):
    """A move that another process has kept, in its own words."""

    ply: int
    """The table's, after it."""
    line: bytes
    words: Words


class Desk:
    """A table in use."""

    __slots__ = ("_ahead", "_table", "is_unsure", "lock", "thinking", "used")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._ahead: list[bytes] = []
        """Moves that have been told here, and are not yet in the table."""
        self.is_unsure = False
        """Whether the journal may hold more than the table tells."""
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.thinking: asyncio.Task[None] | None = None

    @property
    def table(self) -> Table:
        if self._ahead:
            self._take_in()
        return self._table

    @table.setter
    def table(self, table: Table) -> None:
        self._table = table
        self._ahead.clear()

    @property
    def ply(self) -> int:
        return self._table.ply + len(self._ahead)

    @property
    def seated(self) -> Table:
        """As it was before moves that wait; the same people are at it, for a move changes nothing of that."""
        return self._table

    def follow(self, line: bytes) -> None:
        """The table as others know it is one move ahead; worked out when it is asked for."""
        self._ahead.append(line)
        if len(self._ahead) >= MOST_AHEAD:
            self._take_in()

    def _take_in(self) -> None:
        ahead, self._ahead = self._ahead, []
        try:
            for line in ahead:
                self._table = self._table.after(decode_entry(line))
        except Exception:  # whoever acts there next will read what was kept
            log.exception("a copy does not fit", table=self._table.id, ply=self._table.ply)
            self.is_unsure = True
