"""Scoring: Collector bonuses, scores and the tie-break (R7.2, R7.3, section 8)."""

from royalcrypt.rules import notes, phases
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
from royalcrypt.rules.layout import CHANCE, NOBODY, SEATS, TYPES, State
from royalcrypt.rules.notes import note


def scoring_seats(state: State) -> int:
    """The number of seats with a score; the Ghost has none (R10.8)."""
    return 1 if state.is_solo else state.seats


def tally(state: State) -> None:
    """Compute every player's coins by type; values hidden in a concealed state count 0."""
    for seat in range(state.seats):
        player = state.players[seat]
        player.finest_jewel = 0
        for card_type in range(TYPES):
            player.coins[card_type] = 0
    taken = state.taken
    places = state.card_place
    types = state.card_type
    values = state.card_value
    players = state.players
    for index in range(state.takings):
        card = taken[index]
        player = players[places[card]]
        card_type = types[card]
        value = values[card]
        player.coins[card_type] += value
        if card_type == JEWELRY and value > player.finest_jewel:
            player.finest_jewel = value


def bonus(state: State, seat: int, card_type: int) -> int:
    """The coins that the Collector of this type pays to a seat; requires ``tally`` (section 8)."""
    entry = entry_of(state, card_type)
    player = state.players[seat]
    count = player.held[card_type]
    if count < REQUIRED[entry]:
        return 0
    amount = amount_paid(entry, count, meets_condition(state, seat, card_type))
    if amount == 0:
        return 0
    units = PER_SET[entry] + PER_CARD[entry] * count + PER_FINEST[entry] * player.finest_jewel
    return amount * units + PER_COIN[entry] * player.coins[card_type]


def meets_condition(state: State, seat: int, card_type: int) -> bool:
    """Whether a player with enough cards meets the condition for full payment (R8.1B, R8.6)."""
    condition = CONDITION[entry_of(state, card_type)]
    if condition == ALWAYS:
        return True
    if condition == FIRST:
        return state.players[seat].won_idols == 1
    if condition == MOST_COINS:
        return not is_outbid(state, seat, card_type)
    return is_alone(state, seat, card_type)


def is_outbid(state: State, seat: int, card_type: int) -> bool:
    """Whether another player's cards of this type are worth more coins; ties are no obstacle (R8.6A)."""
    for other in range(scoring_seats(state)):
        if state.players[other].coins[card_type] > state.players[seat].coins[card_type]:
            return True
    return False


def is_alone(state: State, seat: int, card_type: int) -> bool:
    """Whether no other player has enough cards of this type (R8.6B)."""
    least = REQUIRED[entry_of(state, card_type)]
    for other in range(scoring_seats(state)):
        if other != seat and state.players[other].held[card_type] >= least:
            return False
    return True


def treasure(state: State, seat: int) -> int:
    coins = 0
    for card_type in range(TYPES):
        coins += state.players[seat].coins[card_type]
    return coins


def collection_score(state: State, seat: int) -> int:
    """The coins and bonuses of a seat's collection; requires ``tally``."""
    player = state.players[seat]
    held = player.held
    coins = player.coins
    score = 0
    for card_type in range(TYPES):
        if held[card_type] > 0:
            score += coins[card_type] + bonus(state, seat, card_type)
    return score


def servants_worth(state: State, seat: int) -> int:
    """The coins for a seat's ready dice: one each (R7.2)."""
    return state.players[seat].ready


def count_scores(state: State) -> None:
    tally(state)
    for seat in range(scoring_seats(state)):
        state.players[seat].score = collection_score(state, seat) + servants_worth(state, seat)


def score_game(state: State) -> None:
    count_scores(state)
    best = 0
    for seat in range(scoring_seats(state)):
        best = max(best, state.players[seat].score)
    for seat in range(scoring_seats(state)):
        state.players[seat].is_contender = 1 if state.players[seat].score == best else 0
    begin_tie_roll(state)


def contenders(state: State) -> int:
    count = 0
    for seat in range(state.seats):
        count += state.players[seat].is_contender
    return count


def begin_tie_roll(state: State) -> None:
    """Begin a round of tie-break rolls, or end the game with one winner or with no dice to roll (R7.3)."""
    dice = 0
    for seat in range(state.seats):
        if state.players[seat].is_contender:
            dice += state.players[seat].ready
    if contenders(state) == 1 or dice == 0:
        note(state, notes.ENDED, 0, 0, 0)
        state.phase = phases.OVER
        state.actor = NOBODY
        return
    state.phase = phases.TIE
    state.order = 0
    state.rolls = 0
    for seat in range(SEATS):
        state.players[seat].tie_total = 0


def find_next_tie_die(state: State) -> None:
    """Find the next tie-break die, by seat; a contender without dice counts 0."""
    while state.order < state.seats:
        player = state.players[state.order]
        if player.is_contender:
            if state.rolls < player.ready:
                state.chance_seat = state.order
                state.chance_index = state.tie_rounds * player.ready + state.rolls
                state.actor = CHANCE
                return
            note(state, notes.TIE_ROLLED, state.order, 0, 0)
        state.order += 1
        state.rolls = 0
    keep_highest(state)


def roll_for_tie(state: State, face: int) -> None:
    note(state, notes.DIE, state.order, face, 0)
    state.players[state.order].tie_total += face
    state.rolls += 1
    state.actor = NOBODY


def keep_highest(state: State) -> None:
    """Keep the contenders with the highest sum for the next tie-break roll."""
    note(state, notes.TIE_OVER, 0, 0, 0)
    state.tie_rounds += 1
    best = 0
    for seat in range(state.seats):
        if state.players[seat].is_contender:
            best = max(best, state.players[seat].tie_total)
    for seat in range(state.seats):
        if state.players[seat].tie_total < best:
            state.players[seat].is_contender = 0
    begin_tie_roll(state)


def place_of(state: State, seat: int) -> int:
    """The final place of a seat, from 1. Winners are first; ties for lower places are shared."""
    if state.players[seat].is_contender:
        return 1
    better = 0
    for other in range(scoring_seats(state)):
        rival = state.players[other]
        if rival.is_contender or rival.score > state.players[seat].score:
            better += 1
    return better + 1
