"""What the learned values say of a position that somebody knows: for bots, who need not know how."""

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from royalcrypt.rules.layout import State
from royalcrypt.search.candidates import BEAM, BOARD, CANDIDATE, list_candidates
from royalcrypt.search.carrier import STATE, no_options_record, record_of
from royalcrypt.search.features import END
from royalcrypt.search.network import LAYER, SCORE_SCALE
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import KNOWN

MOST_FOUND = 64


class Judged(NamedTuple):
    """A whole action by its small decisions, and what it promises."""

    codes: list[int]
    win: float
    score: float


@cache
def learned_weights() -> Any:
    """What ``royalcrypt train`` made; value.json beside it says how, when, and how strong it is."""
    with (files("royalcrypt.search") / "learned" / "value.npy").open("rb") as file:
        return np.load(file, allow_pickle=False)


class Judge:
    """One for each thread: it works on memory of its own."""

    def __init__(self, weights: Any = None) -> None:
        self._weights = learned_weights() if weights is None else weights
        self._board: Any = np.zeros(BOARD, STATE)
        self._options = no_options_record()
        self._numbers: Any = np.zeros(END, np.float32)
        self._before: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)
        self._begun: Any = np.zeros(2 * BEAM, CANDIDATE)
        self._found: Any = np.zeros(MOST_FOUND, CANDIDATE)

    def candidates(self, known: State, most: int = 1) -> list[Judged]:
        """The actor's best whole actions, best first; the plain state holds no more than the actor knows."""
        self._board[KNOWN] = record_of(known)
        count = compiled(list_candidates)(
            self._board,
            self._options,
            self._begun,
            self._found,
            most,
            self._numbers,
            self._weights,
            self._layer,
        )
        found = sorted(self._found[:count], key=lambda one: (-one.promise, tuple(one.codes)))
        return [
            Judged(
                [int(code) for code in one.codes[: one.steps]], float(one.win), float(one.score) * SCORE_SCALE
            )
            for one in found
        ]
