"""Who may see a table, and from which seat."""

import hmac

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table


def belongs(table: Table, person: str) -> bool:
    """Whether the person sits at the table, has a reserved seat, or opened it."""
    return person == table.owner or any(person in (place.person, place.reserved_for) for place in table.seats)


def is_invited(table: Table, invite: str | None) -> bool:
    given = (invite or "").encode("utf-8", "surrogatepass")
    return table.settings.is_listed or hmac.compare_digest(table.invite.encode(), given)


def may_look(table: Table, person: str, *, is_invited: bool) -> bool:
    if belongs(table, person):
        return True
    return is_invited and (table.settings.spectators or table.status is Status.OPEN)


def admit(table: Table, person: str, invite: str | None) -> None:
    """Refuse people who may not see the table. Without its link, a private table does not exist for them."""
    if belongs(table, person):
        return
    if not is_invited(table, invite):
        raise Refusal(Reason.NO_SUCH_TABLE)
    if not may_look(table, person, is_invited=True):
        raise Refusal(Reason.NO_SPECTATORS)


def seat_shown(table: Table, person: str, wanted: int | None) -> int | None:
    """The seat whose view a person gets: the requested one, or their only one."""
    if wanted is None:
        return only_seat(table, person)
    if wanted not in table.seats_of(person):
        raise Refusal(Reason.NOT_YOUR_SEAT, seat=wanted + 1)
    return wanted


def only_seat(table: Table, person: str) -> int | None:
    """None with several seats, too: people who share a screen get the spectators' view."""
    mine = table.seats_of(person)
    return mine[0] if len(mine) == 1 else None
