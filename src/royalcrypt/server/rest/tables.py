"""Tables: open one, sit down, start, leave, come back, play again."""

import msgspec
from litestar import Controller, Response, delete, get, post, put
from litestar.params import JSONBody

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.access import admit, belongs, only_seat, seat_shown
from royalcrypt.server.house import Decide
from royalcrypt.server.identities import Known
from royalcrypt.server.limits import WATCH
from royalcrypt.server.records import kept_shown, record_shown
from royalcrypt.server.rest.common import (
    AnyRequest,
    GivenKnown,
    GivenService,
    InviteHeader,
    SeatInPath,
    TableInPath,
    download,
    known_of,
    need_person,
)
from royalcrypt.server.rest.opening import (
    Entropy,
    Name,
    NewTable,
    check_new,
    check_own_room,
    check_room,
    dry_run,
    open_rematch,
    seating,
    sitter_of,
    sitting,
    sittings,
    starting,
)
from royalcrypt.server.service import Service
from royalcrypt.server.teller import game_line_of
from royalcrypt.server.telling import events_json, you_at
from royalcrypt.server.wire.events import EventOnTheWire
from royalcrypt.server.wire.messages import GameLine, You, written
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, Sitter
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import TableInfo, table_info
from royalcrypt.tables.settings import BotName
from royalcrypt.tables.table import Table


class Sitting(msgspec.Struct, forbid_unknown_fields=True):
    entropy: Entropy = ""
    name: Name | None = None
    """Who sits there, if it is somebody else at the same screen."""


class Entering(msgspec.Struct, forbid_unknown_fields=True):
    entropy: Entropy = ""


class BotSitting(msgspec.Struct, forbid_unknown_fields=True):
    level: BotName


class TableAnswer(msgspec.Struct):
    info: TableInfo
    you: You
    ply: int


class Recap(msgspec.Struct):
    """What happened while a bot played."""

    table: TableAnswer
    events: list[EventOnTheWire]


def answer(table: Table, person: str) -> TableAnswer:
    return TableAnswer(table_info(table), you_at(table, person, only_seat(table, person)), table.ply)


class TablesController(Controller):
    path = "/api"
    tags = ("tables",)

    @get("/bots", operation_id="tables_bots", summary="Bots that can be given a seat, the weakest first")
    async def bots(self, service: GivenService) -> list[str]:
        return service.bots()

    @get("/tables", operation_id="tables_lobby", summary="Tables in the lobby")
    async def lobby(self, request: AnyRequest, service: GivenService) -> list[TableInfo]:
        if service.house_rules.is_invite_only and await known_of(request) is None:
            raise Refusal(Reason.INVITE_ONLY)
        listings = await service.journal.listings((Status.OPEN, Status.RUNNING))
        return [written(listing.info) for listing in listings]

    @post("/tables", operation_id="tables_open", summary="Open a table")
    async def open(self, data: JSONBody[NewTable], known: GivenKnown, service: GivenService) -> TableAnswer:
        await check_new(service, known, data.settings)
        opened = commands.open_table(data.settings, known.person.id, now=service.house.now())
        dry_run(data, known, opened)
        table = await service.house.open(opened)
        for decide in sittings(data, known):
            table = await service.house.change(table.id, decide)
        if data.start:
            table = await service.house.change(table.id, starting(known))
        return answer(table, known.person.id)

    @get("/tables/{table_id:str}", operation_id="tables_look", summary="A table")
    async def look(
        self, table_id: TableInPath, known: GivenKnown, service: GivenService, invite: InviteHeader = None
    ) -> TableAnswer:
        return answer(await visited(service, known, table_id, invite), known.person.id)

    @post(
        "/tables/{table_id:str}/seats/{seat:int}",
        operation_id="tables_sit",
        summary="Sit down",
        status_code=200,
    )
    async def sit(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[Sitting],
        known: GivenKnown,
        service: GivenService,
        invite: InviteHeader = None,
    ) -> TableAnswer:
        table = await visited(service, known, table_id, invite)
        if not belongs(table, known.person.id):
            await check_own_room(service, known.person.id, is_program=known.keeper is not None)
        decide = sitting(known, seat, data.entropy, data.name)
        async with service.duplicate_desk.turnstile(table):
            await service.duplicate_desk.check_seat(table, known.person.id)
            table = await service.house.change(table_id, decide)
        return answer(table, known.person.id)

    @delete(
        "/tables/{table_id:str}/seats/{seat:int}",
        operation_id="tables_free",
        summary="Get up, or clear a seat",
        status_code=200,
    )
    async def free(
        self, table_id: TableInPath, seat: SeatInPath, known: GivenKnown, service: GivenService
    ) -> TableAnswer:
        return await self._change(
            service,
            known,
            table_id,
            lambda table, now: commands.free_seat(table, known.person.id, seat, now=now),
        )

    @put(
        "/tables/{table_id:str}/seats/{seat:int}/bot",
        operation_id="tables_seat_bot",
        summary="Give a seat to a bot",
    )
    async def seat_bot(
        self,
        table_id: TableInPath,
        seat: SeatInPath,
        data: JSONBody[BotSitting],
        known: GivenKnown,
        service: GivenService,
    ) -> TableAnswer:
        return await self._change(
            service,
            known,
            table_id,
            lambda table, now: commands.seat_bot(table, known.person.id, seat, data.level, now=now),
        )

    @post(
        "/tables/{table_id:str}/seats/{seat:int}/hand-over",
        operation_id="tables_hand_over",
        summary="Let a bot play for somebody who is gone",
        status_code=200,
    )
    async def hand_over(
        self, table_id: TableInPath, seat: SeatInPath, known: GivenKnown, service: GivenService
    ) -> TableAnswer:
        elsewhere = await service.people_elsewhere(table_id)

        def decide(table: Table, now: int) -> AnyEntry:
            here = service.hub.present(table)
            present = tuple(
                is_here or elsewhere is None or place.person in elsewhere
                for is_here, place in zip(here, table.seats, strict=True)
            )
            return commands.hand_over(table, known.person.id, seat, present=present, now=now)

        return await self._change(service, known, table_id, decide)

    @post(
        "/tables/{table_id:str}/start", operation_id="tables_start", summary="Start the game", status_code=200
    )
    async def start(self, table_id: TableInPath, known: GivenKnown, service: GivenService) -> TableAnswer:
        return await self._change(service, known, table_id, starting(known))

    @post(
        "/tables/{table_id:str}/leave",
        operation_id="tables_leave",
        summary="Leave; a bot plays on for those who leave a running game",
        status_code=200,
    )
    async def leave(self, table_id: TableInPath, known: GivenKnown, service: GivenService) -> TableAnswer:
        return await self._change(
            service, known, table_id, lambda table, now: commands.leave(table, known.person.id, now=now)
        )

    @post(
        "/tables/{table_id:str}/return",
        operation_id="tables_come_back",
        summary="Take my seats back from the bot",
        status_code=200,
    )
    async def come_back(self, table_id: TableInPath, known: GivenKnown, service: GivenService) -> Recap:
        away: list[int] = []

        def decide(table: Table, now: int) -> AnyEntry:
            entry = commands.return_to(table, known.person.id, now=now)
            mine = (table.seats[seat] for seat in table.seats_of(known.person.id))
            away[:] = [place.away_since for place in mine if place.away_since is not None]
            return entry

        await own_table(service, known, table_id)
        after = await service.house.change(table_id, decide)
        since = min(away)
        seat = seat_shown(after, known.person.id, None)
        return Recap(answer(after, known.person.id), written(events_json(after, seat, since)))

    @post(
        "/tables/{table_id:str}/close",
        operation_id="tables_close",
        summary="Close a table that has not started",
        status_code=200,
    )
    async def close(self, table_id: TableInPath, known: GivenKnown, service: GivenService) -> TableAnswer:
        return await self._change(
            service,
            known,
            table_id,
            lambda table, now: commands.close_as_owner(table, known.person.id, now=now),
        )

    @post(
        "/tables/{table_id:str}/rematch",
        operation_id="tables_rematch",
        summary="Play again, with the torches moved on",
        status_code=200,
    )
    async def rematch(
        self, table_id: TableInPath, data: JSONBody[Entering], known: GivenKnown, service: GivenService
    ) -> TableAnswer:
        person = known.person.id
        before = await own_table(service, known, table_id)
        next_id = before.followed_by
        if next_id is None or (await service.house.table(next_id)).status is Status.CLOSED:
            if any(place.person is not None and place.keeper is None for place in before.seats):
                need_person(known)  # people decide when they play again
            await check_room(service, known)
            next_id = await open_rematch(service, before, person)
        table = await service.house.table(next_id)
        admit(table, person, None)
        kept = [seat for seat, place in enumerate(table.seats) if place.reserved_for == person]
        is_shared = len(kept) > 1  # one screen, and each has a name of their own
        programs = {
            program.id: Sitter(program.id, program.name, known.person.name)
            for program in await service.programs.of(person)  # they come along with their keeper
        }
        for seat, place in enumerate(table.seats):
            sitter = programs.get(place.reserved_for or "")
            if seat in kept:
                sitter = sitter_of(known, place.name if is_shared else None)
            if sitter is not None:
                table = await service.house.change(next_id, seating(sitter, seat, data.entropy))
        return answer(table, person)

    @get(
        "/tables/{table_id:str}/record",
        operation_id="tables_record",
        summary="The game's record, for all who may watch it; of a running one, as I may know it",
        media_type="application/json",
    )
    async def record(
        self, table_id: TableInPath, known: GivenKnown, service: GivenService, invite: InviteHeader = None
    ) -> Response[bytes]:
        table = await tried(service, known, table_id, invite)
        record = await record_shown(service.seals, table, known.person.id, invite)
        return download(record.to_json().encode(), f"{table_id}.json")

    @get(
        "/me/games",
        operation_id="tables_my_games",
        summary="My games: all that are open or running, then the last that are over",
    )
    async def my_games(self, known: GivenKnown, service: GivenService) -> list[GameLine]:
        found = await service.journal.listings_of(known.person.id)
        found += await service.journal.listings_of(known.person.id, (Status.OVER,))
        return [game_line_of(listing, known.person.id) for listing in found]

    @get(
        "/me/records",
        operation_id="tables_my_records",
        summary="All records of my finished games, one a line",
        media_type="application/x-ndjson",
    )
    async def my_records(self, known: GivenKnown, service: GivenService) -> Response[bytes]:
        lines: list[bytes] = []
        before: tuple[int, str] | None = None
        while found := await service.journal.records_of(known.person.id, before=before):
            lines += [await kept_shown(service.seals, kept.record) for kept in found]
            before = found[-1].ended, found[-1].table
        return download(b"".join(line + b"\n" for line in lines), "records.jsonl")

    async def _change(self, service: Service, known: Known, table_id: str, decide: Decide) -> TableAnswer:
        await own_table(service, known, table_id)
        return answer(await service.house.change(table_id, decide), known.person.id)


async def own_table(service: Service, known: Known, table_id: str) -> Table:
    """A table of one's own; for others it does not exist unless it is listed."""
    table = await service.house.table(table_id)
    if not belongs(table, known.person.id):
        admit(table, known.person.id, None)
        raise Refusal(Reason.NOT_SEATED)
    return table


async def tried(service: Service, known: Known, table_id: str, invite: str | None) -> Table:
    """A table, whether or not they may look at it; who tries links is slowed down."""
    if invite is not None:
        service.limits.take(WATCH, known.person.id)
    return await service.house.table(table_id)


async def visited(service: Service, known: Known, table_id: str, invite: str | None) -> Table:
    """A table that somebody may look at."""
    table = await tried(service, known, table_id, invite)
    admit(table, known.person.id, invite)
    return table
