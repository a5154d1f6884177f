"""Seals, which withhold a game's secret while other people may still play the same cards and dice."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from royalcrypt.live.access import admit, seat_shown
from royalcrypt.live.stores import DuplicateStore
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, end_of
from royalcrypt.tables.table import Table

SEALED = b'"seal":'
"""Bytes that only sealed records contain; no text matches, because JSON escapes its quotes."""


class Seals:
    """Checks seals: a day's seal holds until midnight UTC, a duplicate's until no table is in progress."""

    def __init__(self, duplicates: DuplicateStore, now: Callable[[], int]) -> None:
        self._duplicates = duplicates
        self._now = now

    async def holds(self, text: str | None) -> bool:
        """Whether this seal is still closed; False if ``text`` is None."""
        if text is None:
            return False
        seal = Seal.parse(text)
        if seal.kind == "daily":
            return self._now() < end_of(seal.name)
        return await self._duplicates.in_progress(seal.name) > 0

    async def is_open_to(self, table: Table, person: str) -> bool:
        """Whether the table's duplicate is over and the person took part, which grants access to it."""
        if table.seal is None:
            return False
        seal = Seal.parse(table.seal)
        if seal.kind != "duplicate" or await self.holds(table.seal):
            return False
        return await self._duplicates.takes_part(seal.name, person)


async def visible_record(seals: Seals, table: Table, person: str, invite: str | None) -> Record:
    """Return a game's record as this person may see it; raises Refusal without access or without a record.

    The record of a running game contains only what this person knows.
    """
    if not await seals.is_open_to(table, person):
        admit(table, person, invite)
    if table.game is None:
        raise Refusal(Reason.NO_RECORD)
    if table.status is not Status.OVER and not table.settings.remembers:
        raise Refusal(Reason.NO_RECORD)
    record = table.game.record_for(seat_shown(table, person, None))
    if not await seals.holds(table.seal):
        return record
    return replace(record, extra=_without_secret(record.extra))


async def visible_stored_record(seals: Seals, record: bytes) -> bytes:
    """Return a stored record for the game's players, without its secret while it is sealed."""
    if not await seals.holds(seal_of(record)):
        return record
    visible = _without_secret(json.loads(record))
    return json.dumps(visible, separators=(",", ":"), ensure_ascii=False).encode()


def seal_of(record: bytes) -> str | None:
    return json.loads(record)["fairness"].get("seal") if SEALED in record else None


def _without_secret(found: dict[str, Any]) -> dict[str, Any]:
    fairness = {name: value for name, value in found["fairness"].items() if name != "seed"}
    return found | {"fairness": fairness}
