"""Access checks: who may see a table, and from which seat's point of view."""

import hmac

from royalcrypt.live.registry import TableRegistry
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table


def belongs(table: Table, person: str) -> bool:
    """Whether the person has a seat or a reserved seat at the table, or opened it."""
    return person == table.owner or any(person in (place.person, place.reserved_for) for place in table.seats)


def is_invited(table: Table, invite: str | None) -> bool:
    given = (invite or "").encode("utf-8", "surrogatepass")
    return table.settings.is_listed or hmac.compare_digest(table.invite.encode(), given)


def may_look(table: Table, person: str, *, is_invited: bool) -> bool:
    if belongs(table, person):
        return True
    return is_invited and (table.settings.spectators or table.status is Status.OPEN)


def admit(table: Table, person: str, invite: str | None) -> None:
    """Raise Refusal if the person may not see the table; a private table without its link looks missing."""
    if belongs(table, person):
        return
    if not is_invited(table, invite):
        raise Refusal(Reason.NO_SUCH_TABLE)
    if not may_look(table, person, is_invited=True):
        raise Refusal(Reason.NO_SPECTATORS)


def seat_shown(table: Table, person: str, wanted: int | None) -> int | None:
    """Return the seat whose view a person gets: the requested one, or their only one; None for spectators."""
    if wanted is None:
        return only_seat(table, person)
    if wanted not in table.seats_of(person):
        raise Refusal(Reason.NOT_YOUR_SEAT, seat=wanted + 1)
    return wanted


def only_seat(table: Table, person: str) -> int | None:
    """Return the person's only seat; None for no seat or several, as on a shared screen."""
    mine = table.seats_of(person)
    return mine[0] if len(mine) == 1 else None


async def visible_table(tables: TableRegistry, person: str, table_id: str, invite: str | None) -> Table:
    """Return a table; raises Refusal if the person may not see it."""
    table = await tables.table(table_id)
    admit(table, person, invite)
    return table


async def own_table(tables: TableRegistry, person: str, table_id: str) -> Table:
    """Return a table where the person has a seat; to others a private table looks missing."""
    table = await tables.table(table_id)
    if not belongs(table, person):
        admit(table, person, None)
        raise Refusal(Reason.NOT_SEATED)
    return table
