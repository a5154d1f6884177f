"""The knowledge of each seat and of spectators (section 11). No other module decides what a viewer knows."""

from royalcrypt.rules import phases
from royalcrypt.rules.cards import IN_CRYPT, kind_of
from royalcrypt.rules.layout import State


def knower_bit(state: State, viewer: int) -> int:
    """The bit in a card's knowers that stands for the viewer: a seat, or SPECTATOR (R11.1, R11.2).

    After the end of the game every card is known, so the bit is not needed (R11.4).
    """
    return 0 if state.phase == phases.OVER else 1 << viewer


def knows(state: State, viewer: int, card: int) -> bool:
    """Whether the viewer knows the value of a drawn card."""
    bit = knower_bit(state, viewer)
    return state.card_knowers[card] & bit == bit


def is_visible(state: State, viewer: int, card: int) -> bool:
    """Whether the viewer need not remember the card: it is flipped, their own or in the row (section 12)."""
    place = state.card_place[card]
    return state.card_flipped[card] == 1 or place == viewer or place == IN_CRYPT or state.phase == phases.OVER


def conceal(state: State, viewer: int) -> None:
    """Remove from the state, in place, everything that the viewer does not know.

    A hidden card's value becomes 0 and the card joins the unseen ones, whose counts by type are then just the
    viewer's beliefs (R11.5): cards whose place they do not know. What remains is a function of R11.1 and the
    viewer's own R11.2 alone. Concealing twice changes nothing.
    """
    bit = knower_bit(state, viewer)
    knowers = state.card_knowers
    for card in range(state.drawn):
        if knowers[card] & bit != bit:
            hide(state, card)
    state.noted = 0


def forget(state: State, viewer: int) -> None:
    """Remove, in addition to ``conceal``, what the viewer knows but would have to remember."""
    for card in range(state.drawn):
        if not is_visible(state, viewer, card):
            hide(state, card)


def hide(state: State, card: int) -> None:
    value = state.card_value[card]
    if value > 0:
        state.unseen[kind_of(state.card_type[card], value)] += 1
        state.card_value[card] = 0


def unveil(state: State, bits: int) -> None:
    """Make all drawn cards known to the viewers with these bits, for the replay of a finished game."""
    for card in range(state.drawn):
        state.card_knowers[card] |= bits
