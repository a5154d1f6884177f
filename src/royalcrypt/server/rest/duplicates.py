"""Duplicates: several tables with the same cards and dice, compared seat by seat when all are done."""

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from royalcrypt.server.duplicates import places, scores_of, standings
from royalcrypt.server.identities import Known
from royalcrypt.server.limits import NEW_TABLES
from royalcrypt.server.rest.common import ID, GivenKnown, GivenService
from royalcrypt.server.rest.opening import check_room
from royalcrypt.server.service import Service
from royalcrypt.storage.seals import Duplicate
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import SeatInfo, seat_info
from royalcrypt.tables.seals import Seal
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table

DuplicateInPath = Annotated[str, Meta(pattern=ID), PathParameter(pattern=ID)]
LEAST, MOST = 2, 16


class NewDuplicate(msgspec.Struct, forbid_unknown_fields=True):
    tables: Annotated[int, Meta(ge=LEAST, le=MOST)]
    settings: TableSettings = TableSettings()


class DuplicateTable(msgspec.Struct):
    table: str
    status: Status
    seats: tuple[SeatInfo, ...]
    invite: str | None
    """The rest of its link, for whoever set the duplicate up."""
    scores: tuple[int, ...] | None
    """By seat, once nothing is sealed any more; None for a table that did not come to its end."""


class DuplicateStanding(msgspec.Struct):
    place: int
    name: str
    number: int
    """Of the table, from 0."""
    seat: int
    score: int
    difference: float
    """To the average of all who sat in this seat."""
    is_you: bool


class DuplicateAnswer(msgspec.Struct):
    duplicate: str
    is_owner: bool
    created: int
    settings: TableSettings
    """Of every table, with sides and Leader as they were drawn."""
    commitment: str
    is_sealed: bool
    tables: list[DuplicateTable]
    mine: str | None
    """The table at which one sits."""
    averages: list[float]
    """By seat, of the finished tables."""
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

    @get(
        "/",
        operation_id="duplicates_mine",
        summary="Duplicates that I set up or take part in, the latest first",
    )
    async def mine(self, known: GivenKnown, service: GivenService) -> list[DuplicateLine]:
        found = await service.duplicates.of_person(known.person.id)
        return [await line_of(service, duplicate, known.person.id) for duplicate in found]

    @post("/", operation_id="duplicates_open", summary="Set several tables up with the same cards and dice")
    async def open(
        self, data: JSONBody[NewDuplicate], known: GivenKnown, service: GivenService
    ) -> DuplicateAnswer:
        service.limits.take(NEW_TABLES, known.person.id)
        await check_room(service, known, tables=data.tables)
        made = await service.duplicate_desk.open(data.settings, data.tables, known.person.id)
        return await described(service, made, known)

    @get(
        "/{duplicate_id:str}",
        operation_id="duplicates_look",
        summary="How far a duplicate has come; when all is done, who did best",
    )
    async def look(
        self, duplicate_id: DuplicateInPath, known: GivenKnown, service: GivenService
    ) -> DuplicateAnswer:
        return await described(service, await service.duplicate_desk.find(duplicate_id), known)

    @post(
        "/{duplicate_id:str}/end",
        operation_id="duplicates_end",
        summary="Close the tables that are not done, and compare",
        status_code=200,
    )
    async def end(
        self, duplicate_id: DuplicateInPath, known: GivenKnown, service: GivenService
    ) -> DuplicateAnswer:
        found = await service.duplicate_desk.find(duplicate_id)
        await service.duplicate_desk.end(found, known.person.id)
        return await described(service, found, known)


async def described(service: Service, duplicate: Duplicate, known: Known) -> DuplicateAnswer:
    person = known.person.id
    is_sealed = await service.seals.holds(str(Seal("duplicate", duplicate.id)))
    tables = await service.duplicate_desk.tables(duplicate)
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
