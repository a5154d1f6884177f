"""The whole actions that the value network rates highest, compared by rollouts of the round."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import State, copy_of
from royalcrypt.rules.turns import apply
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.carrier import record_of
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.network import SCORE_SCALE, worth_of
from royalcrypt.search.replies import goes_on
from royalcrypt.search.rollouts import compare
from royalcrypt.search.twins import compiled
from royalcrypt.search.workspace import CANDIDATE, GAME, KNOWN, ROOT, new_workspace

AT_ONCE = 2
"""Rollouts of each candidate between two checks of the time and of the number of cached replies."""
AHEAD_PARTS = 2
"""Lookahead gets this many times the time of the rollouts before each halving."""
REPLIES = 6
"""Candidates of each claim in the lookahead."""
PRIOR = 5
"""The network's estimate counts as this many rollouts."""


class Candidate(NamedTuple):
    """A whole action: its small decisions, the network's estimates after it, and its value after rollouts."""

    codes: list[int]
    win: float
    score: float
    promise: float


@dataclass(frozen=True)
class Care:
    """How many rollouts compare how many candidates."""

    candidates: int
    tries: int
    """Rollouts of all candidates together, before each time that the worse half is dropped."""
    halvings: int = 0
    ahead: int = 0
    """Rollouts by which each claim that may follow is chosen, after the first halving. With 0, all players
    are expected to take the action with the highest value."""
    replies: float = inf
    """Rollouts pause until the next halving once this many more replies are in the cache."""
    seconds: float = inf
    seed: int = 0


def after_action(known: State, codes: Iterable[int]) -> State:
    """The plain state after the actor's small decisions."""
    after = copy_of(known)
    for code in codes:
        apply(after, known.actor, code)
    return after


@dataclass
class Chooser:
    """Lists and compares whole actions. Each thread needs one of its own."""

    weights: Any = field(default_factory=learned_weights)
    _work: Any = field(default_factory=new_workspace)

    def candidates(self, known: State, most: int) -> list[Candidate]:
        """The actor's candidates, best first; the plain state is concealed for the actor."""
        self._work.board[KNOWN] = record_of(known)
        return self._told(self._best(most))

    def compared(self, known: State, care: Care) -> list[Candidate]:
        """The candidates that were not dropped, best first."""
        self._work.board[KNOWN] = record_of(known)
        found = self._best(care.candidates)
        self._work.board[ROOT] = self._work.board[KNOWN]
        self._work.replies["look"] = 0
        key, until, tried = game_key(care.seed, known.decisions), monotonic(), 0
        part = care.seconds / (care.halvings + 1 + (AHEAD_PARTS if care.ahead else 0))
        for halving in range(care.halvings + 1):
            found = found[: max(2, -(-len(found) // 2))] if halving else found
            tries = max(1, care.tries // len(found)) if len(found) > 1 else 0
            if care.ahead and halving == 1 and tries > 0:
                until += AHEAD_PARTS * part
                self._work.board[GAME] = self._work.board[ROOT]
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
        """Choose the claims that may follow each candidate by rollouts and cache them; reset the sums."""
        root, here = self._work.board[ROOT].copy(), self._work.board[GAME].copy()
        for candidate in found:
            self._work.board[GAME] = here
            action = candidate.reshape(1)
            while monotonic() < until and compiled(goes_on)(self._work, action):
                listed = self._best(REPLIES)
                if len(listed) > 1:
                    self._try(listed, 0, care.ahead, key)
                action = self._in_order(listed)[:1]
        self._work.board[ROOT], self._work.board[GAME] = root, here
        for sums in ("tries", "wins", "scores"):
            found[sums] = 0

    def _thoughts(self) -> int:
        return int(np.count_nonzero(self._work.replies["look"]))

    def _worths(self, found: Any) -> Any:
        total = worth_of(found["wins"], found["scores"], self._work.board[KNOWN]["is_solo"])
        return (total + PRIOR * found["promise"]) / (found["tries"] + PRIOR)

    def _in_order(self, found: Any) -> Any:
        """Best first; of equals, the one listed first."""
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
        """Candidates of the actor in ``board[KNOWN]``."""
        found: Any = np.zeros(most, CANDIDATE)
        count = compiled(list_candidates)(self._work, found, most, self.weights)
        return self._in_order(found[:count])

    def _try(self, found: Any, first: int, tries: int, key: tuple[int, int]) -> None:
        compiled(compare)(self._work, found, len(found), first, tries, self.weights, *key)
