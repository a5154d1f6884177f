"""Whole games in which everybody plays as the bot ``heir`` does, in machine code."""

from royalcrypt.lab.strong_play import strong_action
from royalcrypt.rules.chance import draw_chance
from royalcrypt.rules.layout import CHANCE, NOBODY, Ints
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.search.backend import Floats, Tables
from royalcrypt.search.simulation import STUCK
from royalcrypt.search.workspace import BLANK, LONGEST, PLAYED, Workspace

STEPS_AT_MOST = 2000
"""Of a game, decisions of players and of chance; most have about a hundred."""
ONLY_THE_BEST = 1
WIN, SCORE = range(2)
"""What is hoped for after a decision: to win, and a part of ``SCORE_SCALE``."""


def play_as_heirs(
    work: Workspace,
    weights: Floats,
    steps: Ints,
    hopes: Tables,
    sides: Ints,
    players: int,
    leader: int,
    high: int,
    low: int,
) -> int:
    """Play the game with this key; write its steps, and a row of ``hopes`` for each decision of a player.

    Returns the number of steps, or STUCK if it would have no end.
    """
    board = work.board
    found = work.under_way
    board[PLAYED] = board[BLANK]
    set_up(board[PLAYED], players, sides, leader)
    step = 0
    decision = 0
    while board[PLAYED].actor != NOBODY:
        if step + LONGEST > STEPS_AT_MOST:
            return STUCK
        seat = board[PLAYED].actor
        if seat == CHANCE:
            steps[step] = draw_chance(board[PLAYED], high, low)
            apply(board[PLAYED], seat, int(steps[step]))
            step += 1
        else:
            strong_action(work, found, ONLY_THE_BEST, weights)
            for index in range(found[0].steps):
                steps[step] = found[0].codes[index]
                apply(board[PLAYED], seat, int(steps[step]))
                hopes[decision][WIN] = found[0].win
                hopes[decision][SCORE] = found[0].score
                step += 1
                decision += 1
    return step
