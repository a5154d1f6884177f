"""What it takes to open a table: room for it, a set-up that can be carried through, and a seat."""

from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.house import Decide, new_id
from royalcrypt.server.identities import Known
from royalcrypt.server.limits import MOST_PROGRAM_TABLES, NEW_TABLES, PROGRAM_TABLES
from royalcrypt.server.service import Service
from royalcrypt.tables import commands
from royalcrypt.tables.commands import Sitter
from royalcrypt.tables.entries import Opened
from royalcrypt.tables.journal import Status
from royalcrypt.tables.settings import SeatNumber, TableSettings
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import clean_name

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Entropy = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}$(?!\n)")]
"""From the person's own browser: signs that need no escaping in RECORD.md's messages."""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    settings: TableSettings = TableSettings()
    sit: Annotated[tuple[SeatNumber, ...], Meta(max_length=4)] = ()
    """Seats to take at once; several for people who share a screen."""
    names: Annotated[tuple[Name | None, ...], Meta(max_length=4)] = ()
    """Who sits there, in the order of ``sit``; without one, it is whoever asks."""
    entropy: Entropy = ""
    start: bool = False


def sitter_of(known: Known, name: str | None = None) -> Sitter:
    """With a name for those who share a person's screen; a program shares none, and goes by its own."""
    if known.keeper is not None:
        return Sitter(known.person.id, known.person.name, known.keeper.name)
    return Sitter(known.person.id, known.person.name if name is None else clean_name(name))


def sitting(known: Known, seat: int, entropy: str, name: str | None = None) -> Decide:
    return seating(sitter_of(known, name), seat, entropy)


def seating(sitter: Sitter, seat: int, entropy: str) -> Decide:
    return lambda table, now: commands.sit(table, sitter, seat, entropy, now=now)


def sittings(data: NewTable, known: Known) -> list[Decide]:
    names = data.names + (None,) * len(data.sit)
    return [sitting(known, seat, data.entropy, name) for seat, name in zip(data.sit, names, strict=False)]


def starting(known: Known) -> Decide:
    return lambda table, now: commands.start(table, known.person.id, now=now)


def dry_run(data: NewTable, known: Known, opened: Opened) -> None:
    """Refuse a set-up that could not be carried through before anything of it is kept."""
    table = Table("dry-run").after(opened)
    for decide in sittings(data, known):
        table = table.after(decide(table, opened.at))
    if data.start:
        starting(known)(table, opened.at)


async def check_new(service: Service, known: Known, settings: TableSettings) -> None:
    """Refuse a new table that comes too soon, or where there are enough."""
    if known.keeper is None:
        service.limits.take(NEW_TABLES, known.person.id)
    else:
        service.limits.take(PROGRAM_TABLES, known.keeper.id)
        if settings.is_listed:
            await _check_listed(service, known.person.id)
    await check_room(service, known)


async def _check_listed(service: Service, program: str) -> None:
    """The lobby is for people to find each other: a program waits there at one table."""
    waiting = await service.journal.listings_of(program, (Status.OPEN,))
    if any(listing.is_listed for listing in waiting):
        raise Refusal(Reason.TOO_MANY, most=1)


async def check_room(service: Service, known: Known, *, tables: int = 1) -> None:
    """Refuse more tables where there are enough, altogether or of one's own."""
    everywhere = service.settings.max_tables
    if await service.journal.count_in_progress() + tables > everywhere:
        raise Refusal(Reason.TOO_MANY, most=everywhere)
    await check_own_room(service, known.person.id, is_program=known.keeper is not None, tables=tables)


async def check_own_room(service: Service, person: str, *, is_program: bool, tables: int = 1) -> None:
    most = service.settings.max_tables_per_person
    if is_program:
        most = min(most, MOST_PROGRAM_TABLES)
    if await service.journal.count_of(person) + tables > most:
        raise Refusal(Reason.TOO_MANY, most=most)


async def open_rematch(service: Service, before: Table, person: str) -> str:
    """Open the next table, then say so at this one; two who ask at once meet at the same."""
    wanted, instead_of = new_id(), before.followed_by
    _, opened = commands.rematch(before, person, wanted, instead_of=instead_of, now=service.house.now())
    await service.house.open(opened, wanted)
    try:
        await service.house.change(
            before.id,
            lambda table, now: commands.rematch(table, person, wanted, instead_of=instead_of, now=now)[0],
        )
    except Refusal as refusal:
        if refusal.reason is not Reason.ALREADY_DONE:
            raise
        await service.house.change(wanted, lambda table, now: commands.close(table, why="empty", now=now))
    return (await service.house.table(before.id)).followed_by or wanted
