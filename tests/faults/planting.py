"""How leaks are planted in a running server: each patches one place, and says who will notice and by what."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import pytest

from royalcrypt.notation.events import event_dict
from royalcrypt.tables.table import Table
from tests.server.wire.scenes import TWO, Scene

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class WireLeak:
    """A leak, who can notice it, and how: by other bytes, another length, or another number of messages."""

    what: str
    plant: Plant
    noticed_by: str
    kind: str
    scene: Scene


LEAKS: list[WireLeak] = []


def leak(what: str, *, noticed_by: str, kind: str = "bytes", scene: Scene = TWO) -> Callable[[Plant], Plant]:
    def kept(plant: Plant) -> Plant:
        LEAKS.append(WireLeak(what, plant, noticed_by, kind, scene))
        return plant

    return kept


def mark_of(table: Table) -> int:
    """A number from 0 to 6 that depends on every card, hidden or not."""
    if table.game is None:
        return 0
    state = table.game.state
    return sum((card + 1) * state.card_value[card] for card in range(state.drawn)) % 7


def view_json(table: Table, seat: int | None) -> bytes | None:
    return table.game.view(seat, remembers=table.settings.remembers).to_json() if table.game else None


def whole_events(table: Table, seat: int | None, since: int) -> bytes:
    events = table.game.events if table.game else []
    return msgspec.json.encode([event_dict(event, n) for n, event in enumerate(events)][since:])


def admit_all(table: Table, person: str, invite: str | None) -> None:
    """A door that is always open."""
