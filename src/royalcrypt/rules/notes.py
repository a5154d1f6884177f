"""Notes: the rules write down what a step does. ``royalcrypt.play`` makes events of them.

A note is four numbers: what, the seat, and two more. The last step's notes lie in ``state.notes``.
"""

from enum import IntEnum

from royalcrypt.rules.layout import State


class Note(IntEnum):
    REVEALED = 0
    """The row is complete."""
    PLACED = 1
    """seat, slot, action code of the placement."""
    CLAIMED = 2
    """seat, whether it was the last turn: the placements before it were one claim."""
    RECOVERED = 3
    """seat, dice."""
    FLIPPED = 4
    """seat, card."""
    PEEKED = 5
    """seat."""
    MENDED = 6
    """seat."""
    TOOK = 7
    """seat, slot."""
    GHOST_TURN = 8
    """Ghost, whether it was the last turn: the dice and placements before it were one turn."""
    RALLIED = 9
    """seat, dice."""
    DIE = 10
    """seat, face."""
    ROLLED = 11
    """seat, slot, effort: the dice before it were rolled for this slot."""
    REROLLED = 12
    """seat, slot, effort: after one FLIPPED and one DIE."""
    COLLECTED = 13
    """seat."""
    GAINED = 14
    """seat, card: part of the next COLLECTED."""
    FIRST_IDOLS = 15
    """seat: the two flips before it were forced (R8.1B)."""
    RACE_OVER = 16
    """All who were first to two Idols have flipped."""
    TIE_ROLLED = 17
    """seat: the dice before it were this contender's."""
    TIE_OVER = 18
    """All contenders have rolled once."""
    ENDED = 19


# As plain numbers, for the rules: to look up an enumeration's member takes longer than most rules do.
(
    REVEALED,
    PLACED,
    CLAIMED,
    RECOVERED,
    FLIPPED,
    PEEKED,
    MENDED,
    TOOK,
    GHOST_TURN,
    RALLIED,
    DIE,
    ROLLED,
    REROLLED,
    COLLECTED,
    GAINED,
    FIRST_IDOLS,
    RACE_OVER,
    TIE_ROLLED,
    TIE_OVER,
    ENDED,
) = (member.value for member in Note)


def note(state: State, what: int, seat: int, first: int, second: int) -> None:
    notes = state.notes
    at = 4 * state.noted
    notes[at] = what
    notes[at + 1] = seat
    notes[at + 2] = first
    notes[at + 3] = second
    state.noted += 1
