"""An appraisal of every seat's cards and of the row, from which the inputs of the value network are made.

It is written at the front of the encoded position, before the inputs.
"""

from royalcrypt.rules import phases
from royalcrypt.rules.cards import JEWELRY
from royalcrypt.rules.catalogue import (
    ALWAYS,
    CONDITION,
    FIRST,
    MOST_COINS,
    PER_CARD,
    PER_COIN,
    PER_FINEST,
    PER_SET,
    REQUIRED,
    amount_paid,
    entry_of,
)
from royalcrypt.rules.claims import turns_in_round
from royalcrypt.rules.ghost import ghost_dice
from royalcrypt.rules.layout import GHOST, NONE, SEATS, SLOTS, TYPES, VALUES, State
from royalcrypt.rules.reveal import row_length, seat_at
from royalcrypt.rules.scoring import is_alone, scoring_seats
from royalcrypt.search.carrier import Floats
from royalcrypt.search.light_play import CERTAIN, COIN, chance_to_lose, hoped

MEAN = 0
"""By type: the expected value of a hidden card."""
HIDDEN = MEAN + TYPES
"""By type: the number of drawn cards that are hidden from the viewer."""
COINS = HIDDEN + TYPES
"""By seat and type: expected coins."""
FINEST = COINS + SEATS * TYPES
"""By seat: the highest Jewelry."""
TO_COME = FINEST + SEATS
"""By seat: claim turns left in this round."""
WORTH = TO_COME + SEATS
"""By slot: expected coins of its card."""
HOPE = WORTH + SLOTS
"""By seat and slot: the expected gain from the card."""
RISK = HOPE + SEATS * SLOTS
"""By slot: the chance that its holder is pushed out."""
SCORE = RISK + SLOTS
"""By seat: the score if the game ended now."""
PROSPECTS = SCORE + SEATS


def expect(state: State, numbers: Floats) -> None:
    """Write the whole appraisal; the numbers up to ``PROSPECTS`` must be zero before."""
    expect_cards(state, numbers)
    count_turns(state, numbers)
    for position in range(row_length(state)):
        if state.slots[position].card != NONE:
            expect_slot(state, position, numbers)


def expect_cards(state: State, numbers: Floats) -> None:
    """Write expected values of hidden cards, and every seat's coins with them (R11.5)."""
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


def expect_slot(state: State, position: int, numbers: Floats) -> None:
    card = state.slots[position].card
    card_type = state.card_type[card]
    value = state.card_value[card]
    worth = float(value) if value > 0 else numbers[MEAN + card_type]
    numbers[WORTH + position] = worth
    coins = int(worth * COIN + 0.5)
    for seat in range(scoring_seats(state)):
        numbers[HOPE + seat * SLOTS + position] = hoped(state, seat, card_type, coins) / COIN
    if state.slots[position].holder != NONE:
        numbers[RISK + position] = risk(state, position, numbers)


def risk(state: State, position: int, numbers: Floats) -> float:
    """The chance to be pushed out in this round: exact against the Ghost, otherwise an estimate."""
    slot = state.slots[position]
    envied = 0.0
    dice = 0
    rivals = 0
    for other in range(state.seats):
        if other != slot.holder and numbers[TO_COME + other] > 0.0:
            rivals += 1
            envied = max(envied, numbers[HOPE + other * SLOTS + position])
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
        chance_to_lose(state, position, slot.dice * slot.effort, dice, rivals, int(envied * COIN + 0.5))
        / CERTAIN
    )


def paid(
    state: State, seat: int, card_type: int, count: int, coins: float, finest: float, numbers: Floats
) -> float:
    """What the Collector pays for so many cards with so many coins, as things stand (section 8)."""
    entry = entry_of(state, card_type)
    if count < REQUIRED[entry]:
        return 0.0
    amount = amount_paid(entry, count, may_be_paid_in_full(state, seat, card_type, coins, numbers))
    if amount == 0:
        return 0.0
    units = PER_SET[entry] + PER_CARD[entry] * count + PER_FINEST[entry] * finest
    return amount * units + PER_COIN[entry] * coins


def may_be_paid_in_full(state: State, seat: int, card_type: int, coins: float, numbers: Floats) -> bool:
    """``scoring.meets_condition`` with expected coins. While the race is open, the seat counts as first."""
    condition = CONDITION[entry_of(state, card_type)]
    if condition == ALWAYS:
        return True
    if condition == FIRST:
        return state.players[seat].won_idols == 1 or state.is_race_over == 0
    if condition == MOST_COINS:
        return not is_outbid(state, seat, card_type, coins, numbers)
    return is_alone(state, seat, card_type)


def is_outbid(state: State, seat: int, card_type: int, coins: float, numbers: Floats) -> bool:
    for other in range(scoring_seats(state)):
        if other != seat and numbers[COINS + other * TYPES + card_type] > coins:
            return True
    return False


def added(state: State, seat: int, card_type: int, worth: float, numbers: Floats) -> float:
    """By how much a card of this type raises a seat's score if the game ended now."""
    if seat >= scoring_seats(state):
        return 0.0
    held = state.players[seat].held[card_type]
    coins = numbers[COINS + seat * TYPES + card_type]
    finest = numbers[FINEST + seat]
    before = paid(state, seat, card_type, held, coins, finest, numbers)
    if card_type == JEWELRY and worth > finest:
        finest = worth
    return worth + paid(state, seat, card_type, held + 1, coins + worth, finest, numbers) - before
