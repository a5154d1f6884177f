"""Determinisation: deals values to the hidden cards of a concealed state (R11.5).

Works on both backends. Needs neither NumPy nor Numba.
"""

from royalcrypt.rules.cards import kind_value, unseen_of_type
from royalcrypt.rules.chance import keyed_choice
from royalcrypt.rules.layout import VALUES, State

HIDDEN = 1 << 27
"""Addresses of the values of hidden cards."""


def deal_hidden(state: State, high: int, low: int) -> None:
    """Give every hidden card one of the unseen values of its type, all cards being equally likely.

    The cards that are left unseen are the deck.
    """
    values = state.card_value
    for card in range(state.drawn):
        if values[card] == 0:
            values[card] = draw_value(state, state.card_type[card], high, low, HIDDEN + (card << 8))


def draw_value(state: State, card_type: int, high: int, low: int, address: int) -> int:
    """Draw the value of an unseen card of this type, and remove it from the unseen ones."""
    choice = keyed_choice(high, low, address, unseen_of_type(state, card_type))
    kind = card_type * VALUES
    while choice >= state.unseen[kind]:
        choice -= state.unseen[kind]
        kind += 1
    state.unseen[kind] -= 1
    return kind_value(kind)
