"""Planted faults of the server: who comes back would end with something else than those who stayed."""

from collections.abc import Sequence

import pytest

from royalcrypt.live import session, updates
from royalcrypt.live.updates import TableUpdate
from royalcrypt.notation.reasons import Refusal
from royalcrypt.tables.clocks import Outage
from royalcrypt.tables.table import Table
from tests.faults.planting import Plant


def one_too_late(patch: pytest.MonkeyPatch) -> None:
    """Who comes back misses an event."""
    events_json = updates.events_json

    def plant(table: Table, seat: int | None, since: int) -> bytes:
        return events_json(table, seat, since + 1)

    patch.setattr(updates, "events_json", plant)


def stale_refusals(patch: pytest.MonkeyPatch) -> None:
    """A refusal comes with the first table there was."""
    refused = updates.refused
    first: list[Table | None] = []

    def plant(
        refusal: Refusal, *, re: int | None, table: Table | None = None, seat: int | None = None
    ) -> bytes:
        if table is not None and table.game is not None:
            first.append(table)
            table = first[0]
        return refused(refusal, re=re, table=table, seat=seat)

    patch.setattr(session, "refused", plant)


def forgetful_journal(patch: pytest.MonkeyPatch) -> None:
    """What is read again from the journal lacks its last entry."""
    from_journal = Table.from_journal

    def plant(table: str, lines: Sequence[bytes], outages: Sequence[Outage] = ()) -> Table:
        return from_journal(table, lines[:-1], outages)

    patch.setattr(Table, "from_journal", plant)


def unheard_news(patch: pytest.MonkeyPatch) -> None:
    """Every other update lacks an event."""
    update = TableUpdate.update

    def plant(self: TableUpdate, person: str, seat: int | None, re: int | None = None) -> bytes:
        self.since += self.table.ply % 2
        return update(self, person, seat, re)

    patch.setattr(TableUpdate, "update", plant)


FAULTS: tuple[Plant, ...] = (one_too_late, stale_refusals, forgetful_journal, unheard_news)
