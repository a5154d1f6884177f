"""Removal of people from their tables, and account deletion; running games continue with bots.

After a deletion, no stored data identifies the person.
"""

from collections.abc import Awaitable, Callable

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.access import belongs
from royalcrypt.server.service import Service
from royalcrypt.server.sockets.connection import Close
from royalcrypt.server.sockets.session import chat_at
from royalcrypt.server.tables.registry import Decide
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import AnyEntry, WhyTakenOver
from royalcrypt.tables.journal import NotKept, Status
from royalcrypt.tables.table import Table
from royalcrypt.tables.texts import Audience

ALREADY_GONE = (Reason.NOT_SEATED, Reason.ALREADY_AWAY, Reason.GAME_OVER, Reason.TABLE_CLOSED)
ALL = 1_000_000
MAX_PASSES = 5
"""Deletion passes; a request in progress may store data after the first pass."""


async def remove_person(service: Service, person: str, why: WhyTakenOver) -> None:
    """Close a person's sockets, hand their running games to bots, and free their other seats."""
    service.hub.disconnect(person, Close.POLICY)
    await service.publish_notice(NoticeKind.PERSON, person)
    for listing in await service.journal.listings_of(person):
        await change(
            service, listing.table, lambda table, now: commands.leave(table, person, now=now, why=why)
        )


async def delete_account(service: Service, person: str) -> None:
    """Delete a person and their programs; if this fails, the person has lost only their seats."""
    everybody = [person, *await service.personal.programs_of(person)]
    identities = service.identities
    identities.deleting |= set(everybody)
    try:
        for one in everybody:
            identities.forget(one)
            service.hub.disconnect(one, Close.POLICY)
        await service.publish_notice(NoticeKind.LEAVING, *everybody)
        for one in everybody:
            await leave_tables(service, one)
        for _ in range(MAX_PASSES):
            await reload_tables(service, everybody, lambda: service.personal.delete(person))
            await service.publish_notice(NoticeKind.REWRITTEN, *everybody)
            if not any([await service.personal.is_mentioned(one) for one in everybody]):
                break
    finally:
        identities.deleting -= set(everybody)
        for one in everybody:
            identities.forget(one)


async def leave_tables(service: Service, person: str) -> None:
    """Hand the person's seats to bots, and close tables without other people."""
    for listing in await service.journal.listings_of(person, limit=ALL):
        await change(service, listing.table, lambda table, now: commands.leave(table, person, now=now))
        await change(service, listing.table, lambda table, now: close_if_alone(table, person, now=now))


async def change(service: Service, table: str, decide: Decide) -> None:
    """Change a table; does nothing if the person has already left it."""
    try:
        await service.tables.change(table, decide)
    except NotKept:
        raise
    except Refusal as refusal:
        if refusal.reason not in ALREADY_GONE:
            raise


def close_if_alone(table: Table, person: str, *, now: int) -> AnyEntry:
    is_shared = any(place.person not in (None, person) for place in table.seats)
    if table.status is not Status.RUNNING or is_shared:
        raise Refusal(Reason.NOT_SEATED)
    return commands.close(table, why="abandoned", now=now)


async def reload_tables(service: Service, everybody: list[str], work: Callable[[], Awaitable[None]]) -> None:
    """Run ``work``, which rewrites journals, then reload the loaded tables that mention these people."""

    def concerns(table: Table) -> bool:
        return any(belongs(table, one) for one in everybody)

    for before, after in await service.tables.rewrite(concerns, work):
        chat = {audience: await chat_at(service, after.id, audience) for audience in Audience}
        service.broadcaster.broadcast_rewrite(before, after, chat)
