"""Execution of standing orders: moves made for a person when their seat has to decide.

Other players must not notice them, so each move is made after a human-like delay, and the person is
shown as present around it.
"""

import asyncio
import logging
import secrets
from contextlib import AbstractAsyncContextManager

from royalcrypt.live.hub import Hub
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.stores import DueOrders, StandingOrderStore
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import Game
from royalcrypt.tables import commands, orders
from royalcrypt.tables.clocks import FOREVER
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.orders import Order, SeatOrders
from royalcrypt.tables.table import Table

MIN_DELAY, MAX_DELAY = 3, 9
"""Bounds of the delay before a move, as multiples of a bot's pause."""
SWEEP_MILLISECONDS = 2000
"""Maximum time between two sweeps, in ms."""
PRESENT_BEFORE, PRESENT_AFTER = 2, 4
"""Time shown as present before and (at most) after the move, as multiples of a bot's pause."""
chance = secrets.SystemRandom()
log = logging.getLogger(__name__)


class StandingOrders:
    def __init__(self, tables: TableRegistry, book: StandingOrderStore, hub: Hub) -> None:
        self.tables = tables
        self.book = book
        self.hub = hub
        self._sweeping = asyncio.Lock()
        self._due: dict[DueOrders, int] = {}
        """Maps each seat to when its order will be executed, in ms; FOREVER if none applies."""
        self._present_until: dict[tuple[str, str], int] = {}
        """Maps table and person with assumed presence to its end, in ms since 1970."""

    def _lock(self, table_id: str) -> AbstractAsyncContextManager[None]:
        """Lock a table's orders, so that no order is executed after it was withdrawn."""
        return self.tables.journal.lock(f"orders {table_id}")

    async def find(self, table: Table, seat: int) -> SeatOrders:
        """Return the valid orders of a seat."""
        found = await self.book.find(table.id, seat)
        return found if table.game is not None and found.are_valid(table.game, seat) else found.cancelled()

    async def find_settled(self, table_id: str, seat: int) -> tuple[Table, SeatOrders]:
        """Return a table and a seat's orders after any execution in progress has been stored."""
        async with self._lock(table_id):
            table = await self.tables.table(table_id)
            return table, await self.find(table, seat)

    async def give(
        self, table_id: str, seat: int, person: str, given: tuple[Order, ...], round_number: int
    ) -> SeatOrders:
        """Replace a seat's orders; raises Refusal on its turn or outside round ``round_number``."""
        async with self._lock(table_id):
            table = await self.tables.table(table_id)
            game = self.check(table, seat, person, given, round_number)
            return await self._keep(
                table, seat, person, (await self.find(table, seat)).with_orders(given, game, seat)
            )

    async def withdraw(self, table_id: str, seat: int, person: str) -> SeatOrders:
        async with self._lock(table_id):
            table = await self.tables.table(table_id)
            commands.check_own(table, person, seat)
            return await self._keep(table, seat, person, (await self.find(table, seat)).cancelled())

    def check(
        self, table: Table, seat: int, person: str, given: tuple[Order, ...], round_number: int
    ) -> Game:
        commands.check_playing(table, person, seat)
        game = table.game
        assert game is not None  # noqa: S101 (it is being played)
        if table.actor == seat:
            raise Refusal(Reason.ORDERS_AT_TURN)
        if game.round != round_number:
            raise Refusal(Reason.OTHER_ROUND)
        orders.check(given, game.view(seat))
        return game

    async def _keep(self, table: Table, seat: int, person: str, standing: SeatOrders) -> SeatOrders:
        await self.book.keep(table.id, seat, person, standing, now=self.tables.now())
        return standing

    async def sweep(self) -> None:
        """Execute the due orders of seats that have to decide."""
        async with self._sweeping:
            called = await self.book.due()
            self._due = {one: due for one, due in self._due.items() if one in called}
            for one in called:
                try:
                    if one not in self._due:
                        self._due[one] = await self._choose_time(one)
                    now = self.tables.now()
                    if not self._begin_presence(one, now) and self._due[one] <= now:
                        self._due[one] = FOREVER
                        await self._execute(one)
                except Refusal as refusal:
                    details = {"table": one.table, "reason": refusal.reason}
                    log.warning("standing order not executed", extra=details)
                except Exception:
                    log.exception("standing order not executed", extra={"table": one.table})
            self._end_presence()

    async def _choose_time(self, one: DueOrders) -> int:
        """Return when to move: after a human-like random delay, within half of the seat's remaining time."""
        table = await self.tables.table(one.table)
        if await self._choice(table, one) is None:
            return FOREVER
        now = self.tables.now()
        pause = round(self.tables.pace.bot_pause * chance.uniform(MIN_DELAY, MAX_DELAY))
        if table.deadline is not None:
            pause = min(pause, max(0, table.deadline - now) // 2)
        return now + pause

    async def _choice(self, table: Table, one: DueOrders) -> Move | None:
        if table.actor != one.seat or table.game is None or table.seats[one.seat].is_played_by_bot:
            return None
        standing = await self.find(table, one.seat)
        return orders.choice(standing.orders, table.game, one.seat)

    async def _execute(self, one: DueOrders) -> None:
        async with self._lock(one.table):
            table = await self.tables.table(one.table)
            move = await self._choice(table, one)
            if move is None:
                return

            def decide(found: Table, now: int) -> AnyEntry:
                if found.ply != table.ply:  # The orders must be read again.
                    raise Refusal(Reason.STALE, ply=table.ply, now=found.ply)
                return commands.act(found, one.person, one.seat, table.ply, move, now=now)

            standing = await self.find(table, one.seat)
            try:
                after = (await self.tables.change(one.table, decide)).after
            except Refusal as refusal:
                if refusal.reason is not Reason.STALE:
                    raise
                del self._due[one]
                return
            assert table.game is not None and after.game is not None  # noqa: S101, PT018 (it is being played)
            standing = standing.after_move(table.game, after.game, one.seat)
            await self._keep(after, one.seat, one.person, standing)

    def _begin_presence(self, one: DueOrders, now: int) -> bool:
        """Show the person as present shortly before the move; returns whether this has just begun."""
        due, key = self._due[one], (one.table, one.person)
        if key in self._present_until or due - now > self.tables.pace.bot_pause * PRESENT_BEFORE:
            return False
        stays = round(self.tables.pace.bot_pause * chance.uniform(1, PRESENT_AFTER))
        self._present_until[key] = max(due, now + SWEEP_MILLISECONDS) + stays
        return self.hub.assume_presence(*key)

    def _end_presence(self) -> None:
        now = self.tables.now()
        for key, until in list(self._present_until.items()):
            if until <= now:
                del self._present_until[key]
                self.hub.end_assumed_presence(*key)

    async def purge(self) -> None:
        await self.book.purge()
