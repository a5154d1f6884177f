"""Judges what every action would lead to by a learned value, and takes the best; it looks no further."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.rules.layout import NONE, State, copy_of
from royalcrypt.rules.turns import apply, is_under_way
from royalcrypt.search.carrier import STATE, no_options_record, record_of
from royalcrypt.search.features import END
from royalcrypt.search.network import LAYER
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import KNOWN, TRIED, weighed_action

WEIGHTS_FILE = "value.npy"


@cache
def learned_weights() -> Any:
    """What ``royalcrypt train`` made; value.json beside it says how, when, and how strong it is."""
    with (files("royalcrypt.bots") / "learned" / WEIGHTS_FILE).open("rb") as file:
        return np.load(file, allow_pickle=False)


class HeirBot:
    name = "heir"

    def __init__(self, weights: Any = None) -> None:
        self._weights = learned_weights() if weights is None else weights
        self._board: Any = np.zeros(TRIED + 1, STATE)
        self._options = no_options_record()
        self._numbers: Any = np.zeros(END, np.float32)
        self._best: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)

    def choose(self, view: View, budget: Budget) -> Move:  # noqa: ARG002 (it takes no chances)
        seat = deciding_seat(view)
        known = copy_of(view.known)
        codes: list[int] = []
        while not codes or is_under_way(known, seat):
            codes.append(self._best_action(known))
            apply(known, seat, codes[-1])
        return Move.from_codes(codes)

    def _best_action(self, known: State) -> int:
        self._board[KNOWN] = record_of(known)
        return int(
            compiled(weighed_action)(
                self._board, self._options, self._numbers, self._best, self._weights, self._layer, NONE
            )
        )
