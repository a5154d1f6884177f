"""Collector rewards that are used during play, and the card flips that pay for them (section 8)."""

from royalcrypt.rules import notes, phases
from royalcrypt.rules.actions import FLIP, flip
from royalcrypt.rules.cards import IDOL, can_flip, card_to_flip, flip_card, gain, is_public, show_to
from royalcrypt.rules.catalogue import CONDITION, FIRST, FLIPS, OFFERED_ON, PAID_IN, PRICE, REQUIRED, entry_of
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, VALUES, Options, State
from royalcrypt.rules.notes import note
from royalcrypt.rules.phases import MENDING, NO_ERRAND, PEEKING, REROLLING, TAKING
from royalcrypt.rules.reveal import row_length


def is_offered(state: State, errand: int) -> bool:
    """Whether this game uses the Collector side that gives this reward."""
    return state.sides[PAID_IN[errand]] == OFFERED_ON[errand]


def can_pay(state: State, seat: int, errand: int) -> bool:
    return state.players[seat].unflipped[PAID_IN[errand]] >= PRICE[errand]


def lies_face_down(state: State, position: int) -> bool:
    slot = state.slots[position]
    return slot.card != NONE and slot.is_down == 1


def any_face_down(state: State) -> bool:
    for position in range(row_length(state)):
        if lies_face_down(state, position):
            return True
    return False


def can_peek(state: State, seat: int) -> bool:
    """Whether the seat can use Manuscript B: once a round, while a face-down card is in the Crypt (R8.3B)."""
    return (
        is_offered(state, PEEKING)
        and can_pay(state, seat, PEEKING)
        and state.players[seat].has_peeked == 0
        and any_face_down(state)
    )


def can_mend(state: State, seat: int) -> bool:
    """Whether the seat can use Remains A: it needs an exhausted die (R8.5A)."""
    return is_offered(state, MENDING) and can_pay(state, seat, MENDING) and state.players[seat].exhausted > 0


def can_take(state: State, seat: int) -> bool:
    """Whether the seat can use Pottery B: it needs a face-down card in the Crypt (R8.4B)."""
    return is_offered(state, TAKING) and can_pay(state, seat, TAKING) and any_face_down(state)


def failed_on(state: State, seat: int, position: int) -> int:
    slot = state.slots[position]
    return slot.failed if slot.holder == seat else 0


def can_reroll(state: State, seat: int) -> bool:
    """Whether the seat can use Idol A: it needs a die that failed in this Collect (R8.1A)."""
    if not is_offered(state, REROLLING) or not can_pay(state, seat, REROLLING):
        return False
    for position in range(row_length(state)):
        if failed_on(state, seat, position) > 0:
            return True
    return False


def begin_errand(state: State, seat: int, errand: int, position: int) -> None:
    state.errand = errand
    state.errand_slot = position
    state.flips_owed = PRICE[errand]
    state.flip_floor = 1
    state.actor = seat


def count_flippable(state: State, options: Options) -> None:
    """Write the number of cards that the actor could flip, by value, to the weights of ``options``."""
    for value in range(1, VALUES + 1):
        options.weights[value] = 0
    for index in range(state.takings):
        card = state.taken[index]
        if can_flip(state, card, state.actor, PAID_IN[state.errand]):
            options.weights[state.card_value[card]] += 1


def list_flips(state: State, options: Options) -> int:
    """List the values to flip next. Two flips are ascending: the first must leave a card at least as high."""
    count_flippable(state, options)
    count = 0
    at_least = state.players[state.actor].unflipped[PAID_IN[state.errand]]
    for value in range(1, VALUES + 1):
        if value >= state.flip_floor and options.weights[value] > 0 and at_least >= state.flips_owed:
            options.codes[count] = flip(value)
            count += 1
        at_least -= options.weights[value]
    return count


def pay_flip(state: State, action: int) -> None:
    value = action - FLIP + 1
    flip_card(state, state.actor, card_to_flip(state, state.actor, PAID_IN[state.errand], value))
    state.flip_floor = value
    state.flips_owed -= 1
    if state.flips_owed == 0:
        run_errand(state, state.actor)


def run_errand(state: State, seat: int) -> None:
    errand = state.errand
    state.errand = NO_ERRAND
    state.actor = NOBODY
    if errand == PEEKING:
        peek(state, seat)
    elif errand == MENDING:
        mend(state, seat)
    elif errand == TAKING:
        take_unseen(state, seat, state.errand_slot)
    else:
        state.phase = phases.REROLL
        state.actor = CHANCE


def peek(state: State, seat: int) -> None:
    state.players[seat].has_peeked = 1
    for position in range(row_length(state)):
        if lies_face_down(state, position):
            show_to(state, seat, state.slots[position].card)
    note(state, notes.PEEKED, seat, 0, 0)


def mend(state: State, seat: int) -> None:
    state.players[seat].exhausted -= 1
    state.players[seat].ready += 1
    note(state, notes.MENDED, seat, 0, 0)


def take_unseen(state: State, seat: int, position: int) -> None:
    slot = state.slots[position]
    gain(state, seat, slot.card)
    slot.card = NONE
    note(state, notes.TOOK, seat, position, 0)
    run_idol_race(state)


def run_idol_race(state: State) -> None:
    """Idol B: at the first check at which a player owns two Idols, each such player flips two (R8.1B)."""
    entry = entry_of(state, IDOL)
    if CONDITION[entry] != FIRST or state.is_race_over:
        return
    for seat in range(state.seats):
        player = state.players[seat]
        if player.held[IDOL] >= REQUIRED[entry]:
            player.won_idols = 1
            state.is_race_over = 1
            flip_first_idols(state, seat)
            note(state, notes.FIRST_IDOLS, seat, 0, 0)
    if state.is_race_over:
        note(state, notes.RACE_OVER, 0, 0, 0)


def flip_first_idols(state: State, seat: int) -> None:
    """Flip two Idols: cards known to all first, then the oldest, which reveals the least (section 12)."""
    owed = FLIPS[entry_of(state, IDOL)]
    for wants_public in (True, False):
        for index in range(state.takings):
            card = state.taken[index]
            if owed > 0 and can_flip(state, card, seat, IDOL) and is_public(state, card) == wants_public:
                flip_card(state, seat, card)
                owed -= 1
