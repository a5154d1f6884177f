"""Standing orders of a seat: give, withdraw and check them."""

from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.live.access import own_table
from royalcrypt.live.registry import TableRegistry
from royalcrypt.live.standing_orders import StandingOrders
from royalcrypt.live.wire.commands import Slot, WireAction
from royalcrypt.live.wire.messages import Reason, reason_of
from royalcrypt.notation.moves import Move
from royalcrypt.tables import commands
from royalcrypt.tables.orders import (
    MAX_ORDERS,
    Deed,
    Order,
    SeatOrders,
    Situation,
    When,
    objection,
    turns_left,
)
from royalcrypt.tables.table import Table


class WireOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One standing order: a condition and an action."""

    when: When
    action: WireAction
    slot: Slot | None = None
    """Slot of the card that the condition is about, if any."""

    def order(self) -> Order:
        return Order(self.when, self.slot, str(Move((self.action.action(),))))


class NewOrders(msgspec.Struct, forbid_unknown_fields=True):
    round: Annotated[int, Meta(ge=1, le=9)]
    """Number of the round in which the orders apply."""
    orders: Annotated[tuple[WireOrder, ...], Meta(max_length=64)]

    def given(self) -> tuple[Order, ...]:
        return tuple(order.order() for order in self.orders)


class OrderTold(msgspec.Struct):
    """A standing order, with whether its condition and its action hold now."""

    when: When
    action: WireAction
    slot: int | None
    is_so: bool
    """Whether the condition is true now."""
    objection: Reason | None
    """Why the action would be illegal on the next turn if nothing else changed; None if legal."""


class OrdersAnswer(msgspec.Struct):
    round: int
    can_give: bool
    """Whether orders may be changed now; false while it is this seat's turn."""
    turns_left: int
    """Number of this seat's remaining turns in this round."""
    most: int
    orders: list[OrderTold]
    done: list[Deed]
    """Moves that standing orders have made in this game."""


class OrderOperations:
    def __init__(self, tables: TableRegistry, standing_orders: StandingOrders) -> None:
        self._tables = tables
        self._orders = standing_orders

    async def find(self, person: str, table_id: str, seat: int) -> OrdersAnswer:
        await self._check_playing(person, table_id, seat)
        table, standing = await self._orders.find_settled(table_id, seat)
        return orders_answer(table, seat, standing)

    async def give(self, person: str, table_id: str, seat: int, data: NewOrders) -> OrdersAnswer:
        """Replace the standing orders of a seat for the rest of the round."""
        await own_table(self._tables, person, table_id)
        standing = await self._orders.give(table_id, seat, person, data.given(), data.round)
        return orders_answer(await self._tables.table(table_id), seat, standing)

    async def withdraw(self, person: str, table_id: str, seat: int) -> OrdersAnswer:
        await self._check_playing(person, table_id, seat)
        standing = await self._orders.withdraw(table_id, seat, person)
        return orders_answer(await self._tables.table(table_id), seat, standing)

    async def check(self, person: str, table_id: str, seat: int, data: NewOrders) -> OrdersAnswer:
        """Predict the effect of standing orders, without storing them."""
        table = await own_table(self._tables, person, table_id)
        given = data.given()
        game = self._orders.check(table, seat, person, given, data.round)
        before = await self._orders.find(table, seat)
        return orders_answer(table, seat, before.with_orders(given, game, seat))

    async def _check_playing(self, person: str, table_id: str, seat: int) -> None:
        commands.check_playing(await own_table(self._tables, person, table_id), person, seat)


def orders_answer(table: Table, seat: int, standing: SeatOrders) -> OrdersAnswer:
    game = table.game
    assert game is not None  # noqa: S101 (callers have checked that a game is running)
    situation = Situation.of(game, seat)
    orders: list[OrderTold] = []
    for order in standing.orders:
        refusal = objection(order, game, seat)
        orders.append(
            OrderTold(
                when=order.when,
                action=WireAction.of(order.action),
                slot=order.slot,
                is_so=situation.is_met(order),
                objection=None if refusal is None else reason_of(refusal),
            )
        )
    return OrdersAnswer(
        round=game.round,
        can_give=table.actor not in (None, seat),
        turns_left=turns_left(situation.view, seat),
        most=MAX_ORDERS,
        orders=orders,
        done=list(standing.done),
    )
