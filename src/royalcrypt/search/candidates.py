"""The whole actions that the value network rates highest, found by a beam search over small decisions.

The network can only guess the value of an unfinished claim. So several unfinished claims are kept, and rated
again once they are complete.
"""

from royalcrypt.rules.turns import apply, is_under_way, legal_actions
from royalcrypt.search.carrier import Floats
from royalcrypt.search.features import describe
from royalcrypt.search.network import SCORE_AT, WIN_AT, begin, evaluate_next, worth
from royalcrypt.search.workspace import BEAM, BEGUN, KNOWN, LONGEST, TRIED, Candidate, Candidates, Workspace


def place_for(candidates: Candidates, first: int, count: int, most: int, promise: float) -> int:
    """The index for a new candidate: behind the last, or that of the worst if it is worse; else ``most``."""
    if count < most:
        return count
    worst = 0
    for index in range(1, most):
        if candidates[first + index].promise < candidates[first + worst].promise:
            worst = index
    return worst if candidates[first + worst].promise < promise else most


def list_candidates(work: Workspace, found: Candidates, most: int, weights: Floats) -> int:
    """Write up to ``most`` whole actions of the actor in ``board[KNOWN]``, unordered; return how many."""
    board = work.board
    begun = work.begun
    layer = work.layer
    seat = board[KNOWN].actor
    now = 0
    board[BEGUN] = board[KNOWN]
    begun[0].steps = 0
    begin(work.before, weights, layer)
    going_on = 1
    count = 0
    for step in range(LONGEST):
        following = BEAM - now
        carried = 0
        for index in range(going_on):
            origin = now + index
            for choice in range(legal_actions(board[BEGUN + origin], work.options)):
                action = work.options.codes[choice]
                board[TRIED] = board[BEGUN + origin]
                apply(board[TRIED], seat, action)
                describe(board[TRIED], seat, work.numbers)
                evaluate_next(work.numbers, work.before, weights, layer)
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
