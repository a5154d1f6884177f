"""Whether a shared secret is still sealed: here, and nowhere else, that is decided."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.server.accounts.access import admit, seat_shown
from royalcrypt.storage import Duplicates
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, end_of
from royalcrypt.tables.table import Table


class Seals:
    """The day's seal holds until its midnight, that of a duplicate until all its tables are done."""

    def __init__(self, duplicates: Duplicates, now: Callable[[], int]) -> None:
        self._duplicates = duplicates
        self._now = now

    async def holds(self, text: str | None) -> bool:
        """Whether what lies under this seal is not to be told yet; where there is none, nothing is."""
        if text is None:
            return False
        seal = Seal.parse(text)
        if seal.kind == "daily":
            return self._now() < end_of(seal.name)
        return not await self._duplicates.is_over(seal.name)

    async def opens_to(self, table: Table, person: str) -> bool:
        """Whether somebody who played elsewhere under the same seal may read how it went here."""
        if table.seal is None:
            return False
        seal = Seal.parse(table.seal)
        if seal.kind != "duplicate" or await self.holds(table.seal):
            return False
        return await self._duplicates.takes_part(seal.name, person)


SEALED = b'"seal":'
"""How a record under a seal reads. No text does: in it, quotes would be escaped."""


async def visible_record(seals: Seals, table: Table, person: str, invite: str | None) -> Record:
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


async def visible_stored_record(seals: Seals, record: bytes) -> bytes:
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
