"""What the learned values say of a position that somebody knows: for bots, who need not know how."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from royalcrypt.rules.layout import NONE, State
from royalcrypt.search.carrier import STATE, no_options_record, record_of
from royalcrypt.search.features import END
from royalcrypt.search.network import LAYER
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import KNOWN, TRIED, weighed_action


@cache
def learned_weights() -> Any:
    """What ``royalcrypt train`` made; value.json beside it says how, when, and how strong it is."""
    with (files("royalcrypt.search") / "learned" / "value.npy").open("rb") as file:
        return np.load(file, allow_pickle=False)


class Judge:
    """One for each thread: it works on memory of its own."""

    def __init__(self, weights: Any = None) -> None:
        self._weights = learned_weights() if weights is None else weights
        self._board: Any = np.zeros(TRIED + 1, STATE)
        self._options = no_options_record()
        self._numbers: Any = np.zeros(END, np.float32)
        self._before: Any = np.zeros(END, np.float32)
        self._best: Any = np.zeros(END, np.float32)
        self._layer: Any = np.zeros(LAYER, np.float32)

    def best_action(self, known: State) -> int:
        """The actor's, of a plain state that holds no more than the actor knows."""
        self._board[KNOWN] = record_of(known)
        return int(
            compiled(weighed_action)(
                self._board,
                self._options,
                self._numbers,
                self._before,
                self._best,
                self._weights,
                self._layer,
                NONE,
            )
        )
