"""Alone with the deck and all dice laid open: what could at best be made of a deal, as far as it is found.

Nobody plays like that; it tells how much of what is missing to a perfect score is due to luck. Whole rounds
are gone through with every action, and the most promising ends are carried on (a beam).
"""

from typing import Annotated, Protocol

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, Ints, Options
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.carrier import Board, record_dtype
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, evaluate
from royalcrypt.search.replies import digest

STACK = 2048
"""States of one round that wait to be gone on with: a few decisions, each with a hundred ways at most."""


class End(Protocol):
    """A round's end: what it promises, and what it looks like."""

    promise: Annotated[float, "f8"]
    look: Annotated[int, "i8"]


class Ends(Protocol):
    def __getitem__(self, index: int, /) -> End: ...


END_OF_ROUND = record_dtype(End)
EMPTY = -1.0


def keep_end(
    board: Board,
    ends: Ends,
    first: int,
    breadth: int,
    at: int,
    numbers: Floats,
    weights: Floats,
    layer: Floats,
) -> None:
    """Put the state at ``board[at]`` among the ``breadth`` best ends from ``first`` on, if it is one."""
    state = board[at]
    if state.actor == NOBODY:
        promise = state.players[0].score / SCORE_SCALE
    else:
        describe(state, 0, numbers)
        evaluate(numbers, weights, layer)
        promise = max(0.0, layer[SCORE_AT])
    look = digest(state)
    worst = first
    for index in range(first, first + breadth):
        if ends[index].promise != EMPTY and ends[index].look == look:
            return
        if ends[index].promise < ends[worst].promise:
            worst = index
    if promise > ends[worst].promise:
        board[worst] = state
        ends[worst].promise = promise
        ends[worst].look = look


def best_score(
    board: Board,
    options: Options,
    ends: Ends,
    breadth: int,
    sides: Ints,
    numbers: Floats,
    weights: Floats,
    layer: Floats,
    game: int,
    is_random: bool,
    high: int,
    low: int,
) -> int:
    """The best score found for one deal; the board has two generations of ends, and then the stack."""
    own_high, own_low = numbered_key(high, low, game)
    if is_random:
        choose_sides(sides, own_high, own_low)
    stack = 2 * breadth
    now = 0
    for index in range(2 * breadth):
        ends[index].promise = EMPTY
    set_up(board[0], 1, sides, 0)
    ends[0].promise = 0.0
    best = 0
    while ends[now].promise != EMPTY:
        following = breadth - now
        for index in range(following, following + breadth):
            ends[index].promise = EMPTY
        for index in range(now, now + breadth):
            if ends[index].promise == EMPTY or board[index].actor == NOBODY:
                continue
            this_round = board[index].round_number
            board[stack] = board[index]
            height = 1
            while height > 0:
                top = stack + height - 1
                while board[top].actor == CHANCE and board[top].round_number == this_round:
                    apply(board[top], CHANCE, draw_chance(board[top], own_high, own_low))
                if board[top].actor == NOBODY or board[top].round_number != this_round:
                    keep_end(board, ends, following, breadth, top, numbers, weights, layer)
                    best = max(best, board[top].players[0].score if board[top].actor == NOBODY else 0)
                    height -= 1
                    continue
                ways = legal_actions(board[top], options)
                board[stack + STACK] = board[top]
                for way in range(ways):
                    board[top + way] = board[stack + STACK]
                    apply(board[top + way], board[top + way].actor, options.codes[way])
                height += ways - 1
        now = following
    return best
