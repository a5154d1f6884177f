"""Deadlines: expired clocks, abandoned tables, and bots' turns that no process serves."""

import logging

from royalcrypt.live.bot_scheduler import BotScheduler, is_bots_turn
from royalcrypt.live.registry import NotDue, TableRegistry
from royalcrypt.notation.reasons import Refusal
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.listings import due_at
from royalcrypt.tables.table import Table

RETRY_MILLISECONDS = 3_600_000
"""Retry delay, in ms, for a table that failed to load."""
log = logging.getLogger(__name__)


class Deadlines:
    def __init__(self, tables: TableRegistry, bots: BotScheduler) -> None:
        self._tables = tables
        self._bots = bots

    async def sweep(self, *, most: int = 200) -> int:
        """Handle up to ``most`` due tables; returns how many were due."""
        tables = self._tables
        found = await tables.journal.due(tables.now(), most=most + self._bots.running)
        for table_id in found:
            try:
                await self._handle(table_id)
            except Refusal as refusal:
                log.warning("due table not handled", extra={"table": table_id, "reason": refusal.reason})
            except Exception:  # An unreadable table must not stop the others.
                log.exception("due table not handled", extra={"table": table_id})
                await tables.journal.postpone(table_id, tables.now() + RETRY_MILLISECONDS)
        return len(found)

    async def _handle(self, table_id: str) -> None:
        table = await self._tables.table(table_id)
        if is_bots_turn(table):
            self._bots.start(table)
            return
        try:
            await self._tables.change(table_id, self._decide)
        except NotDue:
            await self._tables.postpone(table_id)

    def _decide(self, table: Table, now: int) -> AnyEntry:
        """Return the entry for an expired clock or an abandoned table; raises NotDue if neither applies."""
        due = due_at(table, self._tables.pace)
        if due is None or now < due or is_bots_turn(table):
            raise NotDue
        return commands.run_out(table, now=now) or commands.close(table, why="abandoned", now=now)
