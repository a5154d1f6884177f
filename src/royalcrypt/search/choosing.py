"""The whole actions that the learned values like best, and how they do when the round is played out."""

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import State
from royalcrypt.search.candidates import BEAM, CANDIDATE, list_candidates
from royalcrypt.search.carrier import STATE, no_options_record, record_of
from royalcrypt.search.features import END
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.network import LAYER, SCORE_SCALE
from royalcrypt.search.replies import REMEMBERED, REPLY
from royalcrypt.search.rollouts import ROLLOUT_BOARD, ROOT, compare
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import KNOWN

AT_ONCE = 4
"""Tries of each candidate between two looks at the clock."""
PRIOR = 5
"""So many tries does the network's own promise count for."""


class Candidate(NamedTuple):
    """A whole action by its small decisions; what the network expects after it, and how good it is found."""

    codes: list[int]
    win: float
    score: float
    promise: float


@dataclass(frozen=True)
class Care:
    """How carefully candidates are compared."""

    candidates: int
    tries: int
    """Of all candidates together, each time before the worse half of them is given up."""
    halvings: int = 0
    seconds: float = inf
    seed: int = 0


def no_numbers() -> Any:
    return np.zeros(END, np.float32)


@dataclass
class Chooser:
    """One for each thread: it works on memory of its own."""

    weights: Any = field(default_factory=learned_weights)
    _board: Any = field(default_factory=lambda: np.zeros(ROLLOUT_BOARD, STATE))
    _options: Any = field(default_factory=no_options_record)
    _numbers: Any = field(default_factory=no_numbers)
    _before: Any = field(default_factory=no_numbers)
    _layer: Any = field(default_factory=lambda: np.zeros(LAYER, np.float32))
    _replies: Any = field(default_factory=lambda: np.zeros(REMEMBERED, REPLY))
    _begun: Any = field(default_factory=lambda: np.zeros(2 * BEAM, CANDIDATE))
    _under_way: Any = field(default_factory=lambda: np.zeros(1, CANDIDATE))

    def candidates(self, known: State, most: int) -> list[Candidate]:
        """The actor's, best first; the plain state holds no more than the actor knows."""
        return told(self._best(known, most))

    def compared(self, known: State, care: Care) -> list[Candidate]:
        """Those that were not given up, best first."""
        found = self._best(known, care.candidates)
        self._board[ROOT] = self._board[KNOWN]
        self._replies["look"] = 0
        key, began, tried = game_key(care.seed, known.decisions), monotonic(), 0
        for halving in range(care.halvings + 1):
            found = found[: max(2, -(-len(found) // 2))] if halving else found
            tries = max(1, care.tries // len(found)) if len(found) > 1 else 0
            until = began + care.seconds * (halving + 1) / (care.halvings + 1)
            while tries > 0 and monotonic() < until:
                now = min(AT_ONCE, tries)
                self._try(found, tried, now, key)
                tries, tried = tries - now, tried + now
            found = found[in_order(found)]
        return told(found)

    def _best(self, known: State, most: int) -> Any:
        found: Any = np.zeros(most, CANDIDATE)
        self._board[KNOWN] = record_of(known)
        count = compiled(list_candidates)(
            self._board, self._options, self._begun, found, most,
            self._numbers, self._before, self.weights, self._layer,
        )  # fmt: skip
        return found[:count][in_order(found[:count])]

    def _try(self, found: Any, first: int, tries: int, key: tuple[int, int]) -> None:
        compiled(compare)(
            self._board, self._options, found, len(found), first, tries, self._replies,
            self._begun, self._under_way, self._numbers, self._before, self.weights, self._layer, *key,
        )  # fmt: skip


def worth_of(found: Any) -> Any:
    return (found["total"] + PRIOR * found["promise"]) / (found["tries"] + PRIOR)


def in_order(found: Any) -> Any:
    """Best first; of equals, the one that was listed first."""
    return np.argsort(-worth_of(found), kind="stable")


def told(found: Any) -> list[Candidate]:
    return [
        Candidate(
            [int(code) for code in one["codes"][: one["steps"]]],
            float(one["win"]),
            float(one["score"]) * SCORE_SCALE,
            float(promise),
        )
        for one, promise in zip(found, worth_of(found), strict=True)
    ]
