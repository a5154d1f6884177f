"""Light players: a fast rollout policy that makes the claim with the highest appraisal, on either backend.

Amounts are integers in sixtieths of a coin, chances in 256ths. The module needs neither NumPy nor Numba.
"""

from itertools import product

from royalcrypt.rules import phases
from royalcrypt.rules.actions import DECLINE, DONE, MEND, RECOVER, placement, reroll
from royalcrypt.rules.cards import IDOL, MANUSCRIPT, SIDE_B
from royalcrypt.rules.catalogue import HELD, PAYS
from royalcrypt.rules.chance import keyed_word
from royalcrypt.rules.claims import (
    LOWEST_EFFORT,
    TOTALS,
    UNCLAIMABLE,
    has_begun_claim,
    is_last_turn,
    least_total,
    turns_in_round,
)
from royalcrypt.rules.collectors import can_mend, failed_on
from royalcrypt.rules.ghost import ghost_dice
from royalcrypt.rules.layout import FACES, NONE, SERVANTS, SLOTS, Options, State
from royalcrypt.rules.phases import NO_ERRAND
from royalcrypt.rules.reveal import ROUNDS, row_length, seat_at
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import list_few
from royalcrypt.rules.views import knows

COIN = 60
CERTAIN = 256
UNKNOWN_VALUE = COIN * 5 // 2
MANUSCRIPT_WORTH = PAYS[2 * MANUSCRIPT * HELD + HELD - 1]
"""The coins that side A pays for each Manuscript (R8.3A)."""


def _row(*coins: float) -> tuple[int, ...]:
    """Convert coins to sixtieths, by number of cards held; the last value applies to all higher numbers."""
    return tuple(round(COIN * coins[min(held, len(coins) - 1)]) for held in range(HELD))


EXPECTED_BONUS = (
    *(*_row(0.8, 0.8, 0.8, 0.3), *_row(1.8, 4.0, 0.0)),
    *(*_row(1.2, 2.5, 0.6), *_row(1.0)),
    *(*_row(1.0, 2.0, 0.0), *_row(0.4, 0.4, 0.2)),
    *(*_row(1.2, 2.2, 3.0, 4.0, 0.0), *_row(1.2)),
    *(*_row(0.7), *_row(0.8, 1.6, 3.5, 8.0, 0.0)),
    *(*_row(2.0, 1.2), *_row(1.2, 2.5, 5.0, 0.0)),
)
"""The expected bonus of one more card, by type and side, then by number of cards held."""
LATE_IDOLS = _row(0.5, 2.0, 0.0)
"""The expected bonus of Idol B once another player was first (R8.1B), by number of cards held."""

RIVAL_WEIGHT = (0, 0, 90, 45, 30)
"""The weight of a rival's gain relative to the player's own, in 256ths, by number of seats."""
HIGHEST_PUSH_CHANCE = (0, 0, 205, 155, 115)
"""The highest chance that a rival pushes out, in 256ths, by number of seats."""
PUSH_CHANCE, LOWEST_PUSH_CHANCE = 64, 8
PUSH_PRICE = 15
UNAFFORDABLE = 100 * COIN


def _push_price(total: int, dice: int) -> int:
    """The lowest cost for a rival to beat a total."""
    counts = [count for count in range(1, dice + 1) if total + 1 <= count * FACES]
    return min(
        (PUSH_PRICE * count * (-(-(total + 1) // count) - 1) for count in counts), default=UNAFFORDABLE
    )


PUSH_PRICES = tuple(_push_price(total, dice) for dice in range(SERVANTS + 1) for total in range(TOTALS))
"""Costs for a rival to beat a total, at index ``dice * TOTALS + total``."""


def _ghost_beats(dice: int, group: int, total: int) -> int:
    """The chance that the Ghost's best, second or third group beats a total (R10.4)."""
    won = 0
    for faces in product(range(1, FACES + 1), repeat=dice):
        sums = sorted((face * faces.count(face) for face in set(faces)), reverse=True)
        won += len(sums) > group and sums[group] > total
    return CERTAIN * won // FACES**dice


GHOST_BEATS = tuple(
    _ghost_beats(dice, group, total)
    for dice in range(SERVANTS + 1)
    for group in range(SERVANTS)
    for total in range(TOTALS)
)
"""Chances that the Ghost beats a total, at index ``(dice * SERVANTS + slot) * TOTALS + total``."""

SECOND_TURN = tuple(round(COIN * coins) for coins in (0.0, 1.0, 1.5, 1.8))
"""The value of ready dice to a Leader who also has the last turn (R5.6), by their number."""
EXHAUSTION_COST, FURTHER_EXHAUSTION_COST, LAST_EXHAUSTION_COST = 14, 4, 10
"""A sixth of each cost, in sixtieths of a coin: of the first exhausted die, a further one, one at the end."""
FEW_READY = 1
LIGHT_CHOICES = 1 << 30
"""The chance addresses of a light player's random noise."""
NOISE_BITS, NOISE_MASK = 5, 31
"""The number of noise bits per card; noise changes the appraisal by up to half a coin."""
WIDTH = SERVANTS + 1
PLANS = SLOTS * WIDTH
"""Offset of plans. Before it: placements and their values, by slot and dice; from it on: first placement and
value of the best claim on the rest of the row, by slot and dice left."""


def expected_gain(state: State, seat: int, card_type: int, coins: int) -> int:
    """The expected gain of the seat from a card of this type with this value, in sixtieths of a coin."""
    held = state.players[seat].held[card_type]
    side = state.sides[card_type]
    if card_type == IDOL and side == SIDE_B and state.is_race_over:
        return coins + (0 if state.players[seat].won_idols else LATE_IDOLS[held])
    if card_type == MANUSCRIPT and side != SIDE_B and held > 0:
        return MANUSCRIPT_WORTH * COIN + EXPECTED_BONUS[(2 * card_type + side) * HELD + held]
    return coins + EXPECTED_BONUS[(2 * card_type + side) * HELD + held]


def apparent_gain(state: State, seat: int, card: int) -> int:
    """The expected gain of a seat from a card; unknown values count as 2.5 coins."""
    coins = COIN * state.card_value[card] if knows(state, seat, card) else UNKNOWN_VALUE
    return expected_gain(state, seat, state.card_type[card], coins)


def highest_rival_gain(state: State, seat: int, card: int) -> int:
    """The highest gain that any rival expects from the card."""
    most = 0
    for other in range(scoring_seats(state)):
        if other != seat:
            most = max(most, apparent_gain(state, other, card))
    return most


def most_rival_dice(state: State, seat: int) -> int:
    """The most dice of any rival with a turn to come."""
    dice = 0
    for turn in range(state.turn + 1, turns_in_round(state)):
        other = seat_at(state, turn)
        if other != seat:
            has = ghost_dice(state, turn) if state.is_solo else state.players[other].ready
            dice = max(dice, has)
    return dice


def rivals_to_come(state: State) -> int:
    """The number of rivals with a turn to come; at most one with two players."""
    left = turns_in_round(state) - 1 - state.turn
    return min(left, state.seats - 1)


def push_out_chance(state: State, position: int, total: int, dice: int, rivals: int, rival_gain: int) -> int:
    if dice == 0:
        return 0
    if state.is_solo:
        return GHOST_BEATS[(dice * SERVANTS + position) * TOTALS + total]
    surplus = rival_gain - PUSH_PRICES[dice * TOTALS + total]
    chance = PUSH_CHANCE + (surplus >> 1)
    chance = min(HIGHEST_PUSH_CHANCE[state.seats], max(LOWEST_PUSH_CHANCE, chance))
    return min(CERTAIN, chance * rivals)


def appraise(state: State, options: Options, noise: int) -> None:
    """Write the best placement and its value for each slot and number of dice."""
    seat = state.actor
    player = state.players[seat]
    price = EXHAUSTION_COST + FURTHER_EXHAUSTION_COST * player.exhausted
    if state.round_number == ROUNDS[state.seats]:
        price = LAST_EXHAUSTION_COST
    rival_dice = most_rival_dice(state, seat)
    rivals = rivals_to_come(state)
    for position in range(state.last_slot + 1, row_length(state)):
        least = least_total(state, seat, position)
        at = position * WIDTH
        if least == UNCLAIMABLE:
            for dice in range(1, player.ready + 1):
                options.weights[at + dice] = -UNAFFORDABLE
            continue
        card = state.slots[position].card
        rival_gain = highest_rival_gain(state, seat, card)
        gain = apparent_gain(state, seat, card) + (RIVAL_WEIGHT[state.seats] * rival_gain >> 8)
        gain += ((noise >> (NOISE_BITS * position)) & NOISE_MASK) * 2 - NOISE_MASK
        for dice in range(1, player.ready + 1):
            best = -UNAFFORDABLE
            chosen = NONE
            for effort in range(LOWEST_EFFORT[dice * TOTALS + least], FACES + 1):
                risk = push_out_chance(state, position, dice * effort, rival_dice, rivals, rival_gain)
                value = (gain - dice * (effort - 1) * price) * (CERTAIN - risk) >> 8
                if value > best:
                    best = value
                    chosen = placement(position, dice, effort)
                if risk == 0:
                    break
            options.weights[at + dice] = best
            options.codes[at + dice] = chosen


def plan(state: State, options: Options) -> None:
    """Combine placements from right to left: write each best value and the code of its first placement."""
    ready = state.players[state.actor].ready
    is_last = is_last_turn(state)
    has_second = state.seats == 2 and state.turn == 0
    end = row_length(state)
    weights = options.weights
    codes = options.codes
    for left in range(ready + 1):
        weights[PLANS + end * WIDTH + left] = SECOND_TURN[left] if has_second else 0
        codes[PLANS + end * WIDTH + left] = NONE
    for position in range(end - 1, state.last_slot, -1):
        at = position * WIDTH
        rest = PLANS + at + WIDTH
        for left in range(ready + 1):
            best = weights[rest + left]
            chosen = codes[rest + left]
            for dice in range(1, left + 1):
                value = weights[at + dice]
                if not is_last:
                    value += weights[rest + left - dice]
                if value > best:
                    best = value
                    chosen = codes[at + dice]
            weights[PLANS + at + left] = best
            codes[PLANS + at + left] = chosen


def light_claim(state: State, options: Options, noise: int) -> int:
    player = state.players[state.actor]
    appraise(state, options, noise)
    plan(state, options)
    best = PLANS + (state.last_slot + 1) * WIDTH + player.ready
    value = options.weights[best]
    chosen = options.codes[best]
    if has_begun_claim(state):
        return DONE if chosen == NONE else chosen
    if player.ready <= FEW_READY and can_mend(state, state.actor):
        return MEND
    exhausted = player.exhausted
    rest = FACES * (EXHAUSTION_COST * exhausted + FURTHER_EXHAUSTION_COST * exhausted * (exhausted - 1) // 2)
    if state.seats == 2 and state.turn == 0:
        rest += SECOND_TURN[player.ready + exhausted]
    return RECOVER if chosen == NONE or rest >= value else chosen


def light_reroll(state: State) -> int:
    """Re-roll the failed die with the lowest effort; dice of effort 6 only in the last round."""
    slot = NONE
    least = FACES if state.round_number == ROUNDS[state.seats] else FACES - 1
    for position in range(row_length(state)):
        if failed_on(state, state.actor, position) > 0 and state.slots[position].effort <= least:
            slot = position
            least = state.slots[position].effort - 1
    return DECLINE if slot == NONE else reroll(slot)


def light_action(state: State, options: Options, high: int, low: int) -> int:
    """The small decision of a light player; the key determines its random noise."""
    if state.errand != NO_ERRAND:
        list_few(state, options)
        return options.codes[0]
    if state.phase == phases.CLAIM:
        return light_claim(state, options, keyed_word(high, low, LIGHT_CHOICES + (state.decisions << 8)))
    if state.phase == phases.IDOL:
        return light_reroll(state)
    if state.phase == phases.POTTERY:
        return options.codes[list_few(state, options) - 1]
    return MEND
