"""The Claim phase: turns, placements, pushing out and recovering (section 5)."""

from royalcrypt.rules import notes
from royalcrypt.rules.actions import DONE, RECOVER, placed_dice, placed_effort, placed_slot, placement
from royalcrypt.rules.layout import FACES, GHOST, NOBODY, NONE, SERVANTS, Options, State
from royalcrypt.rules.notes import note
from royalcrypt.rules.reveal import row_length, seat_at

UNCLAIMABLE = SERVANTS * FACES + 1
TOTALS = UNCLAIMABLE + 1


LOWEST_EFFORT = tuple(
    min(FACES + 1, -(-least // dice)) if dice else FACES + 1
    for dice in range(SERVANTS + 1)
    for least in range(TOTALS)
)
"""The lowest effort for a total (R5.3), at index ``dice * TOTALS + least``; FACES + 1 if unreachable."""
PLACEMENTS = tuple(
    sum(FACES + 1 - max(1, LOWEST_EFFORT[dice * TOTALS + least]) for dice in range(1, ready + 1))
    for ready in range(SERVANTS + 1)
    for least in range(TOTALS)
)
"""The number of ways to claim one card, by ready dice and least total effort: ``ready * TOTALS + least``."""


def turns_in_round(state: State) -> int:
    """The number of claim turns in a round; with two players, the Leader also takes the last turn (R5.6)."""
    return 3 if state.seats == 2 else state.seats


def turn_seat(state: State) -> int:
    return seat_at(state, state.turn)


def is_last_turn(state: State) -> bool:
    return state.turn == turns_in_round(state) - 1


def has_begun_claim(state: State) -> bool:
    return state.last_slot != NONE


def total_effort(state: State, position: int) -> int:
    return state.slots[position].dice * state.slots[position].effort


def least_total(state: State, seat: int, position: int) -> int:
    """The least total effort with which the seat may claim this card (R5.4); UNCLAIMABLE if it may not."""
    slot = state.slots[position]
    if slot.card == NONE or slot.holder == seat:
        return UNCLAIMABLE
    return slot.dice * slot.effort + 1


def ways_to_claim(state: State, seat: int, position: int) -> int:
    return PLACEMENTS[state.players[seat].ready * TOTALS + least_total(state, seat, position)]


def list_placements(state: State, seat: int, options: Options) -> int:
    """List placements on cards to the right of the last claimed one, ascending; return how many."""
    count = 0
    codes = options.codes
    ready = state.players[seat].ready
    for position in range(state.last_slot + 1, row_length(state)):
        least = least_total(state, seat, position)
        for dice in range(1, ready + 1):
            highest = placement(position, dice, FACES)
            for code in range(highest - FACES + LOWEST_EFFORT[dice * TOTALS + least], highest + 1):
                codes[count] = code
                count += 1
    return count


def count_placements(state: State, seat: int) -> int:
    """The number of options that ``list_placements`` would write."""
    count = 0
    for position in range(state.last_slot + 1, row_length(state)):
        count += ways_to_claim(state, seat, position)
    return count


def placement_at(state: State, seat: int, index: int) -> int:
    """The action code that ``list_placements`` would write at this index."""
    position = state.last_slot + 1
    ways = ways_to_claim(state, seat, position)
    while index >= ways:
        index -= ways
        position += 1
        ways = ways_to_claim(state, seat, position)
    least = least_total(state, seat, position)
    dice = 1
    effort = LOWEST_EFFORT[TOTALS + least] + index
    while effort > FACES:
        dice += 1
        effort += LOWEST_EFFORT[dice * TOTALS + least] - FACES - 1
    return placement(position, dice, effort)


def list_claims(state: State, options: Options) -> int:
    count = list_placements(state, state.actor, options)
    options.codes[count] = DONE if has_begun_claim(state) else RECOVER
    return count + 1


def push_out(state: State, position: int) -> None:
    """Return the holder's dice on this card to their owner, ready (R5.4)."""
    slot = state.slots[position]
    state.players[slot.holder].ready += slot.dice
    if state.is_solo and slot.holder == GHOST:
        state.ghost_pushed += slot.dice


def occupy(state: State, seat: int, position: int, dice: int, effort: int) -> None:
    slot = state.slots[position]
    if slot.holder != NONE:
        push_out(state, position)
    slot.holder = seat
    slot.dice = dice
    slot.effort = effort
    state.players[seat].ready -= dice
    note(state, notes.PLACED, seat, position, placement(position, dice, effort))


def place(state: State, action: int) -> None:
    seat = state.actor
    state.last_slot = placed_slot(action)
    occupy(state, seat, state.last_slot, placed_dice(action), placed_effort(action))
    state.players[seat].has_placed = 1
    if state.players[seat].ready == 0 or is_last_turn(state):
        end_claim(state)


def end_claim(state: State) -> None:
    note(state, notes.CLAIMED, state.actor, int(is_last_turn(state)), 0)
    end_turn(state)


def end_turn(state: State) -> None:
    state.turn += 1
    state.last_slot = NONE
    state.actor = NOBODY


def recover(state: State) -> None:
    """Return all exhausted dice to the player; a pass if there are none (R5.5)."""
    note(state, notes.RECOVERED, state.actor, return_dice(state, state.actor), 0)
    end_turn(state)


def return_dice(state: State, seat: int) -> int:
    player = state.players[seat]
    dice = player.exhausted
    player.ready += dice
    player.exhausted = 0
    return dice
