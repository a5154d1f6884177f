"""Chance outcomes: the possible results, their weights and their addresses (RECORD.md, Chance).

Simulations draw them with a fast generator, whose outcomes are equal on all machines and backends. A game's
key is two 32-bit words. Everything is 32-bit arithmetic, masked after each multiplication, because 64-bit
constants behave differently when compiled.
"""

from enum import IntEnum

from royalcrypt.rules import phases
from royalcrypt.rules.cards import kind_type, unseen_of_type
from royalcrypt.rules.layout import FACES, KINDS, NONE, TYPES, VALUES, Ints, Options, State
from royalcrypt.rules.reveal import draws, may_be_drawn


class Purpose(IntEnum):
    CARD = 0
    TOP = 1
    DIE = 2
    GHOST = 3
    TIE = 4


_BY_PHASE = {
    phases.REVEAL: Purpose.CARD,
    phases.TOP: Purpose.TOP,
    phases.GHOST: Purpose.GHOST,
    phases.ROLL: Purpose.DIE,
    phases.REROLL: Purpose.DIE,
    phases.TIE: Purpose.TIE,
}
PURPOSES = tuple(_BY_PHASE[phase].value if phase in _BY_PHASE else -1 for phase in phases.Phase)
"""The purpose of a chance outcome in each phase; -1 for phases without chance."""


def purpose(state: State) -> int:
    return PURPOSES[state.phase]


def equal_outcomes(state: State) -> int:
    """The number of equally likely outcomes of the current chance decision."""
    if state.phase == phases.REVEAL:
        return draws(state)
    return state.deck if state.phase == phases.TOP else FACES


def outcome_at(state: State, choice: int) -> int:
    """Convert an index among the equally likely outcomes to a kind of card, a card type or a die face."""
    if state.phase == phases.REVEAL:
        return kind_at(state, choice)
    if state.phase == phases.TOP:
        return kind_type(kind_at(state, choice))
    return choice + 1


def kind_at(state: State, choice: int) -> int:
    """The kind of the unseen card at this index, in the order I1 … T4; each copy counts once."""
    kind = 0 if state.top == NONE else state.top * VALUES
    while choice >= state.unseen[kind]:
        choice -= state.unseen[kind]
        kind += 1
    return kind


def list_outcomes(state: State, options: Options) -> int:
    """Write each distinct outcome and its weight to ``options``; return the number of outcomes."""
    count = 0
    if state.phase == phases.REVEAL:
        for kind in range(KINDS):
            if may_be_drawn(state, kind):
                options.codes[count] = kind
                options.weights[count] = state.unseen[kind]
                count += 1
    elif state.phase == phases.TOP:
        for card_type in range(TYPES):
            if unseen_of_type(state, card_type) > 0:
                options.codes[count] = card_type
                options.weights[count] = unseen_of_type(state, card_type)
                count += 1
    else:
        for face in range(1, FACES + 1):
            options.codes[count] = face
            options.weights[count] = 1
            count += 1
    return count


MASK = 0xFFFFFFFF
RANGE = 1 << 32
MIXES = 4
SIDES = 1 << 28
"""The address from which random Collector sides are drawn."""


def scramble(word: int) -> int:
    """A bijection of 32-bit words in which every input bit affects every output bit."""
    word ^= word >> 16
    word = word * 0x7FEB352D & MASK
    word ^= word >> 15
    word = word * 0x846CA68B & MASK
    return word ^ word >> 16


def mix(high: int, low: int) -> tuple[int, int]:
    """A bijection of pairs of words (a Feistel network)."""
    for salt in range(MIXES):
        high, low = low, high ^ scramble(low + salt * 0x1E3779B9 & MASK)
    return high, low


def seed_key(seed: int) -> tuple[int, int]:
    """The key of a seed; different for any two seeds of up to 64 bits."""
    return mix(seed >> 32 & MASK, seed & MASK)


def numbered_key(high: int, low: int, game: int) -> tuple[int, int]:
    """The key of game number ``game`` under a seed's key; different for every game."""
    return mix(high ^ game >> 32 & MASK, low ^ game & MASK)


def game_key(seed: int, game: int) -> tuple[int, int]:
    """The key of game number ``game`` of a seed."""
    high, low = seed_key(seed)
    return numbered_key(high, low, game)


def keyed_word(high: int, low: int, address: int) -> int:
    """A pseudo-random 32-bit word, determined by a key and an address."""
    return scramble((address * 0x1B873593 & MASK ^ high) + low & MASK)


def keyed_choice(high: int, low: int, address: int, outcomes: int) -> int:
    """One of ``outcomes`` equally likely numbers; the low byte of ``address`` counts the attempts.

    The product's upper half is the choice; words whose lower half would favour some choices are drawn again.
    """
    product = keyed_word(high, low, address) * outcomes
    while product & MASK < outcomes and product & MASK < RANGE % outcomes:
        address += 1
        product = keyed_word(high, low, address) * outcomes
    return product >> 32


def address_of(state: State) -> int:
    """The address of the current chance decision: purpose, round, seat and index packed into one word."""
    return (
        ((purpose(state) * 16 + state.round_number) * 8 + state.chance_seat) * 256 + state.chance_index
    ) << 8


def draw_chance(state: State, high: int, low: int) -> int:
    """Draw the outcome of the current chance decision with this key."""
    return outcome_at(state, keyed_choice(high, low, address_of(state), equal_outcomes(state)))


def choose_sides(sides: Ints, high: int, low: int) -> None:
    """Choose each Collector's side at random (R2.3)."""
    word = keyed_word(high, low, SIDES)
    for card_type in range(TYPES):
        sides[card_type] = (word >> card_type) & 1
