"""Scripts are played, and what came of them is read."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from royalcrypt.lab.studies.kernel import ALL_ACTIONS, play_scripts
from royalcrypt.lab.studies.scripts import TALE, TURN
from royalcrypt.lab.studies.watching import MOST_TURNS, NUMBERS
from royalcrypt.rules.chance import seed_key
from royalcrypt.rules.layout import KINDS, SEATS, TYPES
from royalcrypt.search.compilation import compiled, is_compiled
from royalcrypt.search.network import learned_weights
from royalcrypt.search.workspace import CANDIDATE, new_workspace

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Told:
    """What came of the scripts of a piece."""

    scripts: Array
    tales: Array
    turns: Array
    """Empty unless they were asked for."""


class Desk:
    """What one process plays on."""

    def __init__(self) -> None:
        self._work = new_workspace()
        self._found: Any = np.zeros(ALL_ACTIONS + 1, CANDIDATE)
        self._row: Any = np.zeros(NUMBERS, np.int16)

    def play(self, scripts: Array, seed: int, *, has_turns: bool = False) -> Told:
        tales: Any = np.zeros(len(scripts), TALE)
        turns: Any = np.zeros(len(scripts) * MOST_TURNS if has_turns else 1, TURN)
        given: Any = scripts
        written = compiled(play_scripts)(
            self._work, self._found, learned_weights(), given, len(scripts), tales, turns, has_turns,
            self._row, *seed_key(seed),
        )  # fmt: skip
        return Told(scripts, tales, turns[:written])


def is_ready() -> bool:
    """Whether the kernel need not be compiled first."""
    return is_compiled(play_scripts)


def get_ready() -> None:
    compiled(play_scripts)


@cache
def desk() -> Desk:
    return Desk()


def scores_of(tales: Array, players: int) -> Array:
    """By game and seat."""
    return tales["scores"][:, :players].astype(np.int64)


def wins_of(tales: Array, players: int) -> Array:
    """Each seat's part of the win: a shared one counts as an equal part (R7.3)."""
    won = tales["winners"][:, None] >> np.arange(players) & 1
    return won / won.sum(axis=1, keepdims=True)


def lead_of(scores: Array) -> Array:
    """The best score less the second."""
    ordered = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def cards_of(tales: Array, players: int) -> Array:
    """By game, seat and kind."""
    return tales["cards"].reshape(-1, SEATS, KINDS)[:, :players].astype(np.int64)


def by_type(tales: Array, field: str, players: int) -> Array:
    """A field that lists types within seats: by game, seat and type."""
    return tales[field].reshape(-1, SEATS, TYPES)[:, :players].astype(np.int64)
