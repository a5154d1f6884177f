"""Treasure cards: their number, their places, and the players who know their values."""

from enum import IntEnum

from royalcrypt.rules import notes
from royalcrypt.rules.layout import EVERYONE, KINDS, NONE, SEATS, VALUES, State
from royalcrypt.rules.notes import note

IN_CRYPT = SEATS
DISCARDED = SEATS + 1


class Type(IntEnum):
    IDOL = 0
    JEWELRY = 1
    MANUSCRIPT = 2
    POTTERY = 3
    REMAINS = 4
    TAPESTRY = 5


class Side(IntEnum):
    A = 0
    B = 1


# Plain integers, because an enumeration lookup takes longer than most rules functions.
IDOL, JEWELRY, MANUSCRIPT, POTTERY, REMAINS, TAPESTRY = (member.value for member in Type)
SIDE_A, SIDE_B = (member.value for member in Side)


COPIES = ((0, 0, 0, 0), (1, 1, 1, 1), (1, 1, 1, 1), (1, 2, 2, 1), (2, 2, 2, 2))
"""Copies of each card in the game, by number of seats and by card value (R2.1)."""


def kind_of(card_type: int, value: int) -> int:
    """The number of a kind (type and value), from I1 to T4 in the order that chance uses (RECORD.md)."""
    return card_type * VALUES + value - 1


def kind_type(kind: int) -> int:
    return kind // VALUES


def kind_value(kind: int) -> int:
    return kind % VALUES + 1


def shuffle_in(state: State) -> None:
    state.deck = 0
    for kind in range(KINDS):
        copies = COPIES[state.seats][kind % VALUES]
        state.unseen[kind] = copies
        state.deck += copies
    state.top = NONE


def unseen_of_type(state: State, card_type: int) -> int:
    count = 0
    for kind in range(card_type * VALUES, (card_type + 1) * VALUES):
        count += state.unseen[kind]
    return count


def draw(state: State, kind: int) -> int:
    """Draw a card into the Crypt; no player knows its value yet."""
    state.unseen[kind] -= 1
    state.deck -= 1
    card = state.drawn
    state.drawn += 1
    state.card_type[card] = kind_type(kind)
    state.card_value[card] = kind_value(kind)
    state.card_place[card] = IN_CRYPT
    state.card_flipped[card] = 0
    state.card_knowers[card] = 0
    return card


def show_to_all(state: State, card: int) -> None:
    state.card_knowers[card] = EVERYONE


def show_to(state: State, seat: int, card: int) -> None:
    state.card_knowers[card] |= 1 << seat


def is_public(state: State, card: int) -> bool:
    return state.card_knowers[card] == EVERYONE


def gain(state: State, seat: int, card: int) -> None:
    """Move a card into a player's collection; its new owner learns its value (R6.4)."""
    player = state.players[seat]
    card_type = state.card_type[card]
    state.card_place[card] = seat
    show_to(state, seat, card)
    player.held[card_type] += 1
    player.unflipped[card_type] += 1
    state.taken[state.takings] = card
    state.takings += 1


def flip_card(state: State, seat: int, card: int) -> None:
    """Flip a card face-up permanently; every player then knows its value (section 8)."""
    state.card_flipped[card] = 1
    show_to_all(state, card)
    state.players[seat].unflipped[state.card_type[card]] -= 1
    note(state, notes.FLIPPED, seat, card, 0)


def can_flip(state: State, card: int, seat: int, card_type: int) -> bool:
    return (
        state.card_place[card] == seat
        and state.card_type[card] == card_type
        and state.card_flipped[card] == 0
    )


def card_to_flip(state: State, seat: int, card_type: int, value: int) -> int:
    """Of equal cards, the one to flip: one known to all, else the oldest; NONE without any (section 12)."""
    found = NONE
    for index in range(state.takings):
        card = state.taken[index]
        if can_flip(state, card, seat, card_type) and state.card_value[card] == value:
            if is_public(state, card):
                return card
            if found == NONE:
                found = card
    return found
