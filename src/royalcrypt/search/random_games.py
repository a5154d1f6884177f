"""Whole games of random players, on either carrier, just as the bot ``random`` plays them.

This needs neither NumPy nor Numba, for plain games are played by it as well.
"""

from royalcrypt.rules.fast_chance import draw_chance, game_key, keyed_choice, keyed_word
from royalcrypt.rules.layout import CHANCE, NOBODY, SEATS, Ints, Options, State
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import action_at, apply, count_actions

BOTS_SEED = 1 << 29
"""Address of the words that bots get for a seed: from them, nobody computes cards or dice."""
CHOICES = 1 << 30
"""Addresses of a random player's choices, under a key of their own."""
STEPS_AT_MOST = 4000
STUCK = -1
WINNERS, ROUNDS, DECISIONS = SEATS, SEATS + 1, SEATS + 2
FINDINGS = SEATS + 3
"""What is found out about a game: scores by seat, one bit for each winner, and its length."""


def bots_seed(high: int, low: int) -> int:
    """The seed that the bots of a game get, from the game's key; 64 bits."""
    return keyed_word(high, low, BOTS_SEED) << 32 | keyed_word(high, low, BOTS_SEED + 1)


def random_action(state: State, options: Options, high: int, low: int) -> int:
    """The small decision that a random player with this key makes here."""
    count = count_actions(state, options)
    choice = keyed_choice(high, low, CHOICES + (state.decisions << 8), count)
    return action_at(state, options, choice)


def find(state: State, findings: Ints) -> None:
    """Write down how a game came out."""
    findings[WINNERS] = 0
    for seat in range(SEATS):
        findings[seat] = state.players[seat].score
        findings[WINNERS] += state.players[seat].is_contender << seat
    findings[ROUNDS] = state.round_number
    findings[DECISIONS] = state.decisions


def play_random_game(
    state: State,
    options: Options,
    players: int,
    sides: Ints,
    leader: int,
    high: int,
    low: int,
    findings: Ints,
) -> int:
    """Make a blank state a game that is over; return its steps, or STUCK for one that would never end."""
    own_high, own_low = game_key(bots_seed(high, low), 0)
    set_up(state, players, sides, leader)
    for step in range(STEPS_AT_MOST):
        if state.actor == CHANCE:
            apply(state, CHANCE, draw_chance(state, high, low))
        elif state.actor == NOBODY:
            find(state, findings)
            return step
        else:
            apply(state, state.actor, random_action(state, options, own_high, own_low))
    return STUCK
