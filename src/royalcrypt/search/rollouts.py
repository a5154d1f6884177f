"""Candidates compared by rollouts to the end of the round: hidden cards are dealt, all meet the same chance.

The value network rates the end of the round by what each seat knows then.
"""

from royalcrypt.rules.fast_chance import draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply
from royalcrypt.search.carrier import Floats
from royalcrypt.search.judge import evaluate_for, share_of
from royalcrypt.search.network import SCORE_AT, SCORE_SCALE, WIN_AT
from royalcrypt.search.replies import common_knowledge, reply
from royalcrypt.search.sampling import deal_hidden
from royalcrypt.search.workspace import DEALT, PLAYED, ROOT, Candidates, Workspace


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
    """Roll out the round from ``board[ROOT]`` after each candidate, ``tries`` times; add up the results."""
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
                        common_knowledge(board, seat)
                        reply(work, weights)
                        step = 0
                    action = int(under_way[0].codes[step])
                    step += 1
                apply(board[PLAYED], actor, action)
            found[index].tries += 1
            judge_end(work, seat, weights)
            found[index].wins += work.layer[WIN_AT]
            found[index].scores += work.layer[SCORE_AT]


def judge_end(work: Workspace, seat: int, weights: Floats) -> None:
    """Write what ``board[PLAYED]`` is worth to a seat to ``layer``; chances to win add up to 1."""
    state = work.board[PLAYED]
    layer = work.layer
    if state.actor == NOBODY:
        layer[SCORE_AT] = state.players[seat].score / SCORE_SCALE
        layer[WIN_AT] = share_of(state, seat)
        return
    win = 0.0
    score = 0.0
    everybody = 0.0
    for viewer in range(scoring_seats(state)):
        evaluate_for(work, PLAYED, viewer, weights)
        everybody += layer[WIN_AT]
        if viewer == seat:
            win = layer[WIN_AT]
            score = layer[SCORE_AT]
    layer[WIN_AT] = win if state.is_solo else win / everybody
    layer[SCORE_AT] = score
