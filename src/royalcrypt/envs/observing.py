"""A seat's observation, written from the whole state or from a concealed one: both give the same numbers.

``rules.views`` alone decides which values are written. What cannot be seen is found by counting what can, so
no hidden value is so much as read. The code runs plain and compiled.
"""

from typing import Protocol

from royalcrypt.envs.pieces import (
    DECK,
    ERRAND,
    ERRAND_SLOT,
    FLIPS_OWED,
    GHOST_PUSHED,
    LAST_SLOT,
    PHASE,
    RACE_OVER,
    ROUND,
    SEAT_ACTS,
    SEAT_CARDS,
    SEAT_EXHAUSTED,
    SEAT_HELD,
    SEAT_LEADS,
    SEAT_PEEKED,
    SEAT_PLACED,
    SEAT_READY,
    SEAT_UNFLIPPED,
    SEAT_WIDTH,
    SEAT_WON_IDOLS,
    SIDES,
    SLOT_DICE,
    SLOT_DOWN,
    SLOT_EFFORT,
    SLOT_FAILED,
    SLOT_HOLDER,
    SLOT_TYPE,
    SLOT_VALUE,
    SLOT_WIDTH,
    TABLE_WIDTH,
    TOP,
    TURN,
    UNSEEN,
)
from royalcrypt.rules import phases
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.cards import COPIES, IN_CRYPT, kind_of
from royalcrypt.rules.layout import KINDS, NONE, TYPES, VALUES, Options, State
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.turns import legal_actions
from royalcrypt.rules.views import knows


class Smalls(Protocol):
    """A fixed row of small whole numbers: a list, or an array of 8-bit ones."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


def observe(state: State, viewer: int, numbers: Smalls) -> None:
    """Write what the seat observes; see ``pieces`` for what is where."""
    seats_at = TABLE_WIDTH + row_length(state) * SLOT_WIDTH
    for index in range(seats_at + state.seats * SEAT_WIDTH):
        numbers[index] = 0
    observe_table(state, numbers)
    for position in range(row_length(state)):
        observe_slot(state, viewer, position, numbers, TABLE_WIDTH + position * SLOT_WIDTH)
    for seat in range(state.seats):
        observe_seat(state, seat, numbers, seats_at + seen_from(state, viewer, seat) * SEAT_WIDTH)
    observe_cards(state, viewer, numbers, seats_at)


def seen_from(state: State, viewer: int, seat: int) -> int:
    """How many seats to the left of the viewer."""
    left = seat - viewer
    return left if left >= 0 else left + state.seats


def observe_table(state: State, numbers: Smalls) -> None:
    if state.phase == phases.POTTERY:
        numbers[PHASE] = 1
    elif state.phase == phases.CLAIM:
        numbers[PHASE + 1] = 1
    elif state.phase == phases.IDOL:
        numbers[PHASE + 2] = 1
    elif state.phase == phases.REMAINS:
        numbers[PHASE + 3] = 1
    if state.errand != NO_ERRAND:
        numbers[ERRAND + state.errand - 1] = 1
        numbers[ERRAND_SLOT] = state.errand_slot + 1
        numbers[FLIPS_OWED] = state.flips_owed
    numbers[ROUND] = state.round_number
    numbers[TURN] = state.turn
    numbers[LAST_SLOT] = state.last_slot + 1
    for card_type in range(TYPES):
        numbers[SIDES + card_type] = state.sides[card_type]
    if state.top != NONE:
        numbers[TOP + state.top] = 1
    numbers[DECK] = state.deck
    numbers[RACE_OVER] = state.is_race_over
    numbers[GHOST_PUSHED] = state.ghost_pushed


def observe_slot(state: State, viewer: int, position: int, numbers: Smalls, at: int) -> None:
    slot = state.slots[position]
    if slot.card != NONE:
        numbers[at + SLOT_TYPE + state.card_type[slot.card]] = 1
        numbers[at + SLOT_DOWN] = slot.is_down
        if knows(state, viewer, slot.card):
            numbers[at + SLOT_VALUE] = state.card_value[slot.card]
    if slot.holder != NONE:
        numbers[at + SLOT_HOLDER + seen_from(state, viewer, slot.holder)] = 1
        numbers[at + SLOT_DICE] = slot.dice
        numbers[at + SLOT_EFFORT] = slot.effort
        numbers[at + SLOT_FAILED] = slot.failed


def observe_seat(state: State, seat: int, numbers: Smalls, at: int) -> None:
    player = state.players[seat]
    numbers[at + SEAT_ACTS] = 1 if state.actor == seat else 0
    numbers[at + SEAT_LEADS] = 1 if state.leader == seat else 0
    numbers[at + SEAT_READY] = player.ready
    numbers[at + SEAT_EXHAUSTED] = player.exhausted
    numbers[at + SEAT_PLACED] = player.has_placed
    numbers[at + SEAT_PEEKED] = player.has_peeked
    numbers[at + SEAT_WON_IDOLS] = player.won_idols
    for card_type in range(TYPES):
        numbers[at + SEAT_HELD + card_type] = player.held[card_type]
        numbers[at + SEAT_UNFLIPPED + card_type] = player.unflipped[card_type]


def observe_cards(state: State, viewer: int, numbers: Smalls, seats_at: int) -> None:
    """Known cards go where they are; the unseen ones are all others of the game (R2.1, R11.5)."""
    for kind in range(KINDS):
        numbers[UNSEEN + kind] = COPIES[state.seats][kind % VALUES]
    for card in range(state.drawn):
        if knows(state, viewer, card):
            kind = kind_of(state.card_type[card], state.card_value[card])
            numbers[UNSEEN + kind] -= 1
            place = state.card_place[card]
            if place < IN_CRYPT:
                numbers[seats_at + seen_from(state, viewer, place) * SEAT_WIDTH + SEAT_CARDS + kind] += 1


def write_mask(state: State, options: Options, mask: Smalls) -> None:
    """1 for each legal action of whoever decides, 0 for all others."""
    for action in range(ACTIONS):
        mask[action] = 0
    for index in range(legal_actions(state, options)):
        mask[options.codes[index]] = 1
