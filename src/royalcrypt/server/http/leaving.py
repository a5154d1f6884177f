"""Removing a person from the server: sockets close, and bots take over."""

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.service import Service
from royalcrypt.server.sockets.connection import Close
from royalcrypt.storage import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import WhyTakenOver
from royalcrypt.tables.journal import NotKept

ALREADY_GONE = (Reason.NOT_SEATED, Reason.ALREADY_AWAY, Reason.GAME_OVER, Reason.TABLE_CLOSED)


async def send_away(service: Service, person: str, why: WhyTakenOver) -> None:
    service.hub.disconnect(person, Close.POLICY)
    await service.publish_notice(NoticeKind.PERSON, person)
    for listing in await service.journal.listings_of(person):
        await replace(service, listing.table, person, why)


async def replace(service: Service, table_id: str, person: str, why: WhyTakenOver) -> None:
    """A bot takes over the seat of a running game; otherwise the seat becomes free."""
    try:
        await service.tables.change(
            table_id, lambda table, now: commands.leave(table, person, now=now, why=why)
        )
    except NotKept:
        raise
    except Refusal as refusal:  # they have left already
        if refusal.reason not in ALREADY_GONE:
            raise
