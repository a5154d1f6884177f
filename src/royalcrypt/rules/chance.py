"""Chance outcomes: what is possible, with which weight, under which address (RECORD.md, Chance)."""

from enum import IntEnum

from royalcrypt.rules import phases
from royalcrypt.rules.cards import kind_type, unseen_of_type
from royalcrypt.rules.layout import FACES, KINDS, NONE, TYPES, VALUES, Options, State
from royalcrypt.rules.reveal import draws, may_be_drawn


class Purpose(IntEnum):
    CARD = 0
    TOP = 1
    DIE = 2
    GHOST = 3
    TIE = 4


PURPOSES = (
    Purpose.CARD.value,
    Purpose.TOP.value,
    -1,
    -1,
    Purpose.GHOST.value,
    -1,
    Purpose.DIE.value,
    -1,
    Purpose.DIE.value,
    -1,
    -1,
    -1,
    Purpose.TIE.value,
    -1,
)
"""By phase."""


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
