"""Compares candidates by rollouts to the end of the round, each with the same sampled cards and chance.

The value network rates the end of the round from the knowledge of each seat.
"""

from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from royalcrypt.rules.chance import draw_chance, game_key, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, State
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.backend import Floats, record_of
from royalcrypt.search.candidates import assume_knowledge, list_candidates, play_and_cache, reply
from royalcrypt.search.compilation import compiled
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, learned_weights, predict, worth_of
from royalcrypt.search.simulation import deal_hidden
from royalcrypt.search.workspace import (
    CANDIDATE,
    DEALT,
    GAME,
    KNOWN,
    PLAYED,
    ROOT,
    Candidates,
    Workspace,
    new_workspace,
)

MAGNIFICENT = 50
"""The score that counts as a win in solo games, in coins (R10.7)."""


def win_share(state: State, seat: int) -> float:
    """A seat's share of the win after the end of the game (R7.3)."""
    if state.is_solo:
        return 1.0 if state.players[seat].score >= MAGNIFICENT else 0.0
    winners = 0
    for other in range(scoring_seats(state)):
        winners += state.players[other].is_contender
    return state.players[seat].is_contender / winners


def evaluate_for_viewer(work: Workspace, at: int, viewer: int, weights: Floats) -> None:
    """Write the network's prediction for ``board[at]``, from the viewer's knowledge, to ``work.layer``."""
    work.board[KNOWN] = work.board[at]
    conceal(work.board[KNOWN], viewer)
    predict(work.board[KNOWN], viewer, work.numbers, weights, work.layer)


def compare(
    work: Workspace,
    found: Candidates,
    count: int,
    first: int,
    tries: int,
    weights: Floats,
    high: int,
    low: int,
) -> None:
    """Roll out the round from ``board[ROOT]`` ``tries`` times after each candidate; add up the results."""
    board = work.board
    under_way = work.under_way
    seat = board[ROOT].actor
    this_round = board[ROOT].round_number
    for trial in range(first, first + tries):
        own_high, own_low = numbered_key(high, low, trial)
        board[DEALT] = board[ROOT]
        deal_hidden(board[DEALT], own_high, own_low)
        for index in range(count):
            board[PLAYED] = board[DEALT]
            under_way[0] = found[index]
            step = 0
            while board[PLAYED].actor != NOBODY and board[PLAYED].round_number == this_round:
                actor = board[PLAYED].actor
                if actor == CHANCE:
                    action = draw_chance(board[PLAYED], own_high, own_low)
                else:
                    if step == under_way[0].steps:
                        assume_knowledge(board, seat)
                        reply(work, weights)
                        step = 0
                    action = int(under_way[0].codes[step])
                    step += 1
                apply(board[PLAYED], actor, action)
            found[index].tries += 1
            evaluate_end(work, seat, weights)
            found[index].wins += work.layer[WIN_AT]
            found[index].scores += work.layer[SCORE_AT]


def evaluate_end(work: Workspace, seat: int, weights: Floats) -> None:
    """Write the value of ``board[PLAYED]`` for a seat to ``layer``; win chances are scaled to a sum of 1."""
    state = work.board[PLAYED]
    layer = work.layer
    if state.actor == NOBODY:
        layer[SCORE_AT] = state.players[seat].score / SCORE_SCALE
        layer[WIN_AT] = win_share(state, seat)
        return
    win = 0.0
    score = 0.0
    total = 0.0
    for viewer in range(scoring_seats(state)):
        evaluate_for_viewer(work, PLAYED, viewer, weights)
        total += layer[WIN_AT]
        if viewer == seat:
            win = layer[WIN_AT]
            score = layer[SCORE_AT]
    layer[WIN_AT] = win if state.is_solo else win / total
    layer[SCORE_AT] = score


ROLLOUTS_PER_CHECK = 2
"""The number of rollouts per candidate between two checks of the time and of cached replies."""
LOOKAHEAD_PARTS = 2
"""The time of lookahead before each halving, as a multiple of the time of rollouts."""
REPLIES = 6
"""The number of candidates for each claim in the lookahead."""
PRIOR = 5
"""The weight of the network's estimate, in rollouts."""


class RatedAction(NamedTuple):
    """A whole action with the network's estimates after it and its value by rollouts."""

    codes: list[int]
    win: float
    score: float
    value: float


@dataclass(frozen=True)
class RolloutPlan:
    """The numbers of candidates and rollouts of a comparison."""

    candidates: int
    tries: int
    """The number of rollouts of all candidates together before each halving of the candidates."""
    halvings: int = 0
    lookahead: int = 0
    """Rollouts for the choice of each possible reply, after the first halving. With 0, all players are
    assumed to take the action with the highest value."""
    replies: float = inf
    """The number of new cached replies after which rollouts pause until the next halving."""
    seconds: float = inf
    seed: int = 0


@dataclass
class RolloutSearch:
    """Lists and compares whole actions. Each thread needs its own instance."""

    weights: Any = field(default_factory=learned_weights)
    _work: Any = field(default_factory=new_workspace)

    def candidates(self, known: State, most: int) -> list[RatedAction]:
        """The actor's candidates, best first; the given plain state is concealed for the actor."""
        self._work.board[KNOWN] = record_of(known)
        return self._rated(self._best(most))

    def compared(self, known: State, plan: RolloutPlan) -> list[RatedAction]:
        """The candidates that remain after all halvings, best first."""
        self._work.board[KNOWN] = record_of(known)
        found = self._best(plan.candidates)
        self._work.board[ROOT] = self._work.board[KNOWN]
        self._work.replies["digest"] = 0
        key, until, tried = game_key(plan.seed, known.decisions), monotonic(), 0
        part = plan.seconds / (plan.halvings + 1 + (LOOKAHEAD_PARTS if plan.lookahead else 0))
        for halving in range(plan.halvings + 1):
            found = found[: max(2, -(-len(found) // 2))] if halving else found
            tries = max(1, plan.tries // len(found)) if len(found) > 1 else 0
            if plan.lookahead and halving == 1 and tries > 0:
                until += LOOKAHEAD_PARTS * part
                self._work.board[GAME] = self._work.board[ROOT]
                self._look_ahead(found, plan, until, key)
            until += part
            most_replies = self._cached_replies() + plan.replies
            while tries > 0 and monotonic() < until and self._cached_replies() <= most_replies:
                now = min(ROLLOUTS_PER_CHECK, tries)
                self._roll_out(found, tried, now, key)
                tries, tried = tries - now, tried + now
            found = self._in_order(found)
        return self._rated(found)

    def _look_ahead(self, found: Any, plan: RolloutPlan, until: float, key: tuple[int, int]) -> None:
        """Choose replies to each candidate by rollouts and cache them; reset the sums."""
        root, here = self._work.board[ROOT].copy(), self._work.board[GAME].copy()
        for candidate in found:
            self._work.board[GAME] = here
            action = candidate.reshape(1)
            while monotonic() < until and compiled(play_and_cache)(self._work, action):
                listed = self._best(REPLIES)
                if len(listed) > 1:
                    self._roll_out(listed, 0, plan.lookahead, key)
                action = self._in_order(listed)[:1]
        self._work.board[ROOT], self._work.board[GAME] = root, here
        for sums in ("tries", "wins", "scores"):
            found[sums] = 0

    def _cached_replies(self) -> int:
        return int(np.count_nonzero(self._work.replies["digest"]))

    def _worths(self, found: Any) -> Any:
        total = worth_of(found["wins"], found["scores"], self._work.board[KNOWN]["is_solo"])
        return (total + PRIOR * found["value"]) / (found["tries"] + PRIOR)

    def _in_order(self, found: Any) -> Any:
        """Sort candidates best first; of equal ones, in the order of listing."""
        return found[np.argsort(-self._worths(found), kind="stable")]

    def _rated(self, found: Any) -> list[RatedAction]:
        return [
            RatedAction(
                [int(code) for code in one["codes"][: one["steps"]]],
                float(one["win"]),
                float(one["score"]) * SCORE_SCALE,
                float(value),
            )
            for one, value in zip(found, self._worths(found), strict=True)
        ]

    def _best(self, most: int) -> Any:
        """List the best candidates of the actor in ``board[KNOWN]``."""
        found: Any = np.zeros(most, CANDIDATE)
        count = compiled(list_candidates)(self._work, found, most, self.weights)
        return self._in_order(found[:count])

    def _roll_out(self, found: Any, first: int, tries: int, key: tuple[int, int]) -> None:
        compiled(compare)(self._work, found, len(found), first, tries, self.weights, *key)
