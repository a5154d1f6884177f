"""Whole actions that the value network likes best: a claim is put together from small decisions.

A claim that has begun is worth what it may still become, which the network only guesses; so several begun
claims are carried on, and judged for good once they have ended.
"""

from typing import Annotated, Protocol

from royalcrypt.rules.layout import Ints, Options
from royalcrypt.rules.turns import apply, is_under_way, legal_actions
from royalcrypt.search.carrier import Board, record_dtype
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import SCORE_AT, WIN_AT, begin, evaluate_next
from royalcrypt.search.valuing import KNOWN, TRIED, worth

LONGEST = 6
"""Small decisions of one action; a claim has four at most."""
BEAM = 8
"""Begun claims that are carried on."""
BEGUN = TRIED + 1
"""Where their states are on the board: of this step, and of the next."""
BOARD = BEGUN + 2 * BEAM


class Candidate(Protocol):
    codes: Annotated[Ints, "i2", (LONGEST,)]
    steps: Annotated[int, "i2"]
    win: Annotated[float, "f4"]
    score: Annotated[float, "f4"]
    promise: Annotated[float, "f4"]
    tries: Annotated[int, "i4"]
    wins: Annotated[float, "f8"]
    scores: Annotated[float, "f8"]
    """What came of all tries together."""


class Candidates(Protocol):
    """Putting one in copies it."""

    def __getitem__(self, index: int, /) -> Candidate: ...
    def __setitem__(self, index: int, candidate: Candidate, /) -> None: ...


CANDIDATE = record_dtype(Candidate)


def place_for(candidates: Candidates, first: int, count: int, most: int, promise: float) -> int:
    """Where a new candidate belongs: behind the last, or where the worst is if it is worse; else ``most``."""
    if count < most:
        return count
    worst = 0
    for index in range(1, most):
        if candidates[first + index].promise < candidates[first + worst].promise:
            worst = index
    return worst if candidates[first + worst].promise < promise else most


def list_candidates(
    board: Board,
    options: Options,
    begun: Candidates,
    found: Candidates,
    most: int,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
) -> int:
    """Write up to ``most`` whole actions of the actor in ``board[KNOWN]``, in no order; return how many."""
    seat = board[KNOWN].actor
    now = 0
    board[BEGUN] = board[KNOWN]
    begun[0].steps = 0
    begin(before, weights, layer)
    going_on = 1
    count = 0
    for step in range(LONGEST):
        following = BEAM - now
        carried = 0
        for index in range(going_on):
            origin = now + index
            for choice in range(legal_actions(board[BEGUN + origin], options)):
                action = options.codes[choice]
                board[TRIED] = board[BEGUN + origin]
                apply(board[TRIED], seat, action)
                describe(board[TRIED], seat, numbers)
                evaluate_next(numbers, before, weights, layer)
                promise = worth(layer, board[KNOWN].is_solo)
                if is_under_way(board[TRIED], seat):
                    place = place_for(begun, following, carried, BEAM, promise)
                    if place < BEAM:
                        board[BEGUN + following + place] = board[TRIED]
                        begun[following + place] = begun[origin]
                        carry_on(begun[following + place], step, action, promise, layer)
                        carried = max(carried, place + 1)
                else:
                    place = place_for(found, 0, count, most, promise)
                    if place < most:
                        found[place] = begun[origin]
                        carry_on(found[place], step, action, promise, layer)
                        count = max(count, place + 1)
        now = following
        going_on = carried
    return count


def carry_on(candidate: Candidate, step: int, action: int, promise: float, layer: Floats) -> None:
    candidate.codes[step] = action
    candidate.steps = step + 1
    candidate.promise = promise
    candidate.win = layer[WIN_AT]
    candidate.score = layer[SCORE_AT]
    candidate.tries = 0
    candidate.wins = 0.0
    candidate.scores = 0.0
