"""Records as they are handed out: to whom, and with how much of what the game was dealt from."""

import json
from dataclasses import replace
from typing import Any

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.server.accounts.access import admit, seat_shown
from royalcrypt.server.tables.seals import Seals
from royalcrypt.tables.journal import Status
from royalcrypt.tables.table import Table

SEALED = b'"seal":'
"""How a record under a seal reads. No text does: in it, quotes would be escaped."""


async def record_shown(seals: Seals, table: Table, person: str, invite: str | None) -> Record:
    """A game's record for somebody; refused for those who may not look, and where there is none.

    Of a running game it is as they may know it. The secret of a finished one is in it once it is not sealed.
    """
    if not await seals.opens_to(table, person):
        admit(table, person, invite)
    if table.game is None:
        raise Refusal(Reason.NO_RECORD)
    if table.status is not Status.OVER and not table.settings.remembers:  # it would remind of every card
        raise Refusal(Reason.NO_RECORD)
    record = table.game.record_for(seat_shown(table, person, None))
    if not await seals.holds(table.seal):
        return record
    return replace(record, extra=_withheld(record.extra))


async def kept_shown(seals: Seals, record: bytes) -> bytes:
    """A finished game's record as it was kept, for those who played: sealed, it is without its secret."""
    seal = seal_of(record)
    if not await seals.holds(seal):
        return record
    return json.dumps(_withheld(json.loads(record)), separators=(",", ":"), ensure_ascii=False).encode()


def seal_of(record: bytes) -> str | None:
    """The seal of a record as it was kept."""
    return json.loads(record)["fairness"].get("seal") if SEALED in record else None


def _withheld(found: dict[str, Any]) -> dict[str, Any]:
    fairness = {name: value for name, value in found["fairness"].items() if name != "seed"}
    return found | {"fairness": fairness}
