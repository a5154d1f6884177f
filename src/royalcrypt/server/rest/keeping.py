"""What somebody keeps at a table for themselves, told to nobody else: notes, and standing orders."""

from typing import Annotated

import msgspec
from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody
from msgspec import Meta

from royalcrypt.notation.moves import Action, Move
from royalcrypt.server.rest.common import GivenKnown, GivenService, SeatInPath, TableInPath
from royalcrypt.server.rest.tables import own_table
from royalcrypt.server.wire.commands import Slot, WireAction, WirePlacement
from royalcrypt.server.wire.messages import Reason, reason_of
from royalcrypt.storage.table_data import Memo
from royalcrypt.tables import commands
from royalcrypt.tables.orders import (
    MOST_ORDERS,
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
    """``updated`` of what it replaces; 0 for none."""


class WireOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In this case, this action."""

    when: When
    action: WireAction
    slot: Slot | None = None
    """The card that the case is about, if it is about one."""

    def order(self) -> Order:
        return Order(self.when, self.slot, str(Move((self.action.action(),))))


class NewOrders(msgspec.Struct, forbid_unknown_fields=True):
    round: Annotated[int, Meta(ge=1, le=9)]
    """The round whose cards they mean."""
    orders: Annotated[tuple[WireOrder, ...], Meta(max_length=64)]

    def given(self) -> tuple[Order, ...]:
        return tuple(order.order() for order in self.orders)


class OrderTold(msgspec.Struct):
    """An order, and what would come of it now."""

    when: When
    action: WireAction
    slot: int | None
    is_so: bool
    """Whether its case has come about."""
    objection: Reason | None
    """Why it could not be done on the next turn, if its case came about and nothing else changed."""


class OrdersAnswer(msgspec.Struct):
    round: int
    can_give: bool
    """Not while it is this seat's decision."""
    turns_left: int
    """In this round."""
    most: int
    orders: list[OrderTold]
    done: list[Deed]
    """What was done by orders in this game."""


class KeepingController(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @get("/{table_id:str}/memo", operation_id="tables_memo", summary="My notes on a table")
    async def memo(self, table_id: TableInPath, known: GivenKnown, service: GivenService) -> Memo:
        await own_table(service, known, table_id)
        return await service.memos.find(table_id, known.person.id)

    @put("/{table_id:str}/memo", operation_id="tables_write_memo", summary="Write my notes on a table")
    async def write_memo(
        self, table_id: TableInPath, data: JSONBody[NewMemo], known: GivenKnown, service: GivenService
    ) -> Memo:
        await own_table(service, known, table_id)
        text = clean_memo(data.text)
        return await service.memos.write(
            table_id, known.person.id, text, since=data.since, now=service.house.now()
        )

    @get(
        "/{table_id:str}/seats/{seat:int}/orders",
        operation_id="tables_orders",
        summary="My standing orders for a seat",
    )
    async def orders(
        self, table_id: TableInPath, seat: SeatInPath, known: GivenKnown, service: GivenService
    ) -> OrdersAnswer:
        table = await own_table(service, known, table_id)
        commands.check_playing(table, known.person.id, seat)
        table, standing = await service.orders.settled(table_id, seat)
        return told(table, seat, standing)

    @put(
        "/{table_id:str}/seats/{seat:int}/orders",
        operation_id="tables_give_orders",
        summary="Give standing orders for the rest of the round",
    )
    async def give_orders(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[NewOrders],
        known: GivenKnown,
        service: GivenService,
    ) -> OrdersAnswer:
        await own_table(service, known, table_id)
        standing = await service.orders.give(table_id, seat, known.person.id, data.given(), data.round)
        return told(await service.house.table(table_id), seat, standing)

    @delete(
        "/{table_id:str}/seats/{seat:int}/orders",
        operation_id="tables_withdraw_orders",
        summary="Withdraw standing orders",
        status_code=200,
    )
    async def withdraw_orders(
        self, table_id: TableInPath, seat: SeatInPath, known: GivenKnown, service: GivenService
    ) -> OrdersAnswer:
        table = await own_table(service, known, table_id)
        commands.check_playing(table, known.person.id, seat)
        standing = await service.orders.withdraw(table_id, seat, known.person.id)
        return told(await service.house.table(table_id), seat, standing)

    @post(
        "/{table_id:str}/seats/{seat:int}/orders/check",
        operation_id="tables_check_orders",
        summary="What would come of standing orders; nothing is kept",
        status_code=200,
    )
    async def check_orders(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[NewOrders],
        known: GivenKnown,
        service: GivenService,
    ) -> OrdersAnswer:
        table = await own_table(service, known, table_id)
        given = data.given()
        game = service.orders.check(table, seat, known.person.id, given, data.round)
        before = await service.orders.of(table, seat)
        return told(table, seat, before.with_orders(given, game, seat))


def told(table: Table, seat: int, standing: SeatOrders) -> OrdersAnswer:
    game = table.game
    assert game is not None  # noqa: S101 (only who plays is answered)
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
        most=MOST_ORDERS,
        orders=orders,
        done=list(standing.done),
    )


def wire_action(action: Action) -> WireAction:
    place = tuple(WirePlacement(put.slot, put.dice, put.effort) for put in action.place)
    return WireAction(action.verb, place=place, slot=action.slot, flip=action.flip)
