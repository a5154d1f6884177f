"""Players who compare their candidates by rollouts, and what the value network learns from them.

The results of its rollouts are the targets of each candidate, also of those that are not taken. So the
network learns to predict what rollouts would find.
"""

from royalcrypt.rules.fast_chance import keyed_choice, numbered_key
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.carrier import Floats
from royalcrypt.search.features import describe
from royalcrypt.search.judge import hear
from royalcrypt.search.network import SCORE_AT, WIN_AT, worth_of
from royalcrypt.search.random_play import CHOICES
from royalcrypt.search.rollouts import compare
from royalcrypt.search.self_play import (
    DARING,
    SETTLED,
    TRIED_BY,
    Samples,
    TrainingGames,
    learn_from_games,
    play_and_sample,
    write_sample,
)
from royalcrypt.search.twins import rebound
from royalcrypt.search.workspace import GAME, KNOWN, NO_PROMISE, REMEMBERED, ROOT, TRIED, Workspace

CANDIDATES, TRIES = 6, 12
"""Candidates of each decision, and rollouts of each candidate."""
PRIOR = 3
"""The network's estimate counts as this many rollouts."""
LONGEST_CAREFUL_GAME = 1500
"""Samples of one game."""


def sample_candidates(work: Workspace, samples: Samples, first: int, count: int) -> int:
    """Write a sample for each candidate of ``board[ROOT]``; return the best candidate."""
    board = work.board
    seat = board[ROOT].actor
    best = 0
    most = NO_PROMISE
    for index in range(count):
        one = work.found[index]
        win = (one.wins + PRIOR * one.win) / (one.tries + PRIOR)
        score = (one.scores + PRIOR * one.score) / (one.tries + PRIOR)
        here = worth_of(win, score, board[ROOT].is_solo)
        if here > most:
            most = here
            best = index
        board[TRIED] = board[ROOT]
        for step in range(one.steps):
            apply(board[TRIED], seat, int(one.codes[step]))
        describe(board[TRIED], seat, work.numbers)
        write_sample(samples[first + index], work.numbers, win, score)
        samples[first + index].owner = SETTLED
    return best


def decide_carefully(
    work: Workspace, samples: Samples, at: int, weights: Floats, plan: TrainingGames, high: int, low: int
) -> int:
    """Take the best candidate in ``board[GAME]``; return where the samples end.

    Once in ``plan.one_in`` decisions a random candidate is taken. Samples are written of all candidates,
    and after each small decision of the one taken.
    """
    board = work.board
    found = work.found
    seat = board[GAME].actor
    board[KNOWN] = board[GAME]
    conceal(board[KNOWN], seat)
    board[ROOT] = board[KNOWN]
    decision = board[ROOT].decisions << 8
    count = list_candidates(work, found, CANDIDATES, weights)
    chosen = 0
    owner = seat
    if count > 1:
        for index in range(REMEMBERED):
            work.replies[index].look = 0
        key_high, key_low = numbered_key(high, low, decision)
        compare(work, found, count, 0, TRIES, weights, key_high, key_low)
        chosen = sample_candidates(work, samples, at, count)
        at += count
        if plan.one_in > 0 and keyed_choice(high, low, DARING + decision, plan.one_in) == 0:
            best = chosen
            chosen = keyed_choice(high, low, CHOICES + decision, count)
            owner = seat if chosen == best else seat + TRIED_BY
    for step in range(found[chosen].steps):
        apply(board[ROOT], seat, int(found[chosen].codes[step]))
        hear(board[ROOT], seat, work.numbers, weights, work.layer)
        write_sample(samples[at], work.numbers, work.layer[WIN_AT], work.layer[SCORE_AT])
        samples[at].owner = owner
        owner = seat
        at += 1
        apply(board[GAME], seat, int(found[chosen].codes[step]))
    return at


play_carefully_and_sample = rebound(play_and_sample, "play_carefully_and_sample", decide=decide_carefully)
learn_from_careful_games = rebound(
    learn_from_games, "learn_from_careful_games", play_and_sample=play_carefully_and_sample
)
