"""REST routes for duplicates: several tables with the same cards and dice, compared seat by seat."""

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from royalcrypt.live.duplicates import places, scores_of, standings
from royalcrypt.live.stores import Duplicate
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.common import ID, GivenCaller, GivenService
from royalcrypt.server.http.rate_limits import NEW_TABLES
from royalcrypt.server.http.table_creation import check_table_limit
from royalcrypt.server.service import Service
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import SeatInfo, seat_info
from royalcrypt.tables.seals import Seal
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table

DuplicateInPath = Annotated[str, Meta(pattern=ID), PathParameter(pattern=ID)]
MIN_TABLES, MAX_TABLES = 2, 16


class NewDuplicate(msgspec.Struct, forbid_unknown_fields=True):
    tables: Annotated[int, Meta(ge=MIN_TABLES, le=MAX_TABLES)]
    settings: TableSettings = TableSettings()


class DuplicateTable(msgspec.Struct):
    table: str
    status: Status
    seats: tuple[SeatInfo, ...]
    invite: str | None
    """Last part of the table's link; shown to the owner of the duplicate only."""
    scores: tuple[int, ...] | None
    """Scores by seat after the duplicate is unsealed; None for an unfinished table."""


class DuplicateStanding(msgspec.Struct):
    place: int
    name: str
    number: int
    """Index of the table, counting from 0."""
    seat: int
    score: int
    difference: float
    """Score minus the average score of this seat at all tables."""
    is_you: bool


class DuplicateAnswer(msgspec.Struct):
    duplicate: str
    is_owner: bool
    created: int
    settings: TableSettings
    """Settings of all tables, with the drawn Collector sides and Leader."""
    commitment: str
    is_sealed: bool
    tables: list[DuplicateTable]
    mine: str | None
    """Id of the caller's table, if any."""
    averages: list[float]
    """Average score of each seat at the finished tables."""
    standings: list[DuplicateStanding]


class DuplicateLine(msgspec.Struct):
    duplicate: str
    is_owner: bool
    created: int
    tables: int
    finished: int
    is_sealed: bool


class DuplicatesController(Controller):
    path = "/api/duplicates"
    tags = ("duplicates",)

    @get("/", operation_id="duplicates_mine")
    async def mine(self, caller: GivenCaller, service: GivenService) -> list[DuplicateLine]:
        """List the duplicates that the caller owns or takes part in, newest first."""
        found = await service.duplicates.of_person(caller.person.id)
        return [await line_of(service, duplicate, caller.person.id) for duplicate in found]

    @post("/", operation_id="duplicates_open")
    async def open(
        self, data: JSONBody[NewDuplicate], caller: GivenCaller, service: GivenService
    ) -> DuplicateAnswer:
        """Open several tables with the same cards and dice."""
        service.limits.take(NEW_TABLES, caller.person.id)
        await check_table_limit(service, caller, tables=data.tables)
        made = await service.duplicate_service.open(data.settings, data.tables, caller.person.id)
        return await describe(service, made, caller)

    @get("/{duplicate_id:str}", operation_id="duplicates_look")
    async def look(
        self, duplicate_id: DuplicateInPath, caller: GivenCaller, service: GivenService
    ) -> DuplicateAnswer:
        """Return a duplicate's progress and, after its end, its results."""
        return await describe(service, await service.duplicate_service.find(duplicate_id), caller)

    @post("/{duplicate_id:str}/end", operation_id="duplicates_end", status_code=200)
    async def end(
        self, duplicate_id: DuplicateInPath, caller: GivenCaller, service: GivenService
    ) -> DuplicateAnswer:
        """Close a duplicate's unfinished tables and unseal its results; for its owner only."""
        found = await service.duplicate_service.find(duplicate_id)
        await service.duplicate_service.end(found, caller.person.id)
        return await describe(service, found, caller)


async def describe(service: Service, duplicate: Duplicate, caller: Caller) -> DuplicateAnswer:
    person = caller.person.id
    is_sealed = await service.seals.holds(str(Seal("duplicate", duplicate.id)))
    tables = await service.duplicate_service.tables_of(duplicate)
    first, is_owner = tables[0], duplicate.owner == person
    return DuplicateAnswer(
        duplicate=duplicate.id,
        is_owner=is_owner,
        created=duplicate.created,
        settings=first.settings,
        commitment=first.commitment,
        is_sealed=is_sealed,
        tables=[table_of(table, is_owner=is_owner, is_sealed=is_sealed) for table in tables],
        mine=next((table.id for table in tables if table.seats_of(person)), None),
        averages=[] if is_sealed else averages_of(tables),
        standings=[] if is_sealed else standings_of(tables, person),
    )


def table_of(table: Table, *, is_owner: bool, is_sealed: bool) -> DuplicateTable:
    return DuplicateTable(
        table=table.id,
        status=table.status,
        seats=tuple(seat_info(place, None) for place in table.seats),
        invite=table.invite if is_owner else None,
        scores=None if is_sealed else scores_of(table),
    )


def averages_of(tables: list[Table]) -> list[float]:
    finished = [scores for table in tables if (scores := scores_of(table)) is not None]
    return [sum(seat) / len(finished) for seat in zip(*finished, strict=True)]


def standings_of(tables: list[Table], person: str) -> list[DuplicateStanding]:
    found = standings(tables)
    return [
        DuplicateStanding(
            place=place,
            name=tables[one.number].seats[one.seat].name or "",
            number=one.number,
            seat=one.seat,
            score=one.score,
            difference=one.lead / one.tables,
            is_you=tables[one.number].seats[one.seat].person == person,
        )
        for one, place in zip(found, places(found), strict=True)
    ]


async def line_of(service: Service, duplicate: Duplicate, person: str) -> DuplicateLine:
    return DuplicateLine(
        duplicate=duplicate.id,
        is_owner=duplicate.owner == person,
        created=duplicate.created,
        tables=len(duplicate.tables),
        finished=len(duplicate.tables) - await service.duplicates.in_progress(duplicate.id),
        is_sealed=await service.seals.holds(str(Seal("duplicate", duplicate.id))),
    )
