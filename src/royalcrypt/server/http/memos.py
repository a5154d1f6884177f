"""REST routes for private notes and standing orders at a table."""

from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.live.stores import Memo
from royalcrypt.live.wire.commands import Slot, WireAction, WirePlacement
from royalcrypt.live.wire.messages import Reason, reason_of
from royalcrypt.notation.moves import Action, Move
from royalcrypt.server.http.common import GivenCaller, GivenService, SeatInPath, TableInPath
from royalcrypt.server.http.tables import own_table
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
from royalcrypt.tables.texts import clean_memo


class NewMemo(msgspec.Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=8000)]
    since: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    """Field ``updated`` of the note that this one replaces; 0 if there is none."""


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


class KeepingController(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @get("/{table_id:str}/memo", operation_id="tables_memo")
    async def memo(self, table_id: TableInPath, caller: GivenCaller, service: GivenService) -> Memo:
        """Return the caller's private notes on a table."""
        await own_table(service, caller, table_id)
        return await service.memos.find(table_id, caller.person.id)

    @put("/{table_id:str}/memo", operation_id="tables_write_memo")
    async def write_memo(
        self, table_id: TableInPath, data: JSONBody[NewMemo], caller: GivenCaller, service: GivenService
    ) -> Memo:
        """Replace the caller's private notes on a table."""
        await own_table(service, caller, table_id)
        text = clean_memo(data.text)
        return await service.memos.write(
            table_id, caller.person.id, text, since=data.since, now=service.tables.now()
        )

    @get("/{table_id:str}/seats/{seat:int}/orders", operation_id="tables_orders")
    async def orders(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, service: GivenService
    ) -> OrdersAnswer:
        """Return the caller's standing orders for a seat."""
        table = await own_table(service, caller, table_id)
        commands.check_playing(table, caller.person.id, seat)
        table, standing = await service.standing_orders.find_settled(table_id, seat)
        return orders_answer(table, seat, standing)

    @put("/{table_id:str}/seats/{seat:int}/orders", operation_id="tables_give_orders")
    async def give_orders(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[NewOrders],
        caller: GivenCaller,
        service: GivenService,
    ) -> OrdersAnswer:
        """Replace the standing orders of a seat for the rest of the round."""
        await own_table(service, caller, table_id)
        standing = await service.standing_orders.give(
            table_id, seat, caller.person.id, data.given(), data.round
        )
        return orders_answer(await service.tables.table(table_id), seat, standing)

    @delete("/{table_id:str}/seats/{seat:int}/orders", operation_id="tables_withdraw_orders", status_code=200)
    async def withdraw_orders(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, service: GivenService
    ) -> OrdersAnswer:
        """Delete the standing orders of a seat."""
        table = await own_table(service, caller, table_id)
        commands.check_playing(table, caller.person.id, seat)
        standing = await service.standing_orders.withdraw(table_id, seat, caller.person.id)
        return orders_answer(await service.tables.table(table_id), seat, standing)

    @post(
        "/{table_id:str}/seats/{seat:int}/orders/check", operation_id="tables_check_orders", status_code=200
    )
    async def check_orders(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[NewOrders],
        caller: GivenCaller,
        service: GivenService,
    ) -> OrdersAnswer:
        """Check standing orders and predict their effect, without storing them."""
        table = await own_table(service, caller, table_id)
        given = data.given()
        game = service.standing_orders.check(table, seat, caller.person.id, given, data.round)
        before = await service.standing_orders.find(table, seat)
        return orders_answer(table, seat, before.with_orders(given, game, seat))


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
                action=wire_action(order.action),
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


def wire_action(action: Action) -> WireAction:
    place = tuple(WirePlacement(put.slot, put.dice, put.effort) for put in action.place)
    return WireAction(action.verb, place=place, slot=action.slot, flip=action.flip)
