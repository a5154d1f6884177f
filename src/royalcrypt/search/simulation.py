"""Simulation on either backend: sampled hidden cards, random players, and completion of actions.

The module needs neither NumPy nor Numba.
"""

from royalcrypt.rules.cards import kind_value, unseen_of_type
from royalcrypt.rules.chance import draw_chance, game_key, keyed_choice, keyed_word
from royalcrypt.rules.layout import CHANCE, NOBODY, VALUES, Options, State, copy_of, no_options
from royalcrypt.rules.turns import action_at, apply, count_actions, is_under_way, legal_actions

HIDDEN = 1 << 27
"""The chance addresses for the values of hidden cards."""
BOTS_SEED = 1 << 29
"""The chance address of the bots' seed, which is independent of cards and dice."""
CHOICES = 1 << 30
"""The chance addresses of a random player's choices, used with a separate key."""
STEPS_AT_MOST = 4000
STUCK = -1


def deal_hidden(state: State, high: int, low: int) -> None:
    """Assign to every hidden card one of the unseen values of its type; all unseen cards are equally likely.

    The remaining unseen cards form the deck.
    """
    values = state.card_value
    for card in range(state.drawn):
        if values[card] == 0:
            values[card] = draw_value(state, state.card_type[card], high, low, HIDDEN + (card << 8))


def draw_value(state: State, card_type: int, high: int, low: int, address: int) -> int:
    """Draw the value of an unseen card of this type, and remove the card from the unseen ones."""
    choice = keyed_choice(high, low, address, unseen_of_type(state, card_type))
    kind = card_type * VALUES
    while choice >= state.unseen[kind]:
        choice -= state.unseen[kind]
        kind += 1
    state.unseen[kind] -= 1
    return kind_value(kind)


def bots_seed(high: int, low: int) -> int:
    """The 64-bit seed of the bots for the game with this key."""
    return keyed_word(high, low, BOTS_SEED) << 32 | keyed_word(high, low, BOTS_SEED + 1)


def random_action(state: State, options: Options, high: int, low: int) -> int:
    """The small decision of a random player with this key; STUCK if no action is legal."""
    count = count_actions(state, options)
    if count == 0:
        return STUCK
    return action_at(state, options, keyed_choice(high, low, CHOICES + (state.decisions << 8), count))


def play_out(state: State, options: Options, high: int, low: int) -> int:
    """Play the game to its end with this key; return the number of steps, or STUCK if there are too many."""
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
    """Apply one step: a chance outcome, or the actor's ``action``."""
    if state.actor == CHANCE:
        action = draw_chance(state, high, low)
    apply(state, state.actor, action)


def applied(state: State, seat: int, *codes: int) -> State:
    """A copy of a plain state after these small decisions of a seat, or these outcomes of CHANCE."""
    after = copy_of(state)
    for code in codes:
        apply(after, seat, code)
    return after


def completed(known: State, seat: int, code: int) -> tuple[list[int], State]:
    """The whole action that begins with a small decision, paid with the lowest cards, and its result.

    The lowest cards suffice, because flipped cards still score.
    """
    after, options, codes = applied(known, seat, code), no_options(), [code]
    while is_under_way(after, seat):
        legal_actions(after, options)
        codes.append(options.codes[0])
        apply(after, seat, codes[-1])
    return codes, after
