"""Set-up (section 2) and the Reveal phase: the row is drawn (section 4) and sorted for the Ghost (R10.3)."""

from royalcrypt.rules import notes, phases
from royalcrypt.rules.cards import draw, kind_type, show_to_all, shuffle_in, unseen_of_type
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SERVANTS, TYPES, Ints, State
from royalcrypt.rules.notes import note


def set_up(state: State, players: int, sides: Ints, leader: int) -> None:
    """Turn a blank state into a game before its first draw; in solo games the Ghost has seat 1 (R10.1)."""
    state.is_solo = 1 if players == 1 else 0
    state.seats = 2 if players == 1 else players
    for card_type in range(TYPES):
        state.sides[card_type] = sides[card_type]
    for seat in range(state.seats):
        state.players[seat].ready = SERVANTS
    shuffle_in(state)
    state.leader = leader
    state.last_slot = NONE
    begin_round(state)
    state.actor = CHANCE


FACE_UP = (0, 2, 2, 3, 4)
ROW = (0, 3, 3, 4, 6)
"""The number of cards in a row, face-up and face-down, by number of seats (R4.1)."""
ROUNDS = (0, 8, 8, 9, 8)
"""The rounds of a game, by number of players or seats (R4.1); the deck divides evenly into rows."""


def row_length(state: State) -> int:
    return ROW[state.seats]


def seat_at(state: State, order: int) -> int:
    """The seat at this position of the round's turn order (R3.1)."""
    seat = state.leader + order
    return seat if seat < state.seats else seat - state.seats


def begin_round(state: State) -> None:
    state.round_number += 1
    state.phase = phases.REVEAL
    state.turn = 0
    state.order = 0
    state.chance_seat = 0
    state.chance_index = 0
    state.ghost_pushed = 0
    for seat in range(state.seats):
        state.players[seat].has_placed = 0
        state.players[seat].has_peeked = 0


def draw_into_row(state: State, kind: int) -> None:
    position = state.chance_index
    card = draw(state, kind)
    slot = state.slots[position]
    slot.card = card
    slot.is_down = 1 if position >= FACE_UP[state.seats] else 0
    slot.holder = NONE
    slot.dice = 0
    slot.effort = 0
    slot.failed = 0
    if not slot.is_down:
        show_to_all(state, card)
    state.top = NONE
    state.chance_index += 1
    if state.chance_index == row_length(state):
        complete_row(state)


def complete_row(state: State) -> None:
    if state.is_solo:
        order_row(state)
    note(state, notes.REVEALED, state.leader, 0, 0)
    state.chance_index = 0
    state.phase = phases.TOP if state.deck > 0 else phases.POTTERY
    state.actor = CHANCE if state.deck > 0 else NOBODY


def show_top(state: State, card_type: int) -> None:
    state.top = card_type
    state.phase = phases.POTTERY
    state.actor = NOBODY


def ghost_rank(state: State, position: int) -> int:
    """Twice the coins of a card in the row, for sorting; a face-down card counts 2.5 coins (R10.3)."""
    slot = state.slots[position]
    return 5 if slot.is_down else 2 * state.card_value[slot.card]


def order_row(state: State) -> None:
    """Sort the row by value, highest first; equal cards stay in the order of drawing (R10.3)."""
    for end in range(row_length(state) - 1, 0, -1):
        for position in range(end):
            if ghost_rank(state, position) < ghost_rank(state, position + 1):
                swap_cards(state, position, position + 1)


def swap_cards(state: State, left: int, right: int) -> None:
    """Exchange the cards in two slots; the cards' indices stay with the slots."""
    one = state.slots[left]
    other = state.slots[right]
    one.is_down, other.is_down = other.is_down, one.is_down
    for row in (state.card_type, state.card_value, state.card_knowers):
        row[one.card], row[other.card] = row[other.card], row[one.card]


def draws(state: State) -> int:
    """The number of equally likely cards for the next draw (RECORD.md, Chance)."""
    return state.deck if state.top == NONE else unseen_of_type(state, state.top)


def may_be_drawn(state: State, kind: int) -> bool:
    return state.unseen[kind] > 0 and (state.top == NONE or state.top == kind_type(kind))
