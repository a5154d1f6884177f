"""A position encoded for the value network: numbers of about 1, from the point of view of one seat.

The state must be concealed for that seat; hidden cards count their expected value (R11.5). Seats are counted
from the viewer, so one network serves all seats, numbers of players and set-ups. Most inputs are 0 or 1, and
zeros cost the network nothing.
"""

from royalcrypt.rules import phases
from royalcrypt.rules.claims import has_begun_claim, turns_in_round
from royalcrypt.rules.layout import FACES, NONE, SEATS, SERVANTS, SLOTS, TYPES, VALUES, State
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import ROUNDS, row_length
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.search.carrier import Floats
from royalcrypt.search.hopes import (
    COINS,
    FINEST,
    HIDDEN,
    HOPE,
    MEAN,
    PROSPECTS,
    RISK,
    SCORE,
    TO_COME,
    WORTH,
    added,
    expect,
    paid,
)

SCRATCH = PROSPECTS
"""The inputs begin here."""
MOST_COUNTED = 4
"""Cards of one type that are told apart; more count as this many."""
SETS = 2 * MOST_COUNTED
"""Inputs for each type: by side and number of cards."""
SEAT_COINS, SEAT_PAID, SEAT_UNFLIPPED, SEAT_SETS = 24, 30, 36, 42
SEAT_INPUTS = SEAT_SETS + TYPES * SETS
SLOT_TYPE = 16
SLOT_INPUTS = SLOT_TYPE + 2 * TYPES + SEATS
TABLE_INPUTS = 64
SEATS_AT = SCRATCH
SLOTS_AT = SEATS_AT + SEATS * SEAT_INPUTS
TABLE_AT = SLOTS_AT + SLOTS * SLOT_INPUTS
END = TABLE_AT + TABLE_INPUTS
INPUTS = END - SCRATCH


def describe(state: State, viewer: int, numbers: Floats) -> None:
    """Write the ``INPUTS`` inputs from ``SCRATCH`` on, and the appraisal that they use before that."""
    for index in range(END):
        numbers[index] = 0.0
    expect(state, numbers)
    for order in range(state.seats):
        seat = (viewer + order) % state.seats
        describe_seat(state, seat, numbers, SEATS_AT + order * SEAT_INPUTS)
    for position in range(row_length(state)):
        if state.slots[position].card != NONE:
            describe_slot(state, viewer, position, numbers, SLOTS_AT + position * SLOT_INPUTS)
            share_row(state, viewer, position, numbers)
    describe_table(state, viewer, numbers)


def describe_seat(state: State, seat: int, numbers: Floats, at: int) -> None:
    player = state.players[seat]
    numbers[at] = 1.0
    for dice in range(player.ready):
        numbers[at + 1 + dice] = 1.0
    for dice in range(player.exhausted):
        numbers[at + 1 + SERVANTS + dice] = 1.0
    numbers[at + 7] = player.won_idols
    numbers[at + 8] = player.has_peeked
    numbers[at + 9] = numbers[FINEST + seat] / 4
    numbers[at + 10] = 1.0 if state.leader == seat else 0.0
    numbers[at + 11] = player.has_placed
    numbers[at + 12] = 1.0 if numbers[TO_COME + seat] > 0.0 else 0.0
    numbers[at + 13] = 1.0 if numbers[TO_COME + seat] > 1.0 else 0.0
    numbers[at + 14] = 1.0 if state.actor == seat else 0.0
    score = float(player.ready)
    for card_type in range(TYPES):
        held = player.held[card_type]
        if held > 0:
            coins = numbers[COINS + seat * TYPES + card_type]
            bonus = paid(state, seat, card_type, held, coins, numbers[FINEST + seat], numbers)
            score += coins + bonus
            unflipped = player.unflipped[card_type]
            numbers[at + SEAT_COINS + card_type] = coins / 8
            numbers[at + SEAT_PAID + card_type] = bonus / 8
            numbers[at + SEAT_UNFLIPPED + card_type] = (unflipped & 1) + 0.25 * unflipped
            kind = card_type * SETS + state.sides[card_type] * MOST_COUNTED + min(held, MOST_COUNTED) - 1
            numbers[at + SEAT_SETS + kind] = 1.0
    numbers[SCORE + seat] = score
    numbers[at + 15] = score / 40


def share_row(state: State, viewer: int, position: int, numbers: Floats) -> None:
    """Add to the seats' inputs what a card may bring: to its holder, and to those who could claim it."""
    slot = state.slots[position]
    for seat in range(scoring_seats(state)):
        order = (seat - viewer + state.seats) % state.seats
        at = SEATS_AT + order * SEAT_INPUTS
        hope = numbers[HOPE + seat * SLOTS + position]
        if slot.holder == seat:
            tired = slot.dice * (slot.effort - 1) / FACES
            safe = 1.0 - numbers[RISK + position]
            numbers[at + 16] += slot.dice / 3
            numbers[at + 17] += tired / 2
            numbers[at + 18] += safe * tired / 2
            numbers[at + 19] += hope / 8
            numbers[at + 20] += safe * hope / 8
            numbers[at + 21] += slot.failed / 3
        elif numbers[TO_COME + seat] > 0.0:
            if slot.holder == NONE:
                numbers[at + 22] = max(numbers[at + 22], hope / 8)
            else:
                numbers[at + 23] = max(numbers[at + 23], hope / 8)


def describe_slot(state: State, viewer: int, position: int, numbers: Floats, at: int) -> None:
    slot = state.slots[position]
    card_type = state.card_type[slot.card]
    worth = numbers[WORTH + position]
    own = numbers[HOPE + viewer * SLOTS + position]
    rivals = 0.0
    for other in range(scoring_seats(state)):
        if other != viewer:
            rivals = max(rivals, numbers[HOPE + other * SLOTS + position])
    numbers[at] = 1.0 if state.card_value[slot.card] == 0 else 0.0
    numbers[at + 1] = worth / 4
    numbers[at + 2] = own / 8
    numbers[at + 3] = rivals / 8
    numbers[at + 4] = added(state, viewer, card_type, worth, numbers) / 8
    numbers[at + SLOT_TYPE + 2 * card_type + state.sides[card_type]] = 1.0
    if slot.holder == NONE:
        numbers[at + 5] = 1.0
        numbers[at + 6] = own / 8
        numbers[at + 7] = rivals / 8
        return
    order = (slot.holder - viewer + state.seats) % state.seats
    numbers[at + SLOT_TYPE + 2 * TYPES + order] = 1.0
    numbers[at + 8] = slot.dice * slot.effort / 18
    numbers[at + 9] = slot.dice / 3
    safe = 1.0 - numbers[RISK + position]
    if order == 0:
        numbers[at + 10] = safe
        numbers[at + 11] = safe * own / 8
        numbers[at + 12] = slot.effort / 6
    else:
        numbers[at + 13] = safe
        numbers[at + 14] = safe * rivals / 8
        numbers[at + 15] = slot.effort / 6


def describe_table(state: State, viewer: int, numbers: Floats) -> None:
    at = TABLE_AT
    players = scoring_seats(state)
    numbers[at + players - 1] = 1.0
    rounds = ROUNDS[players]
    numbers[at + 4] = (rounds - state.round_number) / 8
    numbers[at + 5] = 1.0 if state.round_number == rounds else 0.0
    numbers[at + 6] = 1.0 if state.round_number == rounds - 1 else 0.0
    numbers[at + 7] = (turns_in_round(state) - state.turn) / 4
    numbers[at + 8] = 1.0 if has_begun_claim(state) else 0.0
    numbers[at + 9] = (state.last_slot + 1) / 6
    numbers[at + 10] = state.is_race_over
    numbers[at + 11] = 1.0 if state.phase < phases.CLAIM else 0.0
    numbers[at + 12] = 1.0 if phases.CLAIM <= state.phase <= phases.GHOST else 0.0
    numbers[at + 13] = 1.0 if phases.COLLECT <= state.phase <= phases.REROLL else 0.0
    numbers[at + 14] = 1.0 if state.phase >= phases.REMAINS else 0.0
    numbers[at + 15] = state.ghost_pushed / 3
    numbers[at + 16] = state.deck / 24
    if state.errand != NO_ERRAND:
        numbers[at + 17 + state.errand] = 1.0
        numbers[at + 17] = state.flips_owed
    for card_type in range(TYPES):
        cards = 0
        for value in range(VALUES):
            cards += state.unseen[card_type * VALUES + value]
        numbers[at + 22 + card_type] = state.sides[card_type]
        numbers[at + 28 + card_type] = numbers[MEAN + card_type] / 4
        numbers[at + 34 + card_type] = (cards - numbers[HIDDEN + card_type]) / 4
        numbers[at + 40 + card_type] = 1.0 if state.top == card_type else 0.0
    best = 0.0
    for other in range(players):
        if other != viewer:
            best = max(best, numbers[SCORE + other])
    numbers[at + 46] = max(0.0, numbers[SCORE + viewer] - best) / 16
    numbers[at + 47] = max(0.0, best - numbers[SCORE + viewer]) / 16
    if state.last_slot != NONE:
        numbers[at + 48 + state.last_slot] = 1.0
    numbers[at + 54 + min(9, rounds - state.round_number)] = 1.0
