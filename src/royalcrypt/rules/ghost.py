"""The turns of the Ghost, the automatic opponent in solo games (R10.4, R10.5)."""

from royalcrypt.rules import notes, phases
from royalcrypt.rules.claims import end_turn, is_last_turn, occupy, total_effort, turns_in_round
from royalcrypt.rules.layout import CHANCE, FACES, GHOST, NONE, SERVANTS, State
from royalcrypt.rules.notes import note
from royalcrypt.rules.reveal import row_length


def ghost_dice(state: State, turn: int) -> int:
    """The number of dice that the Ghost rolls; on its last turn, those pushed off in this round (R10.5)."""
    return state.ghost_pushed if turn == turns_in_round(state) - 1 else SERVANTS


def begin_ghost_turn(state: State) -> None:
    """Begin the Ghost's turn, or skip it if the Ghost has no dice (section 12, clarifications)."""
    if ghost_dice(state, state.turn) == 0:
        end_turn(state)
        return
    state.phase = phases.GHOST
    state.actor = CHANCE
    state.rolls = 0
    state.chance_seat = GHOST
    for face in range(1, FACES + 1):
        state.ghost_faces[face] = 0


def roll_for_ghost(state: State, face: int) -> None:
    note(state, notes.DIE, GHOST, face, 0)
    state.ghost_faces[face] += 1
    state.rolls += 1
    state.chance_index += 1
    if state.rolls == ghost_dice(state, state.turn):
        place_groups(state)


def place_groups(state: State) -> None:
    groups = 1 if is_last_turn(state) else SERVANTS
    for _ in range(groups):
        face = best_group(state)
        if face != NONE:
            place_group(state, face)
            state.ghost_faces[face] = 0
    note(state, notes.GHOST_TURN, GHOST, int(is_last_turn(state)), 0)
    state.phase = phases.CLAIM
    end_turn(state)


def best_group(state: State) -> int:
    """The face of the group with the highest sum, of equal sums the larger group; NONE if none is left."""
    best = NONE
    most = 0
    for face in range(1, FACES + 1):
        if face * state.ghost_faces[face] > most:
            most = face * state.ghost_faces[face]
            best = face
    return best


def place_group(state: State, face: int) -> None:
    """Place a group on the first card from the left that it can claim; otherwise set it aside."""
    dice = state.ghost_faces[face]
    for position in range(row_length(state)):
        if state.slots[position].holder != GHOST and beats_holder(state, position, face * dice):
            occupy(state, GHOST, position, dice, face)
            return


def beats_holder(state: State, position: int, total: int) -> bool:
    return state.slots[position].card != NONE and total_effort(state, position) < total
