"""Random players, as the bot ``random``, on either backend. Needs neither NumPy nor Numba."""

from royalcrypt.rules.chance import draw_chance, game_key, keyed_choice, keyed_word
from royalcrypt.rules.layout import CHANCE, NOBODY, Options, State
from royalcrypt.rules.turns import action_at, apply, count_actions

BOTS_SEED = 1 << 29
"""Address of the words that become the seed of bots: it reveals no cards or dice."""
CHOICES = 1 << 30
"""Addresses of a random player's choices, under a separate key."""
STEPS_AT_MOST = 4000
STUCK = -1


def bots_seed(high: int, low: int) -> int:
    """The 64-bit seed of the bots in the game with this key."""
    return keyed_word(high, low, BOTS_SEED) << 32 | keyed_word(high, low, BOTS_SEED + 1)


def random_action(state: State, options: Options, high: int, low: int) -> int:
    """The small decision of a random player with this key; STUCK if there is none."""
    count = count_actions(state, options)
    if count == 0:
        return STUCK
    return action_at(state, options, keyed_choice(high, low, CHOICES + (state.decisions << 8), count))


def play_out(state: State, options: Options, high: int, low: int) -> int:
    """Play the game with this key to its end; return the number of steps, or STUCK if there are too many."""
    own_high, own_low = game_key(bots_seed(high, low), 0)
    for step in range(STEPS_AT_MOST):
        if state.actor == NOBODY:
            return step
        if state.actor == CHANCE:
            action = draw_chance(state, high, low)
        else:
            action = random_action(state, options, own_high, own_low)
            if action == STUCK:
                return STUCK
        apply(state, state.actor, action)
    return STUCK


def advance(state: State, action: int, high: int, low: int) -> None:
    """Apply one step: an outcome of chance, or the actor's ``action``."""
    if state.actor == CHANCE:
        action = draw_chance(state, high, low)
    apply(state, state.actor, action)
