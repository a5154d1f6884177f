"""Carries standing orders out: as ordinary moves of whoever gave them, when it is their seat's decision.

Nobody else may learn that there are any. So the move takes a while, as a person's would, and meanwhile the
seat looks attended.
"""

import asyncio
import secrets
from contextlib import AbstractAsyncContextManager

import structlog

from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.game import Game
from royalcrypt.server.house import House
from royalcrypt.server.hub import Hub
from royalcrypt.storage.table_data import DueOrders, OrderStore
from royalcrypt.tables import commands, orders
from royalcrypt.tables.clocks import FOREVER
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.orders import Order, SeatOrders
from royalcrypt.tables.table import Table

SHORTEST, LONGEST = 3, 9
"""How long a person seems to think, in pauses of a bot."""
SWEEP = 2000
"""Milliseconds within which the sweeper surely comes by again."""
ARRIVES, STAYS = 2, 4
"""How long before the move somebody seems to come, and after it to go: up to so many pauses."""
chance = secrets.SystemRandom()
log = structlog.get_logger()


class StandingOrders:
    def __init__(self, house: House, book: OrderStore, hub: Hub) -> None:
        self.house = house
        self.book = book
        self.hub = hub
        self._sweeping = asyncio.Lock()
        self._due: dict[DueOrders, int] = {}
        """When each will be carried out; never, for those of which none fits."""
        self._leaving: dict[tuple[str, str], int] = {}
        """Tables and people who only seem to have them open, and until when."""

    def _alone_with(self, table_id: str) -> AbstractAsyncContextManager[None]:
        """Whoever withdraws orders can rely on it: none is carried out afterwards."""
        return self.house.journal.lock(f"orders {table_id}")

    async def of(self, table: Table, seat: int) -> SeatOrders:
        """What stands now."""
        found = await self.book.find(table.id, seat)
        return found if table.game is not None and found.are_valid(table.game, seat) else found.cancelled()

    async def settled(self, table_id: str, seat: int) -> tuple[Table, SeatOrders]:
        """The same, once nothing is being carried out: a move is told before it is noted as done by order."""
        async with self._alone_with(table_id):
            table = await self.house.table(table_id)
            return table, await self.of(table, seat)

    async def give(
        self, table_id: str, seat: int, person: str, given: tuple[Order, ...], round_number: int
    ) -> SeatOrders:
        """In place of what was ordered before. Refused when it is time to decide, or the cards are others."""
        async with self._alone_with(table_id):
            table = await self.house.table(table_id)
            game = self.check(table, seat, person, given, round_number)
            return await self._keep(
                table, seat, person, (await self.of(table, seat)).with_orders(given, game, seat)
            )

    async def withdraw(self, table_id: str, seat: int, person: str) -> SeatOrders:
        async with self._alone_with(table_id):
            table = await self.house.table(table_id)
            commands.check_own(table, person, seat)
            return await self._keep(table, seat, person, (await self.of(table, seat)).cancelled())

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
        await self.book.keep(table.id, seat, person, standing, now=self.house.now())
        return standing

    async def sweep(self) -> None:
        """Attend to seats with orders whose decision it is."""
        async with self._sweeping:
            await self._sweep()

    async def _sweep(self) -> None:
        called = await self.book.due()
        self._due = {one: due for one, due in self._due.items() if one in called}
        for one in called:
            try:
                if one not in self._due:
                    self._due[one] = await self._moment(one)
                now = self.house.now()
                if not self._comes_just_now(one, now) and self._due[one] <= now:
                    self._due[one] = FOREVER
                    await self._carry_out(one)
            except Refusal as refusal:
                log.warning("order could not be carried out", table=one.table, reason=refusal.reason)
            except Exception:
                log.exception("order could not be carried out", table=one.table)
        self._go()

    async def _moment(self, one: DueOrders) -> int:
        """When the seat will move: after as long as a person might take, but well within its time."""
        table = await self.house.table(one.table)
        if await self._choice(table, one) is None:
            return FOREVER
        now = self.house.now()
        pause = round(self.house.pace.bot_pause * chance.uniform(SHORTEST, LONGEST))
        if table.deadline is not None:
            pause = min(pause, max(0, table.deadline - now) // 2)
        return now + pause

    async def _choice(self, table: Table, one: DueOrders) -> Move | None:
        if table.actor != one.seat or table.game is None or table.seats[one.seat].is_played_by_bot:
            return None
        standing = await self.of(table, one.seat)
        return orders.choice(standing.orders, table.game, one.seat)

    async def _carry_out(self, one: DueOrders) -> None:
        async with self._alone_with(one.table):
            table = await self.house.table(one.table)
            move = await self._choice(table, one)
            if move is None:
                return

            def decide(found: Table, now: int) -> AnyEntry:
                if found.ply != table.ply:  # Whatever it was, the orders have to be read again.
                    raise Refusal(Reason.STALE, ply=table.ply, now=found.ply)
                return commands.act(found, one.person, one.seat, table.ply, move, now=now)

            standing = await self.of(table, one.seat)
            try:
                after = await self.house.change(one.table, decide)
            except Refusal as refusal:
                if refusal.reason is not Reason.STALE:
                    raise
                del self._due[one]
                return
            assert table.game is not None and after.game is not None  # noqa: S101, PT018 (it is being played)
            standing = standing.after_move(table.game, after.game, one.seat)
            await self._keep(after, one.seat, one.person, standing)

    def _comes_just_now(self, one: DueOrders, now: int) -> bool:
        """Let the seat look attended in time: a move that nobody could make tells that it was ordered."""
        due, guest = self._due[one], (one.table, one.person)
        if guest in self._leaving or due - now > self.house.pace.bot_pause * ARRIVES:
            return False
        stays = round(self.house.pace.bot_pause * chance.uniform(1, STAYS))
        self._leaving[guest] = max(due, now + SWEEP) + stays
        return self.hub.lend(*guest)

    def _go(self) -> None:
        now = self.house.now()
        for guest, until in list(self._leaving.items()):
            if until <= now:
                del self._leaving[guest]
                self.hub.take_back(*guest)

    async def purge(self) -> None:
        await self.book.purge()
