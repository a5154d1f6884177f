"""How an attack is declared."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from tests.attacks.client import Attacker

Play = Callable[[Attacker], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Attack:
    what: str
    play: Play
    """Goes on until it is cancelled."""
    limits: frozenset[str]
    """Of these names in the metrics, one at least applies; empty if nothing needs to."""
    settings: dict[str, str] = field(default_factory=dict)
    """Options of the server."""

    @property
    def name(self) -> str:
        return self.play.__name__


ATTACKS: dict[str, Attack] = {}


def attack(what: str, *limits: str, **settings: str) -> Callable[[Play], Play]:
    """Declare an attack, and the names of the limits that may stop it."""

    def kept(play: Play) -> Play:
        ATTACKS[play.__name__] = Attack(what, play, frozenset(limits), settings)
        return play

    return kept
