"""The claims that may follow in a round, one after the other, so that they can be chosen with care."""

from royalcrypt.rules.turns import apply, is_claiming
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import Candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.replies import Replies, digest, remember
from royalcrypt.search.rollouts import ROLLOUT_BOARD, ROOT
from royalcrypt.search.valuing import KNOWN

AHEAD = ROLLOUT_BOARD
"""How far the round has come, as far as whoever thinks knows it."""
AHEAD_BOARD = AHEAD + 1


def goes_on(board: Board, replies: Replies, chosen: Candidates) -> bool:
    """Go on with an action, which is remembered, and say whether another claim follows.

    If so, ``board[ROOT]`` and ``board[KNOWN]`` are what goes for whoever makes it.
    """
    actor = board[AHEAD].actor
    board[KNOWN] = board[AHEAD]
    conceal(board[KNOWN], actor)
    remember(replies, digest(board[KNOWN]), chosen)
    for step in range(chosen[0].steps):
        apply(board[AHEAD], actor, int(chosen[0].codes[step]))
    if not is_claiming(board[AHEAD]):
        return False
    board[KNOWN] = board[AHEAD]
    conceal(board[KNOWN], board[AHEAD].actor)
    board[ROOT] = board[KNOWN]
    return True
