"""Scheduler of bots: makes their moves as long as it is their turn."""

import asyncio
import logging
from typing import Protocol

from royalcrypt.live.background import cancel_all
from royalcrypt.live.changes import Change
from royalcrypt.live.registry import TableRegistry
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.views import View
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.table import Table

SUBSTITUTE = "greedy"
"""Name of the bot that plays for people who are away."""
log = logging.getLogger(__name__)


class MoveChooser(Protocol):
    """Computes bots' moves, for example in a pool of processes."""

    async def choose(self, level: str, view: View) -> Move:
        """Return a legal move for the view's seat, by a simpler bot if ``level`` fails or is not ready."""
        ...


class BotScheduler:
    def __init__(self, tables: TableRegistry, chooser: MoveChooser | None) -> None:
        """Without a ``chooser``, bots make no moves."""
        self._tables = tables
        self._chooser = chooser
        self._running: dict[str, asyncio.Task[None]] = {}

    def on_change(self, change: Change) -> None:
        if not change.is_remote:
            self.start(change.after)

    def start(self, table: Table) -> None:
        """Start making moves at a table, unless it is nobody's turn for whom a bot plays."""
        if self._chooser is not None and table.id not in self._running and is_bots_turn(table):
            self._running[table.id] = asyncio.create_task(self._run(table.id))

    def is_running(self, table_id: str) -> bool:
        return table_id in self._running

    @property
    def running(self) -> int:
        return len(self._running)

    async def _run(self, table_id: str) -> None:
        """Make moves as long as a bot's turn lasts, with a pause before each move."""
        try:
            while (table := self._tables.in_use(table_id)) is not None and is_bots_turn(table):
                await asyncio.sleep(self._tables.pace.bot_pause / 1000)
                table = self._tables.in_use(table_id)
                if table is not None and is_bots_turn(table):
                    await self._play_for(table)
        except Refusal as refusal:  # The next sweep tries again.
            log.warning("bot could not move", extra={"table": table_id, "reason": refusal.reason})
        except Exception:
            log.exception("bot could not move", extra={"table": table_id})
        finally:
            del self._running[table_id]

    async def _play_for(self, table: Table) -> None:
        seat = table.actor
        assert self._chooser is not None  # noqa: S101 (without one, no bot moves)
        assert seat is not None and table.game is not None  # noqa: S101, PT018 (it is a bot's turn)
        level = table.seats[seat].level or SUBSTITUTE
        move = await self._chooser.choose(level, table.game.view(seat))

        def decide(found: Table, now: int) -> AnyEntry:
            if found.ply != table.ply:
                raise Refusal(Reason.STALE, ply=table.ply, now=found.ply)
            return commands.act_for(found, seat, move, now=now)

        try:
            await self._tables.change(table.id, decide)
        except Refusal as refusal:
            if refusal.reason is not Reason.STALE:  # After another change, the bot's move is computed again.
                raise

    async def close(self) -> None:
        await cancel_all(self._running.values())


def is_bots_turn(table: Table) -> bool:
    return table.actor is not None and table.is_attended and table.seats[table.actor].is_played_by_bot
