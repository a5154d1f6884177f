"""The action whose outcome the value network likes best."""

from royalcrypt.rules.layout import NONE, Options
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.carrier import Board
from royalcrypt.search.features import END, describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import SCORE_AT, WIN_AT, begin, evaluate_next

BLANK, PLAYED, KNOWN, TRIED = range(4)
"""The states of a board: nothing, a game, what the actor knows of it, and that after an action."""
SCORE_WEIGHT, SCORE_WEIGHT_ALONE = 0.05, 1.0
"""What the score counts beside the chance to win: it breaks ties, and keeps a lost game worth playing."""
NO_PROMISE = -1e9


def worth(layer: Floats, is_solo: int) -> float:
    return worth_of(layer[WIN_AT], layer[SCORE_AT], is_solo)


def worth_of(win: float, score: float, is_solo: int) -> float:
    """By which bots choose; the score is a part of ``SCORE_SCALE``."""
    return win + (SCORE_WEIGHT_ALONE if is_solo else SCORE_WEIGHT) * score


def weighed_action(
    board: Board,
    options: Options,
    numbers: Floats,
    before: Floats,
    best: Floats,
    weights: Floats,
    layer: Floats,
    only: int,
) -> int:
    """The actor's action in ``board[KNOWN]`` that promises most; ``best`` gets the description after it.

    If ``only`` is not NONE, the action with this index is taken instead, whatever it promises.
    """
    seat = board[KNOWN].actor
    chosen = NONE
    promise = NO_PROMISE
    begin(before, weights, layer)
    for index in range(legal_actions(board[KNOWN], options)):
        if only >= 0 and only != index:
            continue
        action = options.codes[index]
        board[TRIED] = board[KNOWN]
        apply(board[TRIED], seat, action)
        describe(board[TRIED], seat, numbers)
        evaluate_next(numbers, before, weights, layer)
        here = worth(layer, board[KNOWN].is_solo)
        if here > promise:
            promise = here
            chosen = action
            for number in range(END):
                best[number] = numbers[number]
    return chosen
