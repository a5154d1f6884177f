"""REST routes for tables: open, sit, start, leave, return, rematch and records."""

from contextlib import nullcontext
from functools import partial
from typing import Annotated

from litestar import Controller, Response, delete, get, post, put
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from royalcrypt.live.wire.messages import GameLine, LobbyPage
from royalcrypt.live.wire.tables import BotSitting, Entering, NewTable, Recap, Sitting, TableAnswer
from royalcrypt.server.http.callers import source_of
from royalcrypt.server.http.common import (
    AnyRequest,
    InviteHeader,
    SeatInPath,
    TableInPath,
    download,
    limit_invites,
)
from royalcrypt.server.http.dependencies import (
    GivenCaller,
    GivenCallers,
    GivenDownloads,
    GivenLimits,
    GivenLists,
    GivenNewTables,
    GivenPeers,
    GivenPrograms,
    GivenRecords,
    GivenTableLimits,
    GivenTables,
)
from royalcrypt.tables.entries import Sitter
from royalcrypt.tables.listings import TableInfo

CURSOR = r"^([0-2]-[0-9]{1,15}-[A-Za-z0-9_-]{6,32})?$(?!\n)"
LobbyCursor = Annotated[
    str, Meta(pattern=CURSOR), QueryParameter(name="after", required=False, pattern=CURSOR)
]


class TablesController(Controller):
    path = "/api"
    tags = ("tables",)

    @get("/bots", operation_id="tables_bots")
    async def bots(self, tables: GivenTables) -> list[str]:
        """List the bots that can be given a seat, weakest first."""
        return tables.bots()

    @get("/tables", operation_id="tables_lobby")
    async def lobby(self, request: AnyRequest, callers: GivenCallers, lists: GivenLists) -> list[TableInfo]:
        """List the tables in the lobby: the first page."""
        await callers.check_stranger(request)
        return (await lists.lobby()).tables

    @get("/lobby", operation_id="tables_lobby_page")
    async def lobby_page(
        self, request: AnyRequest, callers: GivenCallers, lists: GivenLists, after: LobbyCursor = ""
    ) -> LobbyPage:
        """List one page of the tables in the lobby, those that can be joined first."""
        await callers.check_stranger(request)
        return await lists.lobby(after or None)

    @post("/tables", operation_id="tables_open")
    async def open(
        self,
        request: AnyRequest,
        data: JSONBody[NewTable],
        caller: GivenCaller,
        table_limits: GivenTableLimits,
        new_tables: GivenNewTables,
    ) -> TableAnswer:
        """Open a table."""
        address = source_of(request)
        is_waiting = data.settings.is_listed and not data.start
        async with table_limits.turn(caller, address) if is_waiting else nullcontext():
            await table_limits.check_new(caller, address, is_listed=is_waiting)
            opened = await new_tables.open(caller.sitter, data)
            table_limits.on_opened(caller, address, opened.info)
        return opened

    @get("/tables/{table_id:str}", operation_id="tables_look")
    async def look(
        self,
        table_id: TableInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        tables: GivenTables,
        invite: InviteHeader = None,
    ) -> TableAnswer:
        """Return a table."""
        limit_invites(limits, caller, invite)
        return await tables.look(caller.person.id, table_id, invite)

    @post("/tables/{table_id:str}/seats/{seat:int}", operation_id="tables_sit", status_code=200)
    async def sit(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[Sitting],
        caller: GivenCaller,
        limits: GivenLimits,
        table_limits: GivenTableLimits,
        tables: GivenTables,
        invite: InviteHeader = None,
    ) -> TableAnswer:
        """Take a seat."""
        limit_invites(limits, caller, invite)
        check = partial(table_limits.check_seats, caller.person.id, is_program=caller.keeper is not None)
        return await tables.sit(caller.sitter, table_id, seat, data, invite, check=check)

    @delete("/tables/{table_id:str}/seats/{seat:int}", operation_id="tables_free", status_code=200)
    async def free(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, tables: GivenTables
    ) -> TableAnswer:
        """Leave one's own seat, or clear another seat as the table's owner."""
        return await tables.free(caller.person.id, table_id, seat)

    @put("/tables/{table_id:str}/seats/{seat:int}/bot", operation_id="tables_seat_bot")
    async def seat_bot(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[BotSitting],
        caller: GivenCaller,
        tables: GivenTables,
    ) -> TableAnswer:
        """Give a seat to a bot."""
        return await tables.seat_bot(caller.person.id, table_id, seat, data)

    @post(
        "/tables/{table_id:str}/seats/{seat:int}/hand-over", operation_id="tables_hand_over", status_code=200
    )
    async def hand_over(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        caller: GivenCaller,
        peers: GivenPeers,
        tables: GivenTables,
    ) -> TableAnswer:
        """Hand an absent player's seat to a bot."""
        elsewhere = await peers.people_elsewhere(table_id)
        return await tables.hand_over(caller.person.id, table_id, seat, elsewhere)

    @post("/tables/{table_id:str}/start", operation_id="tables_start", status_code=200)
    async def start(self, table_id: TableInPath, caller: GivenCaller, tables: GivenTables) -> TableAnswer:
        """Start the game."""
        return await tables.start(caller.person.id, table_id)

    @post("/tables/{table_id:str}/leave", operation_id="tables_leave", status_code=200)
    async def leave(self, table_id: TableInPath, caller: GivenCaller, tables: GivenTables) -> TableAnswer:
        """Leave a table; in a running game a bot takes over the caller's seats."""
        return await tables.leave(caller.person.id, table_id)

    @post("/tables/{table_id:str}/return", operation_id="tables_come_back", status_code=200)
    async def come_back(self, table_id: TableInPath, caller: GivenCaller, tables: GivenTables) -> Recap:
        """Take the caller's seats back from the bot."""
        return await tables.come_back(caller.person.id, table_id)

    @post("/tables/{table_id:str}/close", operation_id="tables_close", status_code=200)
    async def close(self, table_id: TableInPath, caller: GivenCaller, tables: GivenTables) -> TableAnswer:
        """Close a table that has not started."""
        return await tables.close(caller.person.id, table_id)

    @post("/tables/{table_id:str}/rematch", operation_id="tables_rematch", status_code=200)
    async def rematch(
        self,
        request: AnyRequest,
        table_id: TableInPath,
        data: JSONBody[Entering],
        caller: GivenCaller,
        programs: GivenPrograms,
        table_limits: GivenTableLimits,
        new_tables: GivenNewTables,
    ) -> TableAnswer:
        """Open a rematch with the same people; the next player becomes the Leader."""
        person, address = caller.person, source_of(request)
        joining = [Sitter(one.id, one.name, person.name) for one in await programs.of(person.id)]
        async with table_limits.turn(caller, address):
            check = partial(table_limits.check_new, caller, address)
            joined = await new_tables.rematch(caller.sitter, table_id, data, check=check, programs=joining)
            table_limits.on_opened(caller, address, joined.info)
        return joined

    @get("/tables/{table_id:str}/record", operation_id="tables_record", media_type="application/json")
    async def record(
        self,
        table_id: TableInPath,
        caller: GivenCaller,
        limits: GivenLimits,
        records: GivenRecords,
        invite: InviteHeader = None,
    ) -> Response[bytes]:
        """Return a game's record; that of a running game contains only what the caller may know."""
        limit_invites(limits, caller, invite)
        return download(await records.of_table(caller.person.id, table_id, invite), f"{table_id}.json")

    @get("/me/games", operation_id="tables_my_games")
    async def my_games(self, caller: GivenCaller, lists: GivenLists) -> list[GameLine]:
        """List the caller's open and running games, then recently finished ones."""
        return await lists.all_games_of(caller.person.id)

    @get("/me/records", operation_id="tables_my_records", media_type="application/x-ndjson")
    async def my_records(self, caller: GivenCaller, downloads: GivenDownloads) -> Response[bytes]:
        """Download the records of the caller's finished games, one JSON object per line."""
        return download(await downloads.records(caller.person.id), "records.jsonl")
