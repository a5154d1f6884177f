"""Notes: the rules record the effects of a step, and ``royalcrypt.play`` builds events from them.

A note is four numbers: its code, the seat, and two more. The last step's notes are in ``state.notes``.

| note | numbers after the seat, and what it says |
|---|---|
| REVEALED | the row is complete |
| PLACED | slot, action code of the placement |
| CLAIMED | whether it was the last turn: the placements before it were one claim |
| RECOVERED | dice |
| FLIPPED | card |
| PEEKED, MENDED | |
| TOOK | slot |
| GHOST_TURN | whether it was the last turn: the dice and placements before it were one turn |
| RALLIED | dice |
| DIE | face |
| ROLLED | slot, effort: the dice before it were rolled for this slot |
| REROLLED | slot, effort: after one FLIPPED and one DIE |
| COLLECTED | |
| GAINED | card: part of the next COLLECTED |
| FIRST_IDOLS | the two flips before it were forced (R8.1B) |
| RACE_OVER | all who were first to two Idols have flipped |
| TIE_ROLLED | the dice before it were this contender's |
| TIE_OVER | all contenders have rolled once |
| ENDED | |
"""

from enum import IntEnum

from royalcrypt.rules.layout import State

# Plain integers, because an enumeration lookup takes longer than most rules functions.
REVEALED, PLACED, CLAIMED, RECOVERED, FLIPPED, PEEKED, MENDED, TOOK, GHOST_TURN, RALLIED = range(10)
DIE, ROLLED, REROLLED, COLLECTED, GAINED, FIRST_IDOLS, RACE_OVER, TIE_ROLLED, TIE_OVER, ENDED = range(10, 20)


class Note(IntEnum):
    """The code in the first number of a note."""

    REVEALED, PLACED, CLAIMED, RECOVERED, FLIPPED, PEEKED, MENDED, TOOK, GHOST_TURN, RALLIED = range(10)
    DIE, ROLLED, REROLLED, COLLECTED, GAINED, FIRST_IDOLS, RACE_OVER, TIE_ROLLED, TIE_OVER, ENDED = range(
        10, 20
    )


def note(state: State, what: int, seat: int, first: int, second: int) -> None:
    notes = state.notes
    at = 4 * state.noted
    notes[at] = what
    notes[at + 1] = seat
    notes[at + 2] = first
    notes[at + 3] = second
    state.noted += 1
