"""Random games from the first card to the score, many at once, in machine code."""

from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.fast_chance import draw_chance, keyed_choice
from royalcrypt.rules.layout import CHANCE, NOBODY, Options, State
from royalcrypt.rules.turns import action_at, apply, count_actions

STEPS_AT_MOST = 4000
STUCK = -1
PLAYERS_CHOICE = 1 << 30
"""Addresses of random players' choices, apart from those of cards and dice."""


def play_out(state: State, options: Options, high: int, low: int) -> int:
    """Play to the end at random; return the number of steps, or STUCK for a game that would never end."""
    for step in range(STEPS_AT_MOST):
        if state.actor == CHANCE:
            apply(state, CHANCE, draw_chance(state, high, low))
        elif state.actor == NOBODY:
            return step
        else:
            count = count_actions(state, options)
            if count == 0:
                return STUCK
            choice = keyed_choice(high, low, PLAYERS_CHOICE + (state.decisions << 8), count)
            apply(state, state.actor, action_at(state, options, choice))
    return STUCK


__all__ = ["ACTIONS", "play_out"]
