"""Somebody deletes themselves: their games go on without them, and nothing that is kept leads to them."""

from collections.abc import Awaitable, Callable

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.access import belongs
from royalcrypt.server.connections import Close
from royalcrypt.server.house import Decide
from royalcrypt.server.service import Service
from royalcrypt.server.sockets import chat_at
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry
from royalcrypt.tables.journal import NotKept, Status
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience

NOT_THERE = (Reason.NOT_SEATED, Reason.ALREADY_AWAY, Reason.GAME_OVER, Reason.TABLE_CLOSED)
ALL = 1_000_000
MOST_PASSES = 5
"""What somebody did in the very moment may be kept only after they were forgotten: it is looked for again."""


async def say_farewell(service: Service, person: str) -> None:
    """A person and their programs. Until all is done they are whole, but for having left their tables."""
    everybody = [person, *await service.personal.programs_of(person)]
    identities = service.identities
    identities.leaving |= set(everybody)
    try:
        for one in everybody:
            identities.forget(one)
            service.hub.disconnect(one, Close.POLICY)
        await service.proclaim(NoticeKind.LEAVING, *everybody)
        for one in everybody:
            await leave_tables(service, one)
        for _ in range(MOST_PASSES):
            await forget(service, everybody)
            await service.proclaim(NoticeKind.REWRITTEN, *everybody)
            if not any([await service.personal.is_mentioned(one) for one in everybody]):
                break
    finally:
        identities.leaving -= set(everybody)
        for one in everybody:
            identities.forget(one)


async def leave_tables(service: Service, person: str) -> None:
    """Bots play on for them; tables at which nobody else is expected are closed."""
    for listing in await service.journal.listings_of(person, limit=ALL):
        await change(service, listing.table, lambda table, now: commands.leave(table, person, now=now))
        await change(service, listing.table, lambda table, now: close_if_alone(table, person, now=now))


async def change(service: Service, table: str, decide: Decide) -> None:
    try:
        await service.house.change(table, decide)
    except NotKept:
        raise
    except Refusal as refusal:  # gone from there already
        if refusal.reason not in NOT_THERE:
            raise


def close_if_alone(table: Table, person: str, *, now: int) -> AnyEntry:
    is_shared = any(place.person not in (None, person) for place in table.seats)
    if table.status is not Status.RUNNING or is_shared:
        raise Refusal(Reason.NOT_SEATED)
    return commands.close(table, why="abandoned", now=now)


async def forget(service: Service, everybody: list[str]) -> None:
    async def work() -> None:
        await service.personal.delete(everybody[0])

    await reread(service, everybody, work)


async def reread(service: Service, everybody: list[str], work: Callable[[], Awaitable[None]]) -> None:
    """Tables in use at which somebody is mentioned, once ``work`` has rewritten them."""

    def concerns(table: Table) -> bool:
        return any(belongs(table, one) for one in everybody)

    for before, after in await service.house.rewrite(concerns, work):
        chat = {audience: await chat_at(service, after.id, audience) for audience in Audience}
        service.teller.retell(before, after, chat)
