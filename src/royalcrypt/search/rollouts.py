"""Candidates compared by playing the round out: hidden cards dealt anew, the same luck for all of them.

What a round's end is worth says the value network, of what the seat knows then.
"""

from royalcrypt.rules.fast_chance import draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, Options
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import BOARD, Candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.contests import share_of
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, evaluate
from royalcrypt.search.sampling import deal_hidden
from royalcrypt.search.valuing import KNOWN, PLAYED, weighed_action, worth

ROOT, DEALT = BOARD, BOARD + 1
ROLLOUT_BOARD = BOARD + 2


def compare(
    board: Board,
    options: Options,
    found: Candidates,
    count: int,
    first: int,
    trials: int,
    rounds: int,
    numbers: Floats,
    before: Floats,
    best: Floats,
    weights: Floats,
    layer: Floats,
    high: int,
    low: int,
) -> None:
    """After each candidate play so many rounds out from ``board[ROOT]``, and add up what they were worth."""
    seat = board[ROOT].actor
    end = board[ROOT].round_number + rounds
    for trial in range(first, first + trials):
        own_high, own_low = numbered_key(high, low, trial)
        board[DEALT] = board[ROOT]
        deal_hidden(board[DEALT], own_high, own_low)
        for index in range(count):
            board[PLAYED] = board[DEALT]
            step = 0
            while board[PLAYED].actor != NOBODY and board[PLAYED].round_number < end:
                actor = board[PLAYED].actor
                if step < found[index].steps:
                    action = int(found[index].codes[step])
                    step += 1
                elif actor == CHANCE:
                    action = draw_chance(board[PLAYED], own_high, own_low)
                else:
                    board[KNOWN] = board[PLAYED]
                    conceal(board[KNOWN], actor)
                    action = weighed_action(board, options, numbers, before, best, weights, layer, NONE)
                apply(board[PLAYED], actor, action)
            if board[PLAYED].actor == NOBODY:
                layer[WIN_AT] = share_of(board[PLAYED], seat)
                layer[SCORE_AT] = board[PLAYED].players[seat].score / SCORE_SCALE
            else:
                conceal(board[PLAYED], seat)
                describe(board[PLAYED], seat, numbers)
                evaluate(numbers, weights, layer)
            found[index].tries += 1
            found[index].total += worth(layer, board[ROOT].is_solo)
