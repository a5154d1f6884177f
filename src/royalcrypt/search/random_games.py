"""Games of random players, on either carrier, just as the bot ``random`` plays them.

This needs neither NumPy nor Numba, for plain games are played by it as well.
"""

from royalcrypt.rules.fast_chance import draw_chance, keyed_choice, keyed_word
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SEATS, Ints, Options, State
from royalcrypt.rules.turns import action_at, apply, count_actions

BOTS_SEED = 1 << 29
"""Address of the words that bots get for a seed: from them, nobody computes cards or dice."""
CHOICES = 1 << 30
"""Addresses of a random player's choices, under a key of their own."""
STEPS_AT_MOST = 4000
WINNERS, ROUNDS, DECISIONS = SEATS, SEATS + 1, SEATS + 2
FINDINGS = SEATS + 3
"""What is found out about a game: scores by seat, one bit for each winner, and its length."""


def bots_seed(high: int, low: int) -> int:
    """The seed that the bots of the game with this key get; 64 bits."""
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


def carry_on(
    state: State,
    options: Options,
    findings: Ints,
    action: int,
    high: int,
    low: int,
    own_high: int,
    own_low: int,
    steps: int,
) -> bool:
    """Take so many steps, or all there are; return whether the game is over, with its findings written.

    Chance has the key ``high``, ``low``. Players decide on ``action``, or if it is NONE at random.
    """
    for _ in range(steps):
        if state.actor == CHANCE:
            outcome = draw_chance(state, high, low)
        elif state.actor == NOBODY:
            break
        else:
            outcome = random_action(state, options, own_high, own_low) if action == NONE else action
        apply(state, state.actor, outcome)
    if state.actor != NOBODY:
        return False
    find(state, findings)
    return True
