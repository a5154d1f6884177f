"""The phases of a game, and the rewards that are paid by flipping cards."""

from enum import IntEnum


class Phase(IntEnum):
    """The phases in the order of a round. A phase without a decision ends at once."""

    REVEAL = 0
    """Chance draws the row, card by card (R4.1)."""
    TOP = 1
    """Chance draws the type of the deck's new top card (R1.2)."""
    POTTERY = 2
    """Players may use Pottery B (R8.4B)."""
    CLAIM = 3
    GHOST = 4
    """Chance rolls the Ghost's dice (R10.4)."""
    COLLECT = 5
    """Unclaimed cards are discarded, and players who were pushed out recover (R6.1, R6.2)."""
    ROLL = 6
    """Chance rolls a player's dice (R6.3)."""
    IDOL = 7
    """Players may use Idol A (R8.1A)."""
    REROLL = 8
    TORCH = 9
    """Idol B is checked (R6.7), then the torches pass to the left (R7.1)."""
    REMAINS = 10
    """Players have a last chance to use Remains A (R9.2)."""
    SCORE = 11
    TIE = 12
    """Chance rolls the dice of the players who are tied (R7.3)."""
    OVER = 13


# Plain integers, because an enumeration lookup takes longer than most rules functions.
REVEAL, TOP, POTTERY, CLAIM, GHOST, COLLECT, ROLL, IDOL, REROLL, TORCH, REMAINS, SCORE, TIE, OVER = (
    member.value for member in Phase
)

NO_ERRAND, PEEKING, MENDING, TAKING, REROLLING = range(5)
"""The rewards that flips pay for; plain integers, because they index tables."""
