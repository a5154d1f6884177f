"""What the learned values say of a position that somebody knows: for bots, who need not know how."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from royalcrypt.rules.layout import State, copy_of, no_options
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.carrier import record_of
from royalcrypt.search.features import END, describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import LAYER, SCORE_AT, SCORE_SCALE, WIN_AT, evaluate
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import worth_of


@cache
def learned_weights() -> Any:
    """What ``royalcrypt train`` made; value.json beside it says how, when, and how strong it is."""
    with (files("royalcrypt.search") / "learned" / "value.npy").open("rb") as file:
        return np.load(file, allow_pickle=False)


def hear(state: State, seat: int, numbers: Floats, weights: Floats, layer: Floats) -> None:
    """What the network says of a state for one of its seats is then in ``layer``."""
    describe(state, seat, numbers)
    evaluate(numbers, weights, layer)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a seat may expect: its chance to win (alone: to be The Magnificent) and its score."""

    win: float
    score: float
    worth: float
    """By which bots choose."""


class Judge:
    """One for each thread: it works on memory of its own."""

    def __init__(self, weights: Any = None) -> None:
        self._weights = learned_weights() if weights is None else weights
        self._numbers: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)

    def opinion(self, known: State, seat: int) -> Opinion:
        """Of any seat of a plain state; it should have just acted, or be waiting for others."""
        compiled(hear)(record_of(known), seat, self._numbers, self._weights, self._layer)
        win, score = float(self._layer[WIN_AT]), float(self._layer[SCORE_AT])
        return Opinion(win, score * SCORE_SCALE, worth_of(win, score, known.is_solo))

    def appraised(self, known: State) -> list[tuple[int, State, Opinion]]:
        """Each small decision that the actor may make, the state after it, and what that promises them."""
        options = no_options()
        found: list[tuple[int, State, Opinion]] = []
        for index in range(legal_actions(known, options)):
            after = copy_of(known)
            apply(after, known.actor, options.codes[index])
            found.append((options.codes[index], after, self.opinion(after, known.actor)))
        return found
