"""Creation of tables: limits, validation of the settings, and the first seats."""

from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.live.changes import TableCommand
from royalcrypt.live.registry import new_id
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import Caller
from royalcrypt.server.http.rate_limits import MAX_PROGRAM_TABLES, NEW_TABLES, PROGRAM_TABLES
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
"""Random text from the player's browser, in characters that RECORD.md's messages need not escape."""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    settings: TableSettings = TableSettings()
    sit: Annotated[tuple[SeatNumber, ...], Meta(max_length=4)] = ()
    """Seats to take immediately; several if people share a screen."""
    names: Annotated[tuple[Name | None, ...], Meta(max_length=4)] = ()
    """Names in the order of ``sit``; None means the caller."""
    entropy: Entropy = ""
    start: bool = False


def sitter_of(caller: Caller, name: str | None = None) -> Sitter:
    """Build the caller's ``Sitter``; ``name`` replaces the name for another person at the same screen."""
    if caller.keeper is not None:
        return Sitter(caller.person.id, caller.person.name, caller.keeper.name)
    return Sitter(caller.person.id, caller.person.name if name is None else clean_name(name))


def sitting(caller: Caller, seat: int, entropy: str, name: str | None = None) -> TableCommand:
    return seating(sitter_of(caller, name), seat, entropy)


def seating(sitter: Sitter, seat: int, entropy: str) -> TableCommand:
    return lambda table, now: commands.sit(table, sitter, seat, entropy, now=now)


def sittings(data: NewTable, caller: Caller) -> list[TableCommand]:
    names = data.names + (None,) * len(data.sit)
    return [sitting(caller, seat, data.entropy, name) for seat, name in zip(data.sit, names, strict=False)]


def starting(caller: Caller) -> TableCommand:
    return lambda table, now: commands.start(table, caller.person.id, now=now)


def dry_run(data: NewTable, caller: Caller, opened: Opened) -> None:
    """Run all steps on a temporary table, so that invalid settings are refused before anything is stored."""
    table = Table("dry-run").after(opened)
    for decide in sittings(data, caller):
        table = table.after(decide(table, opened.at))
    if data.start:
        starting(caller)(table, opened.at)


async def check_new(service: Service, caller: Caller, settings: TableSettings) -> None:
    """Raise Refusal for a new table beyond the rate limits or table limits."""
    if caller.keeper is None:
        service.limits.take(NEW_TABLES, caller.person.id)
    else:
        service.limits.take(PROGRAM_TABLES, caller.keeper.id)
        if settings.is_listed:
            await _check_listed(service, caller.person.id)
    await check_table_limit(service, caller)


async def _check_listed(service: Service, program: str) -> None:
    """Raise Refusal if the program already waits at a listed table: the lobby is meant for people."""
    waiting = await service.journal.listings_of(program, (Status.OPEN,))
    if any(listing.is_listed for listing in waiting):
        raise Refusal(Reason.TOO_MANY, most=1)


async def check_table_limit(service: Service, caller: Caller, *, tables: int = 1) -> None:
    """Raise Refusal if new tables would exceed the limit of the server or of the caller."""
    everywhere = service.settings.max_tables
    if await service.journal.count_in_progress() + tables > everywhere:
        raise Refusal(Reason.TOO_MANY, most=everywhere)
    await check_own_limit(service, caller.person.id, is_program=caller.keeper is not None, tables=tables)


async def check_own_limit(service: Service, person: str, *, is_program: bool, tables: int = 1) -> None:
    most = service.settings.max_tables_per_person
    if is_program:
        most = min(most, MAX_PROGRAM_TABLES)
    if await service.journal.count_of(person) + tables > most:
        raise Refusal(Reason.TOO_MANY, most=most)


async def open_rematch(service: Service, before: Table, person: str) -> str:
    """Open a rematch and link it from the old table; concurrent requests return the same table."""
    wanted, instead_of = new_id(), before.followed_by
    _, opened = commands.rematch(before, person, wanted, instead_of=instead_of, now=service.tables.now())
    await service.tables.open(opened, wanted)
    try:
        await service.tables.change(
            before.id,
            lambda table, now: commands.rematch(table, person, wanted, instead_of=instead_of, now=now)[0],
        )
    except Refusal as refusal:
        if refusal.reason is not Reason.ALREADY_DONE:
            raise
        await service.tables.change(wanted, lambda table, now: commands.close(table, why="empty", now=now))
    return (await service.tables.table(before.id)).followed_by or wanted
