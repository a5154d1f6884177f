"""REST routes for private notes and standing orders at a table."""

from litestar import Controller, delete, get, post, put
from litestar.params import JSONBody

from royalcrypt.live.operations.notes import NewMemo
from royalcrypt.live.operations.orders import NewOrders, OrdersAnswer
from royalcrypt.live.stores import Memo
from royalcrypt.server.http.common import SeatInPath, TableInPath
from royalcrypt.server.http.dependencies import GivenCaller, GivenNotes, GivenOrders


class KeepingController(Controller):
    path = "/api/tables"
    tags = ("tables",)

    @get("/{table_id:str}/memo", operation_id="tables_memo")
    async def memo(self, table_id: TableInPath, caller: GivenCaller, notes: GivenNotes) -> Memo:
        """Return the caller's private notes on a table."""
        return await notes.find(caller.person.id, table_id)

    @put("/{table_id:str}/memo", operation_id="tables_write_memo")
    async def write_memo(
        self, table_id: TableInPath, data: JSONBody[NewMemo], caller: GivenCaller, notes: GivenNotes
    ) -> Memo:
        """Replace the caller's private notes on a table."""
        return await notes.write(caller.person.id, table_id, data)

    @get("/{table_id:str}/seats/{seat:int}/orders", operation_id="tables_orders")
    async def find_orders(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, orders: GivenOrders
    ) -> OrdersAnswer:
        """Return the caller's standing orders for a seat."""
        return await orders.find(caller.person.id, table_id, seat)

    @put("/{table_id:str}/seats/{seat:int}/orders", operation_id="tables_give_orders")
    async def give_orders(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[NewOrders],
        caller: GivenCaller,
        orders: GivenOrders,
    ) -> OrdersAnswer:
        """Replace the standing orders of a seat for the rest of the round."""
        return await orders.give(caller.person.id, table_id, seat, data)

    @delete("/{table_id:str}/seats/{seat:int}/orders", operation_id="tables_withdraw_orders", status_code=200)
    async def withdraw_orders(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, orders: GivenOrders
    ) -> OrdersAnswer:
        """Delete the standing orders of a seat."""
        return await orders.withdraw(caller.person.id, table_id, seat)

    @post(
        "/{table_id:str}/seats/{seat:int}/orders/check", operation_id="tables_check_orders", status_code=200
    )
    async def check_orders(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[NewOrders],
        caller: GivenCaller,
        orders: GivenOrders,
    ) -> OrdersAnswer:
        """Check standing orders and predict their effect, without storing them."""
        return await orders.check(caller.person.id, table_id, seat, data)
