"""Planted faults of the server: who comes back would end with something else than those who stayed."""

from collections.abc import Sequence

import pytest

from royalcrypt.live import session, updates
from royalcrypt.live.changes import Change
from royalcrypt.live.updates import EncodedUpdate
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.view_changes import Changes, changes_between
from royalcrypt.play.view_parts import ViewParts
from royalcrypt.play.views import view_from
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
    begin = EncodedUpdate.__init__

    def plant(self: EncodedUpdate, change: Change) -> None:
        begin(self, change)
        game = change.after.game
        if self._news is not None and game is not None and change.after.ply % 2:
            self._news = game.news(self._news._since + 1)

    patch.setattr(EncodedUpdate, "__init__", plant)


def unheard_changes(patch: pytest.MonkeyPatch) -> None:
    """The changes to every other view lack those of the row."""

    def plant(before: ViewParts, after: ViewParts) -> Changes:
        changes = changes_between(before, after)
        if view_from(after).decisions % 2:
            changes.pop("row", None)
        return changes

    patch.setattr(updates, "changes_between", plant)


FAULTS: tuple[Plant, ...] = (one_too_late, stale_refusals, forgetful_journal, unheard_news)
"""Noticed in both protocols."""
FAULTS_OF_CHANGES: tuple[Plant, ...] = (unheard_changes,)
"""Noticed in protocol 2, which sends changes."""
