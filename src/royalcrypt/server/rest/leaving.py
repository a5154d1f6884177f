"""When somebody has to go: sockets close at once, and bots play on."""

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.connections import Close
from royalcrypt.server.service import Service
from royalcrypt.storage.server_state import NoticeKind
from royalcrypt.tables import commands
from royalcrypt.tables.entries import WhyTakenOver
from royalcrypt.tables.journal import NotKept

NOT_THERE = (Reason.NOT_SEATED, Reason.ALREADY_AWAY, Reason.GAME_OVER, Reason.TABLE_CLOSED)


async def send_away(service: Service, person: str, why: WhyTakenOver) -> None:
    service.hub.disconnect(person, Close.POLICY)
    await service.proclaim(NoticeKind.PERSON, person)
    for listing in await service.journal.listings_of(person):
        await replace(service, listing.table, person, why)


async def replace(service: Service, table_id: str, person: str, why: WhyTakenOver) -> None:
    """A bot plays on for somebody who was sent away; their empty seat is free."""
    try:
        await service.house.change(
            table_id, lambda table, now: commands.leave(table, person, now=now, why=why)
        )
    except NotKept:
        raise
    except Refusal as refusal:  # gone from there already
        if refusal.reason not in NOT_THERE:
            raise
