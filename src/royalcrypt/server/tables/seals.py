"""Seals withhold the secret of a game while other people may still play the same cards and dice."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.server.accounts.access import admit, seat_shown
from royalcrypt.storage.seals import Duplicates
from royalcrypt.tables.journal import Status
from royalcrypt.tables.seals import Seal, end_of
from royalcrypt.tables.table import Table

SEALED = b'"seal":'
"""Part of a sealed record. No text in it matches, because JSON escapes its quotes."""


class Seals:
    """A day's seal holds until midnight; a duplicate's until all its tables are done."""

    def __init__(self, duplicates: Duplicates, now: Callable[[], int]) -> None:
        self._duplicates = duplicates
        self._now = now

    async def holds(self, text: str | None) -> bool:
        """Whether this seal still holds; False without a seal."""
        if text is None:
            return False
        seal = Seal.parse(text)
        if seal.kind == "daily":
            return self._now() < end_of(seal.name)
        return await self._duplicates.in_progress(seal.name) > 0

    async def is_open_to(self, table: Table, person: str) -> bool:
        """Whether a duplicate is over, so that people of its other tables may read this one."""
        if table.seal is None:
            return False
        seal = Seal.parse(table.seal)
        if seal.kind != "duplicate" or await self.holds(table.seal):
            return False
        return await self._duplicates.takes_part(seal.name, person)


async def visible_record(seals: Seals, table: Table, person: str, invite: str | None) -> Record:
    """A game's record as this person may see it; refused without access to the table, or without a record.

    The record of a running game has only what this person knows.
    """
    if not await seals.is_open_to(table, person):
        admit(table, person, invite)
    if table.game is None:
        raise Refusal(Reason.NO_RECORD)
    if (
        table.status is not Status.OVER and not table.settings.remembers
    ):  # Players must remember by themselves.
        raise Refusal(Reason.NO_RECORD)
    record = table.game.record_for(seat_shown(table, person, None))
    if not await seals.holds(table.seal):
        return record
    return replace(record, extra=_without_secret(record.extra))


async def visible_stored_record(seals: Seals, record: bytes) -> bytes:
    """A finished game's stored record for its players, without its secret while it is sealed."""
    if not await seals.holds(seal_of(record)):
        return record
    visible = _without_secret(json.loads(record))
    return json.dumps(visible, separators=(",", ":"), ensure_ascii=False).encode()


def seal_of(record: bytes) -> str | None:
    return json.loads(record)["fairness"].get("seal") if SEALED in record else None


def _without_secret(found: dict[str, Any]) -> dict[str, Any]:
    fairness = {name: value for name, value in found["fairness"].items() if name != "seed"}
    return found | {"fairness": fairness}
