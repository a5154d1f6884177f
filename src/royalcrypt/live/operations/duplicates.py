"""Duplicates: several tables with the same cards and dice, whose results are compared seat by seat."""

import secrets
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from royalcrypt.live.registry import TableRegistry, new_id
from royalcrypt.live.seals import Seals
from royalcrypt.live.stores import Duplicate, DuplicateStore
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import SECRET_BYTES
from royalcrypt.tables import commands
from royalcrypt.tables.journal import Status
from royalcrypt.tables.listings import SeatInfo, seat_info
from royalcrypt.tables.seals import Seal, sealed
from royalcrypt.tables.settings import TableSettings
from royalcrypt.tables.table import Table

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


class SeatComparison(NamedTuple):
    """A person's result, with the total of the same seat at all tables."""

    number: int
    """Number of the table, counting from 0."""
    seat: int
    score: int
    sum: int
    """Sum of this seat's scores at all finished tables."""
    tables: int
    """Number of finished tables in ``sum``."""

    @property
    def lead(self) -> int:
        """Difference from the seat's average, multiplied by ``tables`` to be an exact integer."""
        return self.score * self.tables - self.sum


class DuplicateService:
    """Opens, shows and ends duplicates, and allows each person a seat at only one of a duplicate's tables."""

    def __init__(self, duplicates: DuplicateStore, tables: TableRegistry, seals: Seals) -> None:
        self._duplicates = duplicates
        self._tables = tables
        self._seals = seals

    async def mine(self, person: str) -> list[DuplicateLine]:
        """Return the duplicates that the person owns or takes part in, newest first."""
        return [await self._line(one, person) for one in await self._duplicates.of_person(person)]

    async def open(self, owner: str, data: NewDuplicate) -> DuplicateAnswer:
        """Open a duplicate; Collector sides and Leader are drawn once for all tables."""
        collectors, leader = commands.draw_set_up(data.settings)
        shared = sealed(data.settings, collectors=collectors, leader=leader)
        secret, now = secrets.token_bytes(SECRET_BYTES), self._tables.now()
        made = Duplicate(new_id(), owner, now, tuple(new_id() for _ in range(data.tables)))
        seal = str(Seal("duplicate", made.id))
        opened = [commands.open_table(shared, owner, now=now, secret=secret, seal=seal) for _ in made.tables]
        await self._duplicates.add(made)
        for table_id, entry in zip(made.tables, opened, strict=True):
            await self._tables.open(entry, table_id)
        return await self._describe(made, owner)

    async def look(self, person: str, duplicate_id: str) -> DuplicateAnswer:
        return await self._describe(await self._find(duplicate_id), person)

    async def end(self, person: str, duplicate_id: str) -> DuplicateAnswer:
        """Close the unfinished tables, which opens the seal; raises Refusal except for the owner."""
        duplicate = await self._find(duplicate_id)
        if duplicate.owner != person:
            raise Refusal(Reason.NOT_OWNER)
        for table in await self._tables_of(duplicate):
            if table.status in (Status.OPEN, Status.RUNNING):
                await self._close(table.id)
        return await self._describe(duplicate, person)

    def seat_lock(self, table: Table) -> AbstractAsyncContextManager[None]:
        """Lock a sealed table's duplicate or day, so that a person cannot take seats at two of its tables."""
        if table.seal is None:
            return nullcontext()
        return self._tables.journal.lock(table.seal)

    async def check_seat(self, table: Table, person: str) -> None:
        """Raise Refusal if the person sits at another table of the same duplicate."""
        if table.seal is None or Seal.parse(table.seal).kind != "duplicate":
            return
        duplicate = await self._find(Seal.parse(table.seal).name)
        for number, other in enumerate(await self._tables_of(duplicate), 1):
            if other.id != table.id and other.seats_of(person):
                raise Refusal(Reason.SITS_ELSEWHERE, table=number)

    async def _find(self, duplicate_id: str) -> Duplicate:
        found = await self._duplicates.find(duplicate_id)
        if found is None:
            raise Refusal(Reason.NO_SUCH_DUPLICATE)
        return found

    async def _tables_of(self, duplicate: Duplicate) -> list[Table]:
        """Return a duplicate's tables; some may be missing if the server stopped while opening them."""
        found: list[Table] = []
        for table_id in duplicate.tables:
            try:
                found.append(await self._tables.table(table_id))
            except Refusal as refusal:
                if refusal.reason is not Reason.NO_SUCH_TABLE:
                    raise
        if not found:
            raise Refusal(Reason.NO_SUCH_DUPLICATE)
        return found

    async def _close(self, table_id: str) -> None:
        try:
            await self._tables.change(
                table_id, lambda table, now: commands.close(table, why="owner", now=now)
            )
        except Refusal as refusal:
            if refusal.reason is not Reason.TABLE_CLOSED:  # It has just finished.
                raise

    async def _describe(self, duplicate: Duplicate, person: str) -> DuplicateAnswer:
        is_sealed = await self._is_sealed(duplicate)
        tables = await self._tables_of(duplicate)
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

    async def _line(self, duplicate: Duplicate, person: str) -> DuplicateLine:
        return DuplicateLine(
            duplicate=duplicate.id,
            is_owner=duplicate.owner == person,
            created=duplicate.created,
            tables=len(duplicate.tables),
            finished=len(duplicate.tables) - await self._duplicates.in_progress(duplicate.id),
            is_sealed=await self._is_sealed(duplicate),
        )

    async def _is_sealed(self, duplicate: Duplicate) -> bool:
        return await self._seals.holds(str(Seal("duplicate", duplicate.id)))


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


def scores_of(table: Table) -> tuple[int, ...] | None:
    """Return a table's scores by seat; None if it is unfinished."""
    result = None if table.game is None else table.game.result()
    return None if result is None else tuple(result["scores"])


def standings(tables: Sequence[Table]) -> list[SeatComparison]:
    """Return people's results, sorted by lead over the seat's average; bots count only in averages."""
    finished = [
        (number, table, scores)
        for number, table in enumerate(tables)
        if (scores := scores_of(table)) is not None
    ]
    found = [
        SeatComparison(number, seat, score, sum(other[seat] for _, _, other in finished), len(finished))
        for number, table, scores in finished
        for seat, score in enumerate(scores)
        if table.seats[seat].person is not None
    ]
    return sorted(found, key=lambda one: (-one.lead, one.number, one.seat))


def places(found: Sequence[SeatComparison]) -> list[int]:
    """Return the place of each result, counting from 1; ties share a place."""
    return [1 + sum(other.lead > one.lead for other in found) for one in found]
