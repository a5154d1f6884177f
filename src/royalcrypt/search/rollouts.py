"""Candidates compared by playing the round out: hidden cards dealt anew, the same luck for all of them.

What a round's end is worth says the value network, of what everybody knows then.
"""

from royalcrypt.rules.fast_chance import draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, Options
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import BOARD, Candidates
from royalcrypt.search.carrier import Board
from royalcrypt.search.contests import share_of
from royalcrypt.search.features import describe
from royalcrypt.search.floats import Floats
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT, evaluate
from royalcrypt.search.replies import Replies, common_knowledge, reply
from royalcrypt.search.sampling import deal_hidden
from royalcrypt.search.valuing import KNOWN, PLAYED

ROOT, DEALT = BOARD, BOARD + 1
ROLLOUT_BOARD = BOARD + 2


def compare(
    board: Board,
    options: Options,
    found: Candidates,
    count: int,
    first: int,
    tries: int,
    replies: Replies,
    begun: Candidates,
    under_way: Candidates,
    numbers: Floats,
    before: Floats,
    weights: Floats,
    layer: Floats,
    high: int,
    low: int,
) -> None:
    """After each candidate play the round out from ``board[ROOT]``, so many times, and add up what comes."""
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
                        common_knowledge(board, seat)
                        reply(board, options, replies, begun, under_way, numbers, before, weights, layer)
                        step = 0
                    action = int(under_way[0].codes[step])
                    step += 1
                apply(board[PLAYED], actor, action)
            found[index].tries += 1
            judge_end(board, seat, numbers, weights, layer)
            found[index].wins += layer[WIN_AT]
            found[index].scores += layer[SCORE_AT]


def judge_end(board: Board, seat: int, numbers: Floats, weights: Floats, layer: Floats) -> None:
    """Of ``board[PLAYED]`` for a seat, into ``layer``; before the game's end, its part of what all expect."""
    if board[PLAYED].actor == NOBODY:
        layer[SCORE_AT] = board[PLAYED].players[seat].score / SCORE_SCALE
        layer[WIN_AT] = share_of(board[PLAYED], seat)
        return
    win = 0.0
    score = 0.0
    everybody = 0.0
    for viewer in range(scoring_seats(board[PLAYED])):
        board[KNOWN] = board[PLAYED]
        conceal(board[KNOWN], viewer)
        describe(board[KNOWN], viewer, numbers)
        evaluate(numbers, weights, layer)
        everybody += layer[WIN_AT]
        if viewer == seat:
            win = layer[WIN_AT]
            score = layer[SCORE_AT]
    layer[WIN_AT] = win if board[PLAYED].is_solo else win / everybody
    layer[SCORE_AT] = score
