"""A fast generator on the addresses of RECORD.md, for simulations. Machines and backends give equal outcomes.

A game's key is two 32-bit words. Everything is 32-bit arithmetic, masked after each multiplication, because
64-bit constants behave differently when compiled.
"""

from royalcrypt.rules.chance import equal_outcomes, outcome_at, purpose
from royalcrypt.rules.layout import TYPES, Ints, State

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
    """The outcome that this key brings at the chance decision at hand."""
    return outcome_at(state, keyed_choice(high, low, address_of(state), equal_outcomes(state)))


def choose_sides(sides: Ints, high: int, low: int) -> None:
    """Each Collector's side at random (R2.3)."""
    word = keyed_word(high, low, SIDES)
    for card_type in range(TYPES):
        sides[card_type] = (word >> card_type) & 1
