"""The best solo score that a beam search finds if the deck and all dice are known.

The score shows which part of the gap to a perfect score is luck. Each round is searched in full, and the
round ends with the highest values are kept.
"""

from typing import Annotated, Protocol

from royalcrypt.rules.chance import draw_chance
from royalcrypt.rules.layout import CHANCE, NOBODY
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.backend import Board, Floats, RecordArray, record_dtype
from royalcrypt.search.candidates import digest_of
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, predict
from royalcrypt.search.workspace import Workspace

STACK = 2048
"""The capacity for unsearched states of one round: a few decisions with at most a hundred options each."""


class RoundEnd(Protocol):
    """The end of a round: its value and a digest of its state."""

    value: Annotated[float, "f8"]
    digest: Annotated[int, "i8"]


Ends = RecordArray[RoundEnd]
END_OF_ROUND = record_dtype(RoundEnd)
EMPTY = -1.0


def keep_end(
    work: Workspace, board: Board, ends: Ends, first: int, breadth: int, at: int, weights: Floats
) -> None:
    """Insert ``board[at]`` into the ``breadth`` best ends from ``first`` on, if it is good enough."""
    state = board[at]
    if state.actor == NOBODY:
        value = state.players[0].score / SCORE_SCALE
    else:
        predict(state, 0, work.numbers, weights, work.layer)
        value = max(0.0, work.layer[SCORE_AT])
    digest = digest_of(state)
    worst = first
    for index in range(first, first + breadth):
        if ends[index].value != EMPTY and ends[index].digest == digest:
            return
        if ends[index].value < ends[worst].value:
            worst = index
    if value > ends[worst].value:
        board[worst] = state
        ends[worst].value = value
        ends[worst].digest = digest


def best_score(
    work: Workspace, board: Board, ends: Ends, breadth: int, weights: Floats, high: int, low: int
) -> int:
    """The best score found for the deal with this key and the Collectors' sides in ``work.sides``.

    The board contains two generations of ends, followed by the stack.
    """
    stack = 2 * breadth
    now = 0
    for index in range(2 * breadth):
        ends[index].value = EMPTY
    set_up(board[0], 1, work.sides, 0)
    ends[0].value = 0.0
    best = 0
    while ends[now].value != EMPTY:
        following = breadth - now
        for index in range(following, following + breadth):
            ends[index].value = EMPTY
        for index in range(now, now + breadth):
            if ends[index].value == EMPTY or board[index].actor == NOBODY:
                continue
            this_round = board[index].round_number
            board[stack] = board[index]
            height = 1
            while height > 0:
                top = stack + height - 1
                while board[top].actor == CHANCE and board[top].round_number == this_round:
                    apply(board[top], CHANCE, draw_chance(board[top], high, low))
                if board[top].actor == NOBODY or board[top].round_number != this_round:
                    keep_end(work, board, ends, following, breadth, top, weights)
                    best = max(best, board[top].players[0].score if board[top].actor == NOBODY else 0)
                    height -= 1
                    continue
                count = legal_actions(board[top], work.options)
                board[stack + STACK] = board[top]
                for way in range(count):
                    board[top + way] = board[stack + STACK]
                    apply(board[top + way], board[top + way].actor, work.options.codes[way])
                height += count - 1
        now = following
    return best
