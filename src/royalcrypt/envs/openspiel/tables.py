"""A table: the state of a game, the legal actions or chance outcomes, and the story, i.e. all steps so far.

All actions are public, and so are all chance outcomes except the value of a card that is drawn face-down. The
event by which a seat learns such a value (a peek, take, collect or flip) is public. So the steps so far, with
the values that a seat knows now, are its information state with perfect recall (R11). The index of a flipped
card is part of the step, because it is public which of several equal cards was flipped.

The code is compiled. A table is one array of 16-bit numbers, as Numba unboxes it in 1 µs, a record in 20 µs.
"""

from typing import Annotated, Any, Protocol

import numba
import numpy as np

from royalcrypt.envs.openspiel.text import DRAWN, UNKNOWN, step_by_chance, step_by_player
from royalcrypt.rules.cards import kind_of
from royalcrypt.rules.chance import list_outcomes
from royalcrypt.rules.layout import CARDS, CHANCE, I2, SEATS, Ints, Options, Player, State, state_of
from royalcrypt.rules.phases import REVEAL
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.rules.views import hide, knows
from royalcrypt.search.backend import OPTIONS, STATE, Board, RecordArray, record_dtype
from royalcrypt.search.compilation import name_type
from royalcrypt.search.simulation import deal_hidden

STORY = 720
"""The capacity of a story in steps; only games with endless ties need more."""
TOGETHER = -1
"""The viewer with the joint knowledge of all players."""
ILLEGAL = -1
FLIPPED_CARD = 2
"""The index of the flipped card in the notes of a step; a flip is always the first note."""


class TableRecord(Protocol):
    states: Annotated[Board, State, (1,)]
    options: Annotated[RecordArray[Options], Options, (1,)]
    """The legal actions, or the chance outcomes with their weights."""
    choices: Annotated[int, I2]
    """The number of options."""
    steps: Annotated[int, I2]
    story: Annotated[Ints, I2, (STORY,)]
    """One number per step; ``text`` describes the encoding."""
    draws: Annotated[Ints, I2, (CARDS,)]
    """The index of the step that drew each card."""


class Memory(Protocol):
    """A table as one array of 16-bit numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def view(self, dtype: Any, /) -> Any: ...


def _offset(dtype: Any, name: str) -> int:
    """The offset of a field, in 16-bit numbers."""
    return dtype.fields[name][1] // np.dtype(I2).itemsize


TABLE = record_dtype(TableRecord)
LENGTH = TABLE.itemsize // np.dtype(I2).itemsize
STATE_LENGTH = _offset(TABLE, "options")
STEPS_AT = _offset(TABLE, "steps")
STORY_AT = _offset(TABLE, "story")
ACTOR_AT = _offset(STATE, "actor")
PLAYER = record_dtype(Player).itemsize // np.dtype(I2).itemsize
CONTENDER_AT = _offset(STATE, "players") + _offset(record_dtype(Player), "is_contender")
CODES_AT = STATE_LENGTH + _offset(OPTIONS, "codes")
WEIGHTS_AT = STATE_LENGTH + _offset(OPTIONS, "weights")
name_type(Memory, numba.int16[::1])


def begin(memory: Memory) -> int:
    """List the first chance outcomes; return their number."""
    return list_next(memory.view(TABLE)[0])


def advance(memory: Memory, action: int) -> int:
    """Apply an action or a chance outcome, list the next options, and return their number.

    Returns ILLEGAL, and changes nothing, if the action is not among the listed options.
    """
    table: TableRecord = memory.view(TABLE)[0]
    if not is_listed(table, action):
        return ILLEGAL
    state = table.states[0]
    actor = state.actor
    phase = state.phase
    apply(state, actor, action)
    if actor == CHANCE:
        if phase == REVEAL:
            table.draws[state.drawn - 1] = table.steps
        append_step(table, step_by_chance(phase, action))
    else:
        append_step(table, step_by_player(action, state.notes[FLIPPED_CARD]))
    return list_next(table)


def append_step(table: TableRecord, step: int) -> None:
    if table.steps < STORY:
        table.story[table.steps] = step
        table.steps += 1


def is_listed(table: TableRecord, action: int) -> bool:
    found = False
    for index in range(table.choices):
        found = found or table.options[0].codes[index] == action
    return found


def list_next(table: TableRecord) -> int:
    state = table.states[0]
    if state.actor == CHANCE:
        table.choices = list_outcomes(state, table.options[0])
    else:
        table.choices = legal_actions(state, table.options[0])
    return table.choices


def is_known(state: State, viewer: int, card: int) -> bool:
    """Whether the viewer (a seat, SPECTATOR or TOGETHER) knows the value of the card."""
    if viewer != TOGETHER:
        return knows(state, viewer, card)
    by_anybody = False
    for seat in range(state.seats):
        by_anybody = by_anybody or knows(state, seat, card)
    return by_anybody


def copy_known(memory: Memory, known: Memory, viewer: int) -> None:
    """Copy the table to ``known``, without the information that the viewer does not have."""
    for index in range(len(memory)):
        known[index] = memory[index]
    table: TableRecord = known.view(TABLE)[0]
    state = table.states[0]
    for card in range(state.drawn):
        if not is_known(state, viewer, card):
            table.story[table.draws[card]] = UNKNOWN + state.card_type[card]
            hide(state, card)
    state.noted = 0


def redeal_hidden(memory: Memory, other: Memory, viewer: int, high: int, low: int) -> None:
    """Copy the table to ``other``, with values unknown to the viewer drawn anew by this key (R11.5)."""
    copy_known(memory, other, viewer)
    table: TableRecord = other.view(TABLE)[0]
    state = table.states[0]
    deal_hidden(state, high, low)
    for card in range(state.drawn):
        table.story[table.draws[card]] = DRAWN + kind_of(state.card_type[card], state.card_value[card])


def state_in(memory: Any) -> State:
    """The state of a table as a plain object."""
    return state_of(memory[:STATE_LENGTH].tolist())


def first_in(memory: Any) -> list[int]:
    """For each seat, 1 if it is tied for first place or has won, else 0."""
    return memory[CONTENDER_AT : CONTENDER_AT + SEATS * PLAYER : PLAYER].tolist()


def story_in(memory: Any) -> list[int]:
    return memory[STORY_AT : STORY_AT + memory.item(STEPS_AT)].tolist()
