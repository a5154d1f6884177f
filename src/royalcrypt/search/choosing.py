"""The whole actions that the learned values like best, and how they do when the round is played out."""

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import State
from royalcrypt.search.ahead import AHEAD, AHEAD_BOARD, goes_on
from royalcrypt.search.candidates import BEAM, CANDIDATE, list_candidates
from royalcrypt.search.carrier import STATE, no_options_record, record_of
from royalcrypt.search.features import END
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.network import LAYER, SCORE_SCALE
from royalcrypt.search.replies import REMEMBERED, REPLY
from royalcrypt.search.rollouts import ROOT, compare
from royalcrypt.search.twins import compiled
from royalcrypt.search.valuing import KNOWN, worth_of

AT_ONCE = 2
"""Tries of each candidate between two looks at the clock, and at how many replies were thought of."""
AHEAD_PARTS = 2
"""Of its time, thinking ahead gets so many times what tries get before each halving."""
REPLIES = 6
"""Candidates of each claim that is thought ahead."""
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
    ahead: int = 0
    """Tries by which each claim that may follow is chosen, once half of the candidates are given up. Without
    any, others and oneself are expected to do what promises most."""
    replies: float = inf
    """Once so many more were thought of, no more is tried before the next halving."""
    seconds: float = inf
    seed: int = 0


def no_numbers() -> Any:
    return np.zeros(END, np.float32)


@dataclass
class Chooser:
    """One for each thread: it works on memory of its own."""

    weights: Any = field(default_factory=learned_weights)
    _board: Any = field(default_factory=lambda: np.zeros(AHEAD_BOARD, STATE))
    _options: Any = field(default_factory=no_options_record)
    _numbers: Any = field(default_factory=no_numbers)
    _before: Any = field(default_factory=no_numbers)
    _layer: Any = field(default_factory=lambda: np.zeros(LAYER, np.float32))
    _replies: Any = field(default_factory=lambda: np.zeros(REMEMBERED, REPLY))
    _begun: Any = field(default_factory=lambda: np.zeros(2 * BEAM, CANDIDATE))
    _under_way: Any = field(default_factory=lambda: np.zeros(1, CANDIDATE))

    def candidates(self, known: State, most: int) -> list[Candidate]:
        """The actor's, best first; the plain state holds no more than the actor knows."""
        self._board[KNOWN] = record_of(known)
        return self._told(self._best(most))

    def compared(self, known: State, care: Care) -> list[Candidate]:
        """Those that were not given up, best first."""
        self._board[KNOWN] = record_of(known)
        found = self._best(care.candidates)
        self._board[ROOT] = self._board[KNOWN]
        self._replies["look"] = 0
        key, until, tried = game_key(care.seed, known.decisions), monotonic(), 0
        part = care.seconds / (care.halvings + 1 + (AHEAD_PARTS if care.ahead else 0))
        for halving in range(care.halvings + 1):
            found = found[: max(2, -(-len(found) // 2))] if halving else found
            tries = max(1, care.tries // len(found)) if len(found) > 1 else 0
            if care.ahead and halving == 1 and tries > 0:
                until += AHEAD_PARTS * part
                self._board[AHEAD] = self._board[ROOT]
                self._think_ahead(found, care, until, key)
            until += part
            thoughts = self._thoughts() + care.replies
            while tries > 0 and monotonic() < until and self._thoughts() <= thoughts:
                now = min(AT_ONCE, tries)
                self._try(found, tried, now, key)
                tries, tried = tries - now, tried + now
            found = self._in_order(found)
        return self._told(found)

    def _think_ahead(self, found: Any, care: Care, until: float, key: tuple[int, int]) -> None:
        """What may follow each candidate is chosen with care and remembered; they are to be tried anew."""
        root, here = self._board[ROOT].copy(), self._board[AHEAD].copy()
        for candidate in found:
            self._board[AHEAD] = here
            action = candidate.reshape(1)
            while monotonic() < until and compiled(goes_on)(self._board, self._replies, action):
                listed = self._best(REPLIES)
                if len(listed) > 1:
                    self._try(listed, 0, care.ahead, key)
                action = self._in_order(listed)[:1]
        self._board[ROOT], self._board[AHEAD] = root, here
        for sums in ("tries", "wins", "scores"):
            found[sums] = 0

    def _thoughts(self) -> int:
        return int(np.count_nonzero(self._replies["look"]))

    def _worths(self, found: Any) -> Any:
        total = worth_of(found["wins"], found["scores"], self._board[KNOWN]["is_solo"])
        return (total + PRIOR * found["promise"]) / (found["tries"] + PRIOR)

    def _in_order(self, found: Any) -> Any:
        """Best first; of equals, the one that was listed first."""
        return found[np.argsort(-self._worths(found), kind="stable")]

    def _told(self, found: Any) -> list[Candidate]:
        return [
            Candidate(
                [int(code) for code in one["codes"][: one["steps"]]],
                float(one["win"]),
                float(one["score"]) * SCORE_SCALE,
                float(promise),
            )
            for one, promise in zip(found, self._worths(found), strict=True)
        ]

    def _best(self, most: int) -> Any:
        """Of the actor in ``KNOWN``."""
        found: Any = np.zeros(most, CANDIDATE)
        count = compiled(list_candidates)(
            self._board, self._options, self._begun, found, most,
            self._numbers, self._before, self.weights, self._layer,
        )  # fmt: skip
        return self._in_order(found[:count])

    def _try(self, found: Any, first: int, tries: int, key: tuple[int, int]) -> None:
        compiled(compare)(
            self._board, self._options, found, len(found), first, tries, self._replies,
            self._begun, self._under_way, self._numbers, self._before, self.weights, self._layer, *key,
        )  # fmt: skip
