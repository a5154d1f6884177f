"""How leaks are planted in a running server: each patches one place, and says who will notice and by what."""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import pytest

from royalcrypt.notation.events import event_dict
from royalcrypt.play.knowledge import KnowledgeCache
from royalcrypt.play.views import View
from royalcrypt.rules.layout import CARDS, EVERYONE, copy_of
from royalcrypt.server.sockets.endpoint import PROTOCOLS
from royalcrypt.tables.table import Table
from tests.server.wire.scenes import TWO, Scene
from tests.server.wire.scripts import Script, script_of

Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class WireLeak:
    """A leak, who can notice it, and how: by other bytes, another length, or another number of messages."""

    what: str
    plant: Plant
    noticed_by: str
    kinds: dict[int, str]
    """By protocol of the socket in which it can be noticed."""
    scene: Scene
    script: Callable[[Scene], Script]
    """In which it is noticed."""

    @property
    def protocols(self) -> list[int]:
        return list(self.kinds)


LEAKS: list[WireLeak] = []


def leak(
    what: str,
    *,
    noticed_by: str,
    kind: str = "bytes",
    kinds: dict[int, str] | None = None,
    scene: Scene = TWO,
    script: Callable[[Scene], Script] = script_of,
) -> Callable[[Plant], Plant]:
    """Of the same kind in each protocol, unless ``kinds`` says otherwise."""

    def kept(plant: Plant) -> Plant:
        is_survey = script is not script_of  # which is about REST: one protocol of sockets is enough
        of_protocols = kinds or dict.fromkeys(PROTOCOLS[-1:] if is_survey else PROTOCOLS, kind)
        LEAKS.append(WireLeak(what, plant, noticed_by, of_protocols, scene, script))
        return plant

    return kept


def mark_of(table: Table) -> int:
    """A number from 0 to 6 that depends on every card, hidden or not."""
    if table.game is None:
        return 0
    state = table.game.state
    return sum((card + 1) * state.card_value[card] for card in range(state.drawn)) % 7


def whole_view(table: Table, seat: int | None) -> View | None:
    """A seat's view in which every card is known to everybody."""
    if table.game is None:
        return None
    game = table.game.clone()
    game._state = copy_of(game.state)
    game._state.card_knowers = [EVERYONE] * CARDS
    game._cache = KnowledgeCache()
    return game.view(seat)


def whole_events(table: Table, seat: int | None, since: int) -> bytes:
    events = table.game.events if table.game else []
    return msgspec.json.encode([event_dict(event, n) for n, event in enumerate(events)][since:])


def admit_all(table: Table, person: str, invite: str | None) -> None:
    """A door that is always open."""
