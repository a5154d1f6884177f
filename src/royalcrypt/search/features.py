"""Features: a position encoded for the value network, as numbers of about 1 from one seat's perspective.

First comes an appraisal of every seat's cards and of the row. The network's inputs are derived from it and
follow it. The state must be concealed for the seat; hidden cards count their expected value (R11.5). Seats
are counted from the viewer, so one network serves all seats, numbers of players and set-ups. Most inputs are
0 or 1, and the network skips zeros.
"""

from royalcrypt.rules import catalogue, phases
from royalcrypt.rules.cards import JEWELRY
from royalcrypt.rules.catalogue import amount_paid, entry_of
from royalcrypt.rules.claims import has_begun_claim, turns_in_round
from royalcrypt.rules.ghost import ghost_dice
from royalcrypt.rules.layout import FACES, GHOST, NONE, SEATS, SERVANTS, SLOTS, TYPES, VALUES, State
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import ROUNDS, row_length, seat_at
from royalcrypt.rules.scoring import is_alone, scoring_seats
from royalcrypt.search.backend import Floats
from royalcrypt.search.light_play import CERTAIN, COIN, expected_gain, push_out_chance

MEAN = 0
"""Offset of the expected value of a hidden card, by type."""
HIDDEN = MEAN + TYPES
"""Offset of the number of drawn cards hidden from the viewer, by type."""
COINS = HIDDEN + TYPES
"""Offset of expected coins, by seat and type."""
FINEST = COINS + SEATS * TYPES
"""Offset of the highest Jewelry value, by seat."""
TURNS_LEFT = FINEST + SEATS
"""Offset of the claim turns left in this round, by seat."""
WORTH = TURNS_LEFT + SEATS
"""Offset of the expected coins of each card in the row, by slot."""
GAIN = WORTH + SLOTS
"""Offset of the expected gain from each card in the row, by seat and slot."""
RISK = GAIN + SEATS * SLOTS
"""Offset of the chance that a card's holder is pushed out, by slot."""
SCORE = RISK + SLOTS
"""Offset of the score if the game ended now, by seat."""
APPRAISAL_END = SCORE + SEATS


def appraise(state: State, numbers: Floats) -> None:
    """Write the whole appraisal; the numbers before ``APPRAISAL_END`` must be zero at first."""
    appraise_cards(state, numbers)
    count_turns(state, numbers)
    for position in range(row_length(state)):
        if state.slots[position].card != NONE:
            appraise_slot(state, position, numbers)


def appraise_cards(state: State, numbers: Floats) -> None:
    """Write the expected values of hidden cards, and each seat's coins including them (R11.5)."""
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
            numbers[TURNS_LEFT + seat_at(state, turn % state.seats)] += 1.0


def appraise_slot(state: State, position: int, numbers: Floats) -> None:
    card = state.slots[position].card
    card_type = state.card_type[card]
    value = state.card_value[card]
    worth = float(value) if value > 0 else numbers[MEAN + card_type]
    numbers[WORTH + position] = worth
    coins = int(worth * COIN + 0.5)
    for seat in range(scoring_seats(state)):
        numbers[GAIN + seat * SLOTS + position] = expected_gain(state, seat, card_type, coins) / COIN
    if state.slots[position].holder != NONE:
        numbers[RISK + position] = risk(state, position, numbers)


def risk(state: State, position: int, numbers: Floats) -> float:
    """The chance that a card's holder is pushed out in this round: exact for the Ghost, else estimated."""
    slot = state.slots[position]
    rival_gain = 0.0
    dice = 0
    rivals = 0
    for other in range(state.seats):
        if other != slot.holder and numbers[TURNS_LEFT + other] > 0.0:
            rivals += 1
            rival_gain = max(rival_gain, numbers[GAIN + other * SLOTS + position])
            dice = max(dice, state.players[other].ready)
    if state.is_solo:
        dice = 0
        if slot.holder != GHOST:
            for turn in range(state.turn, turns_in_round(state)):
                if seat_at(state, turn % state.seats) == GHOST:
                    dice = max(dice, ghost_dice(state, turn))
    if rivals == 0:
        return 0.0
    return (
        push_out_chance(state, position, slot.dice * slot.effort, dice, rivals, int(rival_gain * COIN + 0.5))
        / CERTAIN
    )


def current_bonus(
    state: State, seat: int, card_type: int, count: int, coins: float, finest: float, numbers: Floats
) -> float:
    """The bonus that the Collector would pay for these cards if the game ended now (section 8)."""
    entry = entry_of(state, card_type)
    if count < catalogue.REQUIRED[entry]:
        return 0.0
    amount = amount_paid(entry, count, may_be_paid_in_full(state, seat, card_type, coins, numbers))
    if amount == 0:
        return 0.0
    units = (
        catalogue.PER_SET[entry] + catalogue.PER_CARD[entry] * count + catalogue.PER_FINEST[entry] * finest
    )
    return amount * units + catalogue.PER_COIN[entry] * coins


def may_be_paid_in_full(state: State, seat: int, card_type: int, coins: float, numbers: Floats) -> bool:
    """``scoring.meets_condition`` with expected coins; while the Idol race is open, the seat is first."""
    condition = catalogue.CONDITION[entry_of(state, card_type)]
    if condition == catalogue.ALWAYS:
        return True
    if condition == catalogue.FIRST:
        return state.players[seat].won_idols == 1 or state.is_race_over == 0
    if condition == catalogue.MOST_COINS:
        return not is_outbid(state, seat, card_type, coins, numbers)
    return is_alone(state, seat, card_type)


def is_outbid(state: State, seat: int, card_type: int, coins: float, numbers: Floats) -> bool:
    for other in range(scoring_seats(state)):
        if other != seat and numbers[COINS + other * TYPES + card_type] > coins:
            return True
    return False


def immediate_gain(state: State, seat: int, card_type: int, worth: float, numbers: Floats) -> float:
    """The increase of a seat's score by a card of this type if the game ended now."""
    if seat >= scoring_seats(state):
        return 0.0
    held = state.players[seat].held[card_type]
    coins = numbers[COINS + seat * TYPES + card_type]
    finest = numbers[FINEST + seat]
    before = current_bonus(state, seat, card_type, held, coins, finest, numbers)
    if card_type == JEWELRY and worth > finest:
        finest = worth
    return worth + current_bonus(state, seat, card_type, held + 1, coins + worth, finest, numbers) - before


INPUTS_AT = APPRAISAL_END
"""The offset of the network's inputs."""
MOST_COUNTED = 4
"""The highest number of cards of one type that is distinguished; higher numbers count as this one."""
SETS = 2 * MOST_COUNTED
"""The number of inputs for each type: one for each side and number of cards."""
SEAT_COINS, SEAT_PAID, SEAT_UNFLIPPED, SEAT_SETS = 24, 30, 36, 42
SEAT_INPUTS = SEAT_SETS + TYPES * SETS
SLOT_TYPE = 16
SLOT_INPUTS = SLOT_TYPE + 2 * TYPES + SEATS
TABLE_INPUTS = 64
SEATS_AT = INPUTS_AT
SLOTS_AT = SEATS_AT + SEATS * SEAT_INPUTS
TABLE_AT = SLOTS_AT + SLOTS * SLOT_INPUTS
END = TABLE_AT + TABLE_INPUTS
INPUTS = END - INPUTS_AT


def encode(state: State, viewer: int, numbers: Floats) -> None:
    """Write the network's inputs from ``INPUTS_AT`` on, and before them the appraisal they depend on."""
    for index in range(END):
        numbers[index] = 0.0
    appraise(state, numbers)
    for order in range(state.seats):
        seat = (viewer + order) % state.seats
        encode_seat(state, seat, numbers, SEATS_AT + order * SEAT_INPUTS)
    for position in range(row_length(state)):
        if state.slots[position].card != NONE:
            encode_slot(state, viewer, position, numbers, SLOTS_AT + position * SLOT_INPUTS)
            encode_claims(state, viewer, position, numbers)
    encode_table(state, viewer, numbers)


def encode_seat(state: State, seat: int, numbers: Floats, at: int) -> None:
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
    numbers[at + 12] = 1.0 if numbers[TURNS_LEFT + seat] > 0.0 else 0.0
    numbers[at + 13] = 1.0 if numbers[TURNS_LEFT + seat] > 1.0 else 0.0
    numbers[at + 14] = 1.0 if state.actor == seat else 0.0
    score = float(player.ready)
    for card_type in range(TYPES):
        held = player.held[card_type]
        if held > 0:
            coins = numbers[COINS + seat * TYPES + card_type]
            bonus = current_bonus(state, seat, card_type, held, coins, numbers[FINEST + seat], numbers)
            score += coins + bonus
            unflipped = player.unflipped[card_type]
            numbers[at + SEAT_COINS + card_type] = coins / 8
            numbers[at + SEAT_PAID + card_type] = bonus / 8
            numbers[at + SEAT_UNFLIPPED + card_type] = (unflipped & 1) + 0.25 * unflipped
            kind = card_type * SETS + state.sides[card_type] * MOST_COUNTED + min(held, MOST_COUNTED) - 1
            numbers[at + SEAT_SETS + kind] = 1.0
    numbers[SCORE + seat] = score
    numbers[at + 15] = score / 40


def encode_claims(state: State, viewer: int, position: int, numbers: Floats) -> None:
    """Add each card's potential gain to the inputs of its holder and of the seats that could claim it."""
    slot = state.slots[position]
    for seat in range(scoring_seats(state)):
        order = (seat - viewer + state.seats) % state.seats
        at = SEATS_AT + order * SEAT_INPUTS
        gain = numbers[GAIN + seat * SLOTS + position]
        if slot.holder == seat:
            at_risk = slot.dice * (slot.effort - 1) / FACES
            safe = 1.0 - numbers[RISK + position]
            numbers[at + 16] += slot.dice / 3
            numbers[at + 17] += at_risk / 2
            numbers[at + 18] += safe * at_risk / 2
            numbers[at + 19] += gain / 8
            numbers[at + 20] += safe * gain / 8
            numbers[at + 21] += slot.failed / 3
        elif numbers[TURNS_LEFT + seat] > 0.0:
            if slot.holder == NONE:
                numbers[at + 22] = max(numbers[at + 22], gain / 8)
            else:
                numbers[at + 23] = max(numbers[at + 23], gain / 8)


def encode_slot(state: State, viewer: int, position: int, numbers: Floats, at: int) -> None:
    slot = state.slots[position]
    card_type = state.card_type[slot.card]
    worth = numbers[WORTH + position]
    own = numbers[GAIN + viewer * SLOTS + position]
    rivals = 0.0
    for other in range(scoring_seats(state)):
        if other != viewer:
            rivals = max(rivals, numbers[GAIN + other * SLOTS + position])
    numbers[at] = 1.0 if state.card_value[slot.card] == 0 else 0.0
    numbers[at + 1] = worth / 4
    numbers[at + 2] = own / 8
    numbers[at + 3] = rivals / 8
    numbers[at + 4] = immediate_gain(state, viewer, card_type, worth, numbers) / 8
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


def encode_table(state: State, viewer: int, numbers: Floats) -> None:
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
