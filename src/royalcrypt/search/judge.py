"""What the value network says of a position, for compiled searches and for bots."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from royalcrypt.rules.layout import State, copy_of, no_options
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.carrier import Floats, record_of
from royalcrypt.search.features import END, describe
from royalcrypt.search.network import LAYER, SCORE_AT, SCORE_SCALE, WIN_AT, evaluate, worth_of
from royalcrypt.search.twins import compiled
from royalcrypt.search.workspace import KNOWN, Workspace

MAGNIFICENT = 50
"""Coins that count as a win for an Only Child (R10.7)."""


def share_of(state: State, seat: int) -> float:
    """A seat's share of the win once the game is over (R7.3)."""
    if state.is_solo:
        return 1.0 if state.players[seat].score >= MAGNIFICENT else 0.0
    winners = 0
    for other in range(scoring_seats(state)):
        winners += state.players[other].is_contender
    return state.players[seat].is_contender / winners


def hear(state: State, seat: int, numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Write what the network says of a concealed state for a seat to ``layer``."""
    describe(state, seat, numbers)
    evaluate(numbers, weights, layer)


def evaluate_for(work: Workspace, at: int, viewer: int, weights: Floats) -> None:
    """Write what the network says of ``board[at]``, by what the viewer knows, to ``work.layer``."""
    work.board[KNOWN] = work.board[at]
    conceal(work.board[KNOWN], viewer)
    hear(work.board[KNOWN], viewer, work.numbers, weights, work.layer)


@cache
def learned_weights() -> Any:
    """The weights that ``royalcrypt train`` made; value.json beside the file says how and when."""
    with (files("royalcrypt.search") / "learned" / "value.npy").open("rb") as file:
        return np.load(file, allow_pickle=False)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a seat may expect: its chance to win (alone: to be The Magnificent) and its score in coins."""

    win: float
    score: float
    worth: float
    """The value by which bots choose."""


class Judge:
    """Evaluates plain states. Each thread needs one of its own."""

    def __init__(self) -> None:
        self._weights = learned_weights()
        self._numbers: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)

    def opinion(self, known: State, seat: int) -> Opinion:
        """Of any seat, in a plain state where the seat has just acted or waits for others."""
        compiled(hear)(record_of(known), seat, self._numbers, self._weights, self._layer)
        win, score = float(self._layer[WIN_AT]), float(self._layer[SCORE_AT])
        return Opinion(win, score * SCORE_SCALE, worth_of(win, score, known.is_solo))

    def appraised(self, known: State) -> list[tuple[int, State, Opinion]]:
        """Each small decision of the actor, the state after it, and the actor's evaluation of that state."""
        options = no_options()
        found: list[tuple[int, State, Opinion]] = []
        for index in range(legal_actions(known, options)):
            after = copy_of(known)
            apply(after, known.actor, options.codes[index])
            found.append((options.codes[index], after, self.opinion(after, known.actor)))
        return found
