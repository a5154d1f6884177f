"""A fast generator on the addresses of RECORD.md, for simulations: equal on every machine and both carriers.

A game's key is two 32-bit words. Everything is 32-bit arithmetic, masked after each multiplication, because
64-bit constants behave differently when compiled.
"""

from royalcrypt.rules.chance import equal_outcomes, outcome_at, purpose
from royalcrypt.rules.layout import State

MASK = 0xFFFFFFFF
RANGE = 1 << 32


def scramble(word: int) -> int:
    """A bijection of 32-bit words in which every input bit reaches every output bit."""
    word ^= word >> 16
    word = word * 0x7FEB352D & MASK
    word ^= word >> 15
    word = word * 0x846CA68B & MASK
    return word ^ word >> 16


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
    return (((purpose(state) * 16 + state.round_number) * 8 + state.chance_seat) * 256 + state.chance_index) << 8


def draw_chance(state: State, high: int, low: int) -> int:
    """The outcome that this key brings at the chance decision at hand."""
    return outcome_at(state, keyed_choice(high, low, address_of(state), equal_outcomes(state)))


def game_key(seed: int, game: int) -> tuple[int, int]:
    """The two words of one of a seed's games; a seed is a whole number of at most 64 bits."""
    high = scramble(scramble(seed & MASK) ^ game & MASK)
    low = scramble((scramble(seed >> 32 & MASK) ^ game >> 32 & MASK) + high & MASK)
    return high, low
