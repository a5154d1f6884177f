"""REST routes for tables: open, sit, start, leave, return, rematch and records."""

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.params import JSONBody

from royalcrypt.live.access import admit, belongs, only_seat, seat_shown
from royalcrypt.live.changes import TableCommand
from royalcrypt.live.lists import game_line_of
from royalcrypt.live.seals import visible_record, visible_stored_record
from royalcrypt.live.updates import events_json, you_at
from royalcrypt.live.wire.messages import EventOnTheWire, GameLine, You, raw_json
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.common import (
    AnyRequest,
    GivenCaller,
    GivenService,
    InviteHeader,
    SeatInPath,
    TableInPath,
    caller_of,
    download,
    require_person,
)
from royalcrypt.server.http.rate_limits import WATCH
from royalcrypt.server.http.table_creation import (
    Entropy,
    Name,
    NewTable,
    check_new,
    check_own_limit,
    check_table_limit,
    dry_run,
    open_rematch,
    seating,
    sitter_of,
    sitting,
    sittings,
    starting,
)
from royalcrypt.server.service import Service
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import TableInfo, table_info
from royalcrypt.tables.settings import BotName
from royalcrypt.tables.table import Table


class Sitting(msgspec.Struct, forbid_unknown_fields=True):
    entropy: Entropy = ""
    name: Name | None = None
    """Name of another person who shares the caller's screen; None for the caller."""


class Entering(msgspec.Struct, forbid_unknown_fields=True):
    entropy: Entropy = ""


class BotSitting(msgspec.Struct, forbid_unknown_fields=True):
    level: BotName


class TableAnswer(msgspec.Struct):
    info: TableInfo
    you: You
    ply: int


class Recap(msgspec.Struct):
    """What happened while a bot played for the caller."""

    table: TableAnswer
    events: list[EventOnTheWire]


def answer(table: Table, person: str) -> TableAnswer:
    return TableAnswer(table_info(table), you_at(table, person, only_seat(table, person)), table.ply)


class TablesController(Controller):
    path = "/api"
    tags = ("tables",)

    @get("/bots", operation_id="tables_bots")
    async def bots(self, service: GivenService) -> list[str]:
        """List the bots that can be given a seat, weakest first."""
        return service.bot_names()

    @get("/tables", operation_id="tables_lobby")
    async def lobby(self, request: AnyRequest, service: GivenService) -> list[TableInfo]:
        """List the tables in the lobby."""
        if service.host_rules.is_invite_only and await caller_of(request) is None:
            raise Refusal(Reason.INVITE_ONLY)
        listings = await service.journal.listings((Status.OPEN, Status.RUNNING))
        return [raw_json(listing.info) for listing in listings]

    @post("/tables", operation_id="tables_open")
    async def open(self, data: JSONBody[NewTable], caller: GivenCaller, service: GivenService) -> TableAnswer:
        """Open a table."""
        await check_new(service, caller, data.settings)
        opened = commands.open_table(data.settings, caller.person.id, now=service.tables.now())
        dry_run(data, caller, opened)
        table = await service.tables.open(opened)
        for decide in sittings(data, caller):
            table = (await service.tables.change(table.id, decide)).after
        if data.start:
            table = (await service.tables.change(table.id, starting(caller))).after
        return answer(table, caller.person.id)

    @get("/tables/{table_id:str}", operation_id="tables_look")
    async def look(
        self, table_id: TableInPath, caller: GivenCaller, service: GivenService, invite: InviteHeader = None
    ) -> TableAnswer:
        """Return a table."""
        return answer(await visible_table(service, caller, table_id, invite), caller.person.id)

    @post("/tables/{table_id:str}/seats/{seat:int}", operation_id="tables_sit", status_code=200)
    async def sit(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[Sitting],
        caller: GivenCaller,
        service: GivenService,
        invite: InviteHeader = None,
    ) -> TableAnswer:
        """Take a seat."""
        table = await visible_table(service, caller, table_id, invite)
        if not belongs(table, caller.person.id):
            await check_own_limit(service, caller.person.id, is_program=caller.keeper is not None)
        decide = sitting(caller, seat, data.entropy, data.name)
        async with service.duplicate_service.seat_lock(table):
            await service.duplicate_service.check_seat(table, caller.person.id)
            made = await service.tables.change(table_id, decide)
        return answer(made.after, caller.person.id)

    @delete("/tables/{table_id:str}/seats/{seat:int}", operation_id="tables_free", status_code=200)
    async def free(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, service: GivenService
    ) -> TableAnswer:
        """Leave one's own seat, or clear another seat as the table's owner."""
        return await self._change(
            service,
            caller,
            table_id,
            lambda table, now: commands.free_seat(table, caller.person.id, seat, now=now),
        )

    @put("/tables/{table_id:str}/seats/{seat:int}/bot", operation_id="tables_seat_bot")
    async def seat_bot(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[BotSitting],
        caller: GivenCaller,
        service: GivenService,
    ) -> TableAnswer:
        """Give a seat to a bot."""
        return await self._change(
            service,
            caller,
            table_id,
            lambda table, now: commands.seat_bot(table, caller.person.id, seat, data.level, now=now),
        )

    @post(
        "/tables/{table_id:str}/seats/{seat:int}/hand-over", operation_id="tables_hand_over", status_code=200
    )
    async def hand_over(
        self, table_id: TableInPath, seat: SeatInPath, caller: GivenCaller, service: GivenService
    ) -> TableAnswer:
        """Hand an absent player's seat to a bot."""
        elsewhere = await service.peers.people_elsewhere(table_id)

        def decide(table: Table, now: int) -> AnyEntry:
            here = service.hub.present(table)
            present = tuple(
                is_here or elsewhere is None or place.person in elsewhere
                for is_here, place in zip(here, table.seats, strict=True)
            )
            return commands.hand_over(table, caller.person.id, seat, present=present, now=now)

        return await self._change(service, caller, table_id, decide)

    @post("/tables/{table_id:str}/start", operation_id="tables_start", status_code=200)
    async def start(self, table_id: TableInPath, caller: GivenCaller, service: GivenService) -> TableAnswer:
        """Start the game."""
        return await self._change(service, caller, table_id, starting(caller))

    @post("/tables/{table_id:str}/leave", operation_id="tables_leave", status_code=200)
    async def leave(self, table_id: TableInPath, caller: GivenCaller, service: GivenService) -> TableAnswer:
        """Leave a table; in a running game a bot takes over the caller's seats."""
        return await self._change(
            service, caller, table_id, lambda table, now: commands.leave(table, caller.person.id, now=now)
        )

    @post("/tables/{table_id:str}/return", operation_id="tables_come_back", status_code=200)
    async def come_back(self, table_id: TableInPath, caller: GivenCaller, service: GivenService) -> Recap:
        """Take the caller's seats back from the bot."""
        away: list[int] = []

        def decide(table: Table, now: int) -> AnyEntry:
            entry = commands.return_to(table, caller.person.id, now=now)
            mine = (table.seats[seat] for seat in table.seats_of(caller.person.id))
            away[:] = [place.away_since for place in mine if place.away_since is not None]
            return entry

        await own_table(service, caller, table_id)
        after = (await service.tables.change(table_id, decide)).after
        since = min(away)
        seat = seat_shown(after, caller.person.id, None)
        return Recap(answer(after, caller.person.id), raw_json(events_json(after, seat, since)))

    @post("/tables/{table_id:str}/close", operation_id="tables_close", status_code=200)
    async def close(self, table_id: TableInPath, caller: GivenCaller, service: GivenService) -> TableAnswer:
        """Close a table that has not started."""
        return await self._change(
            service,
            caller,
            table_id,
            lambda table, now: commands.close_as_owner(table, caller.person.id, now=now),
        )

    @post("/tables/{table_id:str}/rematch", operation_id="tables_rematch", status_code=200)
    async def rematch(
        self, table_id: TableInPath, data: JSONBody[Entering], caller: GivenCaller, service: GivenService
    ) -> TableAnswer:
        """Open a rematch with the same people; the next player becomes the Leader."""
        person = caller.person.id
        before = await own_table(service, caller, table_id)
        next_id = before.followed_by
        if next_id is None or (await service.tables.table(next_id)).status is Status.CLOSED:
            if any(place.person is not None and place.keeper is None for place in before.seats):
                require_person(caller)  # a program may not start a rematch for people
            await check_table_limit(service, caller)
            next_id = await open_rematch(service, before, person)
        table = await service.tables.table(next_id)
        admit(table, person, None)
        kept = [seat for seat, place in enumerate(table.seats) if place.reserved_for == person]
        is_shared = len(kept) > 1  # Several people at one screen have separate names.
        programs = {
            program.id: Sitter(program.id, program.name, caller.person.name)
            for program in await service.programs.of(person)  # programs join their keeper's rematch
        }
        for seat, place in enumerate(table.seats):
            sitter = programs.get(place.reserved_for or "")
            if seat in kept:
                sitter = sitter_of(caller, place.name if is_shared else None)
            if sitter is not None:
                made = await service.tables.change(next_id, seating(sitter, seat, data.entropy))
                table = made.after
        return answer(table, person)

    @get("/tables/{table_id:str}/record", operation_id="tables_record", media_type="application/json")
    async def record(
        self, table_id: TableInPath, caller: GivenCaller, service: GivenService, invite: InviteHeader = None
    ) -> Response[bytes]:
        """Return a game's record; that of a running game contains only what the caller may know."""
        table = await find_table(service, caller, table_id, invite)
        record = await visible_record(service.seals, table, caller.person.id, invite)
        return download(record.to_json().encode(), f"{table_id}.json")

    @get("/me/games", operation_id="tables_my_games")
    async def my_games(self, caller: GivenCaller, service: GivenService) -> list[GameLine]:
        """List the caller's open and running games, then recently finished ones."""
        found = await service.journal.listings_of(caller.person.id)
        found += await service.journal.listings_of(caller.person.id, (Status.OVER,))
        return [game_line_of(listing, caller.person.id) for listing in found]

    @get("/me/records", operation_id="tables_my_records", media_type="application/x-ndjson")
    async def my_records(self, caller: GivenCaller, service: GivenService) -> Response[bytes]:
        """Download the records of the caller's finished games, one JSON object per line."""
        lines: list[bytes] = []
        before: tuple[int, str] | None = None
        while found := await service.journal.records_of(caller.person.id, before=before):
            lines += [await visible_stored_record(service.seals, kept.record) for kept in found]
            before = found[-1].ended, found[-1].table
        return download(b"".join(line + b"\n" for line in lines), "records.jsonl")

    async def _change(
        self, service: Service, caller: Caller, table_id: str, decide: TableCommand
    ) -> TableAnswer:
        await own_table(service, caller, table_id)
        return answer((await service.tables.change(table_id, decide)).after, caller.person.id)


async def own_table(service: Service, caller: Caller, table_id: str) -> Table:
    """Return a table where the caller has a seat; to others a private table looks missing."""
    table = await service.tables.table(table_id)
    if not belongs(table, caller.person.id):
        admit(table, caller.person.id, None)
        raise Refusal(Reason.NOT_SEATED)
    return table


async def find_table(service: Service, caller: Caller, table_id: str, invite: str | None) -> Table:
    """Return a table without an access check; requests with an invitation are rate-limited."""
    if invite is not None:
        service.limits.take(WATCH, caller.person.id)
    return await service.tables.table(table_id)


async def visible_table(service: Service, caller: Caller, table_id: str, invite: str | None) -> Table:
    """Return a table; raises Refusal if the caller may not see it."""
    table = await find_table(service, caller, table_id, invite)
    admit(table, caller.person.id, invite)
    return table
