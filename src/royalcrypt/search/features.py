"""A position as the value network sees it: numbers around one, from the point of view of one seat.

The state is one that was concealed for that seat: what it does not know, it expects (R11.5). Seats are
counted from it on, so that one network serves all of them, any number of players and all set-ups.
"""

from royalcrypt.rules import phases
from royalcrypt.rules.cards import IDOL, JEWELRY, MANUSCRIPT, POTTERY, REMAINS, SIDE_A, TAPESTRY
from royalcrypt.rules.claims import has_begun_claim, turns_in_round
from royalcrypt.rules.layout import NONE, SEATS, SLOTS, TYPES, VALUES, State
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import ROUNDS, row_length, seat_at
from royalcrypt.rules.scoring import (
    ALL_REMAINS,
    FINEST_TAPESTRIES,
    FIRST_IDOLS,
    LATER_IDOLS,
    MANUSCRIPT_WORTH,
    ONLY_TAPESTRIES,
    POTTERY_SETS,
    SHARED_TAPESTRIES,
)
from royalcrypt.search.floats import Floats

# Scratch at the front, which the network does not read: expectations that several inputs are made of.
MEAN = 0
"""By type: what a card is worth whose value the viewer does not know."""
HIDDEN = MEAN + TYPES
"""By type: cards that were drawn, and whose value the viewer does not know."""
COINS = HIDDEN + TYPES
"""By seat and type."""
FINEST = COINS + SEATS * TYPES
"""By seat: the best jewel."""
TO_COME = FINEST + SEATS
"""By seat: claim turns it still has in this round."""
SCRATCH = TO_COME + SEATS

SEAT_INPUTS = 37
SLOT_INPUTS = 22
TABLE_INPUTS = 54
SEATS_AT = SCRATCH
SLOTS_AT = SEATS_AT + SEATS * SEAT_INPUTS
TABLE_AT = SLOTS_AT + SLOTS * SLOT_INPUTS
END = TABLE_AT + TABLE_INPUTS
INPUTS = END - SCRATCH


def describe(state: State, viewer: int, numbers: Floats) -> None:
    """Write the ``INPUTS`` numbers from ``SCRATCH`` on, and what they are made of before that."""
    for index in range(END):
        numbers[index] = 0.0
    expect(state, numbers)
    count_turns(state, numbers)
    for order in range(state.seats):
        seat = (viewer + order) % state.seats
        describe_seat(state, seat, numbers, SEATS_AT + order * SEAT_INPUTS)
    for position in range(row_length(state)):
        if state.slots[position].card != NONE:
            describe_slot(state, viewer, position, numbers, SLOTS_AT + position * SLOT_INPUTS)
    describe_table(state, viewer, numbers)


def expect(state: State, numbers: Floats) -> None:
    """What hidden cards are worth on average, and everybody's coins with them."""
    for card_type in range(TYPES):
        cards = 0
        coins = 0
        for value in range(1, VALUES + 1):
            copies = state.unseen[card_type * VALUES + value - 1]
            cards += copies
            coins += copies * value
        numbers[MEAN + card_type] = coins / cards if cards > 0 else 0.0
    for card in range(state.drawn):
        card_type = state.card_type[card]
        worth = float(state.card_value[card])
        if state.card_value[card] == 0:
            numbers[HIDDEN + card_type] += 1.0
            worth = numbers[MEAN + card_type]
        place = state.card_place[card]
        if place < SEATS:
            numbers[COINS + place * TYPES + card_type] += worth
            if card_type == JEWELRY and worth > numbers[FINEST + place]:
                numbers[FINEST + place] = worth


def count_turns(state: State, numbers: Floats) -> None:
    if state.phase <= phases.CLAIM or state.phase == phases.GHOST:
        for turn in range(state.turn, turns_in_round(state)):
            numbers[TO_COME + seat_at(state, turn % state.seats)] += 1.0


def paid(
    state: State, seat: int, card_type: int, count: int, coins: float, finest: float, numbers: Floats
) -> float:
    """What the Collector pays for so many cards with so many coins, as things stand (section 8)."""
    is_a = state.sides[card_type] == SIDE_A
    if card_type == IDOL:
        if is_a or count < 2:
            return 0.0
        if state.players[seat].won_idols == 1 or state.is_race_over == 0:
            return float(FIRST_IDOLS)
        return float(LATER_IDOLS)
    if card_type == JEWELRY:
        if is_a:
            return finest if count >= 2 else 0.0
        return float(count)
    if card_type == MANUSCRIPT:
        return MANUSCRIPT_WORTH * count - coins if is_a and count >= 2 else 0.0
    if card_type == POTTERY:
        return float(POTTERY_SETS[count]) if is_a else 0.0
    if card_type == REMAINS:
        return float(ALL_REMAINS) if not is_a and count >= 4 else 0.0
    return paid_for_tapestries(state, seat, count, coins, numbers)


def paid_for_tapestries(state: State, seat: int, count: int, coins: float, numbers: Floats) -> float:
    seats = 1 if state.is_solo else state.seats
    if state.sides[TAPESTRY] == SIDE_A:
        if count == 0:
            return 0.0
        for other in range(seats):
            if other != seat and numbers[COINS + other * TYPES + TAPESTRY] > coins:
                return 0.0
        return float(FINEST_TAPESTRIES)
    if count < 3:
        return 0.0
    for other in range(seats):
        if other != seat and state.players[other].held[TAPESTRY] >= 3:
            return float(SHARED_TAPESTRIES)
    return float(ONLY_TAPESTRIES)


def describe_seat(state: State, seat: int, numbers: Floats, at: int) -> None:
    player = state.players[seat]
    numbers[at] = 1.0
    numbers[at + 1] = player.ready / 3
    numbers[at + 2] = player.exhausted / 3
    numbers[at + 3] = player.won_idols
    numbers[at + 4] = player.has_peeked
    numbers[at + 5] = numbers[FINEST + seat] / 4
    numbers[at + 6] = numbers[TO_COME + seat] / 2
    numbers[at + 7] = 1.0 if state.leader == seat else 0.0
    numbers[at + 8] = player.has_placed
    score = float(player.ready)
    for card_type in range(TYPES):
        held = player.held[card_type]
        coins = numbers[COINS + seat * TYPES + card_type]
        bonus = paid(state, seat, card_type, held, coins, numbers[FINEST + seat], numbers)
        score += coins + bonus
        numbers[at + 10 + card_type] = held / 4
        numbers[at + 16 + card_type] = (player.unflipped[card_type] & 1) + 0.25 * player.unflipped[card_type]
        numbers[at + 22 + card_type] = coins / 8
        numbers[at + 28 + card_type] = bonus / 8
    numbers[at + 9] = score / 40
    dice = 0
    for position in range(row_length(state)):
        if state.slots[position].holder == seat:
            dice += state.slots[position].dice
            numbers[at + 35] += (state.slots[position].effort - 1) * state.slots[position].dice / 6
            numbers[at + 36] += state.slots[position].failed / 3
    numbers[at + 34] = dice / 3


def describe_slot(state: State, viewer: int, position: int, numbers: Floats, at: int) -> None:
    slot = state.slots[position]
    card_type = state.card_type[slot.card]
    value = state.card_value[slot.card]
    worth = float(value) if value > 0 else numbers[MEAN + card_type]
    numbers[at] = 1.0
    numbers[at + 1] = 1.0 if value == 0 else 0.0
    numbers[at + 2] = worth / 4
    numbers[at + 3 + card_type] = 1.0
    numbers[at + 9] = added(state, viewer, card_type, worth, numbers) / 8
    if slot.holder == NONE:
        numbers[at + 10] = 1.0
        return
    order = (slot.holder - viewer + state.seats) % state.seats
    numbers[at + 11 + order] = 1.0
    numbers[at + 15] = slot.dice * slot.effort / 18
    numbers[at + 16] = slot.dice / 3
    numbers[at + 17] = slot.effort / 6
    numbers[at + 18] = added(state, slot.holder, card_type, worth, numbers) / 8
    if order == 0:
        numbers[at + 19] = numbers[at + 9]
        numbers[at + 20] = numbers[at + 15]
    else:
        numbers[at + 21] = numbers[at + 18]


def added(state: State, seat: int, card_type: int, worth: float, numbers: Floats) -> float:
    """By how much a card of this type raises a seat's score, as things stand."""
    if state.is_solo and seat > 0:
        return 0.0
    held = state.players[seat].held[card_type]
    coins = numbers[COINS + seat * TYPES + card_type]
    finest = numbers[FINEST + seat]
    before = paid(state, seat, card_type, held, coins, finest, numbers)
    if card_type == JEWELRY and worth > finest:
        finest = worth
    return worth + paid(state, seat, card_type, held + 1, coins + worth, finest, numbers) - before


def describe_table(state: State, viewer: int, numbers: Floats) -> None:
    at = TABLE_AT
    players = 1 if state.is_solo else state.seats
    numbers[at + players - 1] = 1.0
    rounds = ROUNDS[players]
    numbers[at + 4] = (rounds - state.round_number) / 8
    numbers[at + 5] = 1.0 if state.round_number == rounds else 0.0
    numbers[at + 6] = (turns_in_round(state) - state.turn) / 4
    numbers[at + 7] = 1.0 if state.actor == viewer else 0.0
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
    for order in range(state.seats):
        numbers[at + 46 + order] = numbers[TO_COME + (viewer + order) % state.seats]
        numbers[at + 50 + order] = 1.0 if state.actor == (viewer + order) % state.seats else 0.0
