"""Chance outcomes: what is possible, with which weight, under which address (RECORD.md, Chance).

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
"""By phase; -1 where chance decides nothing."""


def purpose(state: State) -> int:
    return PURPOSES[state.phase]


def equal_outcomes(state: State) -> int:
    """How many outcomes of equal weight chance chooses from."""
    if state.phase == phases.REVEAL:
        return draws(state)
    return state.deck if state.phase == phases.TOP else FACES


def outcome_at(state: State, choice: int) -> int:
    """The outcome that this one of the equal outcomes stands for: a kind, a type or a face."""
    if state.phase == phases.REVEAL:
        return kind_at(state, choice)
    if state.phase == phases.TOP:
        return kind_type(kind_at(state, choice))
    return choice + 1


def kind_at(state: State, choice: int) -> int:
    """Unseen cards that may be drawn, in the order I1 … T4, each copy counting once."""
    kind = 0 if state.top == NONE else state.top * VALUES
    while choice >= state.unseen[kind]:
        choice -= state.unseen[kind]
        kind += 1
    return kind


def list_outcomes(state: State, options: Options) -> int:
    """Write each distinct outcome and its weight; return how many."""
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
"""Address of randomly chosen Collector sides."""


def scramble(word: int) -> int:
    """A bijection of 32-bit words in which every input bit reaches every output bit."""
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
    """A seed's own key, different for any two of up to 64 bits."""
    return mix(seed >> 32 & MASK, seed & MASK)


def numbered_key(high: int, low: int, game: int) -> tuple[int, int]:
    """The key of one of the games of the seed with this key: no two of them are alike."""
    return mix(high ^ game >> 32 & MASK, low ^ game & MASK)


def game_key(seed: int, game: int) -> tuple[int, int]:
    """The key of one of a seed's games."""
    high, low = seed_key(seed)
    return numbered_key(high, low, game)


def keyed_word(high: int, low: int, address: int) -> int:
    """The 32-bit word that a key has under an address."""
    return scramble((address * 0x1B873593 & MASK ^ high) + low & MASK)


def keyed_choice(high: int, low: int, address: int, outcomes: int) -> int:
    """One of ``outcomes`` equally likely numbers; ``address`` leaves its low byte to the tries.

    The product's upper half is the choice; words whose lower half would favour some choices are drawn again.
    """
    product = keyed_word(high, low, address) * outcomes
    while product & MASK < outcomes and product & MASK < RANGE % outcomes:
        address += 1
        product = keyed_word(high, low, address) * outcomes
    return product >> 32


def address_of(state: State) -> int:
    """Purpose, round, seat and index in one word."""
    return (
        ((purpose(state) * 16 + state.round_number) * 8 + state.chance_seat) * 256 + state.chance_index
    ) << 8


def draw_chance(state: State, high: int, low: int) -> int:
    """The outcome of the current chance decision under this key."""
    return outcome_at(state, keyed_choice(high, low, address_of(state), equal_outcomes(state)))


def choose_sides(sides: Ints, high: int, low: int) -> None:
    """Each Collector's side at random (R2.3)."""
    word = keyed_word(high, low, SIDES)
    for card_type in range(TYPES):
        sides[card_type] = (word >> card_type) & 1
