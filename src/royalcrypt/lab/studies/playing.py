"""Scripts are played, and what came of them is read."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from royalcrypt.lab.strong_play import STRONG_BOARD
from royalcrypt.lab.studies.kernel import ALL_ACTIONS, play_scripts
from royalcrypt.lab.studies.scripts import TALE, TURN
from royalcrypt.lab.studies.watching import MOST_TURNS, NUMBERS
from royalcrypt.rules.fast_chance import seed_key
from royalcrypt.rules.layout import KINDS, SEATS, TYPES
from royalcrypt.search.candidates import BEAM, CANDIDATE
from royalcrypt.search.carrier import STATE, no_options_record
from royalcrypt.search.features import END
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.network import LAYER
from royalcrypt.search.twins import compiled, is_compiled

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
        self._board: Any = np.zeros(STRONG_BOARD, STATE)
        self._options = no_options_record()
        self._begun: Any = np.zeros(2 * BEAM, CANDIDATE)
        self._found: Any = np.zeros(ALL_ACTIONS + 1, CANDIDATE)
        self._numbers: Any = np.zeros(END, np.float32)
        self._before: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)
        self._row: Any = np.zeros(NUMBERS, np.int16)
        self._sides: Any = np.zeros(TYPES, np.int16)

    def play(self, scripts: Array, seed: int, *, has_turns: bool = False) -> Told:
        tales: Any = np.zeros(len(scripts), TALE)
        turns: Any = np.zeros(len(scripts) * MOST_TURNS if has_turns else 1, TURN)
        given: Any = scripts
        written = compiled(play_scripts)(
            self._board, self._options, self._begun, self._found, self._numbers, self._before,
            learned_weights(), self._layer, given, len(scripts), tales, turns, has_turns, self._row,
            self._sides, *seed_key(seed),
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
