"""What the database that is moved into says about it: whose rows these are, and how many have come."""

import msgspec
from sqlalchemy import Connection

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.housekeeping import setting

MOVING, MOVED = "moving", "moved_from"
"""Settings of the house: a mark while the move goes on, and afterwards the source's digest."""


class Mark(msgspec.Struct):
    source: str
    """The digest of the file. One that has changed since is another one, as rows may have come in between."""
    rows: dict[str, int] = {}
    """Of each table, how many of its rows in the order of their keys are here."""


def check_no_move(sql: Connection, place: str) -> None:
    """Raises UNFINISHED_MOVE."""
    if setting(sql, MOVING, None) is not None:
        raise Refusal(Reason.UNFINISHED_MOVE, place=place)
