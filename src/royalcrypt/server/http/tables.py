"""REST routes for tables: open, sit, start, leave, return, rematch and records."""

from functools import partial

from litestar import Controller, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from royalcrypt.live.lists import Lists
from royalcrypt.live.operations.new_tables import NewTables
from royalcrypt.live.operations.records import Downloads, GameRecords
from royalcrypt.live.operations.tables import TableOperations
from royalcrypt.live.wire.messages import GameLine
from royalcrypt.live.wire.tables import BotSitting, Entering, NewTable, Recap, Sitting, TableAnswer
from royalcrypt.server.cluster.peer_bus import PeerBus
from royalcrypt.server.http.callers import Callers
from royalcrypt.server.http.common import (
    AnyRequest,
    GivenCaller,
    GivenLimits,
    InviteHeader,
    SeatInPath,
    TableInPath,
    download,
    limit_invites,
)
from royalcrypt.server.http.table_limits import TableLimits
from royalcrypt.storage.people import Programs
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.listings import TableInfo

GivenTables = NamedDependency[TableOperations]
GivenNewTables = NamedDependency[NewTables]
GivenTableLimits = NamedDependency[TableLimits]


class TablesController(Controller):
    path = "/api"
    tags = ("tables",)

    @get("/bots", operation_id="tables_bots")
    async def bots(self, table_operations: GivenTables) -> list[str]:
        """List the bots that can be given a seat, weakest first."""
        return table_operations.bots()

    @get("/tables", operation_id="tables_lobby")
    async def lobby(
        self, request: AnyRequest, callers: NamedDependency[Callers], lists: NamedDependency[Lists]
    ) -> list[TableInfo]:
        """List the tables in the lobby."""
        await callers.check_stranger(request)
        return await lists.lobby()

    @post("/tables", operation_id="tables_open")
    async def open(
        self,
        data: JSONBody[NewTable],
        caller: GivenCaller,
        table_limits: GivenTableLimits,
        new_tables: GivenNewTables,
    ) -> TableAnswer:
        """Open a table."""
        await table_limits.check_new(caller, is_listed=data.settings.is_listed)
        return await new_tables.open(caller.sitter, data)

    @get("/tables/{table_id:str}", operation_id="tables_look")
    async def look(
        self,
        table_id: TableInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        table_operations: GivenTables,
        invite: InviteHeader = None,
    ) -> TableAnswer:
        """Return a table."""
        limit_invites(limits, caller, invite)
        return await table_operations.look(caller.person.id, table_id, invite)

    @post("/tables/{table_id:str}/seats/{seat:int}", operation_id="tables_sit", status_code=200)
    async def sit(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[Sitting],
        caller: GivenCaller,
        limits: GivenLimits,
        table_limits: GivenTableLimits,
        table_operations: GivenTables,
        invite: InviteHeader = None,
    ) -> TableAnswer:
        """Take a seat."""
        limit_invites(limits, caller, invite)
        check = partial(table_limits.check_seats, caller.person.id, is_program=caller.keeper is not None)
        return await table_operations.sit(caller.sitter, table_id, seat, data, invite, check=check)

    @delete("/tables/{table_id:str}/seats/{seat:int}", operation_id="tables_free", status_code=200)
    async def free(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, table_operations: GivenTables
    ) -> TableAnswer:
        """Leave one's own seat, or clear another seat as the table's owner."""
        return await table_operations.free(caller.person.id, table_id, seat)

    @put("/tables/{table_id:str}/seats/{seat:int}/bot", operation_id="tables_seat_bot")
    async def seat_bot(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[BotSitting],
        caller: GivenCaller,
        table_operations: GivenTables,
    ) -> TableAnswer:
        """Give a seat to a bot."""
        return await table_operations.seat_bot(caller.person.id, table_id, seat, data)

    @post(
        "/tables/{table_id:str}/seats/{seat:int}/hand-over", operation_id="tables_hand_over", status_code=200
    )
    async def hand_over(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        caller: GivenCaller,
        peers: NamedDependency[PeerBus],
        table_operations: GivenTables,
    ) -> TableAnswer:
        """Hand an absent player's seat to a bot."""
        elsewhere = await peers.people_elsewhere(table_id)
        return await table_operations.hand_over(caller.person.id, table_id, seat, elsewhere)

    @post("/tables/{table_id:str}/start", operation_id="tables_start", status_code=200)
    async def start(
        self, table_id: TableInPath, caller: GivenCaller, table_operations: GivenTables
    ) -> TableAnswer:
        """Start the game."""
        return await table_operations.start(caller.person.id, table_id)

    @post("/tables/{table_id:str}/leave", operation_id="tables_leave", status_code=200)
    async def leave(
        self, table_id: TableInPath, caller: GivenCaller, table_operations: GivenTables
    ) -> TableAnswer:
        """Leave a table; in a running game a bot takes over the caller's seats."""
        return await table_operations.leave(caller.person.id, table_id)

    @post("/tables/{table_id:str}/return", operation_id="tables_come_back", status_code=200)
    async def come_back(
        self, table_id: TableInPath, caller: GivenCaller, table_operations: GivenTables
    ) -> Recap:
        """Take the caller's seats back from the bot."""
        return await table_operations.come_back(caller.person.id, table_id)

    @post("/tables/{table_id:str}/close", operation_id="tables_close", status_code=200)
    async def close(
        self, table_id: TableInPath, caller: GivenCaller, table_operations: GivenTables
    ) -> TableAnswer:
        """Close a table that has not started."""
        return await table_operations.close(caller.person.id, table_id)

    @post("/tables/{table_id:str}/rematch", operation_id="tables_rematch", status_code=200)
    async def rematch(
        self,
        table_id: TableInPath,
        data: JSONBody[Entering],
        caller: GivenCaller,
        programs: NamedDependency[Programs],
        table_limits: GivenTableLimits,
        new_tables: GivenNewTables,
    ) -> TableAnswer:
        """Open a rematch with the same people; the next player becomes the Leader."""
        person = caller.person
        joining = [Sitter(one.id, one.name, person.name) for one in await programs.of(person.id)]
        check = partial(table_limits.check_number, caller)
        return await new_tables.rematch(caller.sitter, table_id, data, check=check, programs=joining)

    @get("/tables/{table_id:str}/record", operation_id="tables_record", media_type="application/json")
    async def record(
        self,
        table_id: TableInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        records: NamedDependency[GameRecords],
        invite: InviteHeader = None,
    ) -> Response[bytes]:
        """Return a game's record; that of a running game contains only what the caller may know."""
        limit_invites(limits, caller, invite)
        return download(await records.of_table(caller.person.id, table_id, invite), f"{table_id}.json")

    @get("/me/games", operation_id="tables_my_games")
    async def my_games(self, caller: GivenCaller, lists: NamedDependency[Lists]) -> list[GameLine]:
        """List the caller's open and running games, then recently finished ones."""
        return await lists.all_games_of(caller.person.id)

    @get("/me/records", operation_id="tables_my_records", media_type="application/x-ndjson")
    async def my_records(self, caller: GivenCaller, downloads: NamedDependency[Downloads]) -> Response[bytes]:
        """Download the records of the caller's finished games, one JSON object per line."""
        return download(await downloads.records(caller.person.id), "records.jsonl")
