"""A table: the state of a game, what may be done now, and the story of how it came about.

Every action that anybody takes is public, and so is every outcome of chance but the value of a card that is
drawn face-down. When somebody comes to know such a value, all see that it happens: a peek, a take, a collect,
a flip. So the steps so far, with the values that a seat knows by now, are just what this seat has seen, and
when: its information state (R11, with perfect recall). Which of several equal cards was flipped is public,
too, and told with the flip.

Compiled. A table is one row of small numbers, because Numba is handed that in a microsecond, and a record in
twenty.
"""

from typing import Annotated, Any, Protocol

import numba
import numpy as np

from royalcrypt.envs.openspiel.words import DRAWN, UNKNOWN, step_by_chance, step_by_player
from royalcrypt.rules.cards import kind_of
from royalcrypt.rules.chance import list_outcomes
from royalcrypt.rules.layout import (
    CARDS,
    CHANCE,
    I2,
    SEATS,
    Ints,
    Options,
    Player,
    State,
    numbers_of,
    state_of,
)
from royalcrypt.rules.phases import REVEAL
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.rules.views import hide, knows
from royalcrypt.search.carrier import OPTIONS, STATE, record_dtype
from royalcrypt.search.sampling import deal_hidden
from royalcrypt.search.twins import name_type

STORY = 720
"""Steps that a story has room for: more than any game has, but for ties without end."""
TOGETHER = -1
"""As a viewer: all players, if they told each other what they know."""
ILLEGAL = -1
FLIPPED_CARD = 2
"""Where among the notes of a flip its card stands; the flip is noted first."""


class States(Protocol):
    """A row of states; indexing gives the state itself."""

    def __getitem__(self, index: int, /) -> State: ...


class Buffers(Protocol):
    def __getitem__(self, index: int, /) -> Options: ...


class Table(Protocol):
    states: Annotated[States, State, (1,)]
    options: Annotated[Buffers, Options, (1,)]
    """What may be done now, or what may come with which weight."""
    choices: Annotated[int, I2]
    """How many of these there are."""
    steps: Annotated[int, I2]
    story: Annotated[Ints, I2, (STORY,)]
    """One number a step (``words``)."""
    draws: Annotated[Ints, I2, (CARDS,)]
    """By card, the step that drew it."""


class Memory(Protocol):
    """A table as one row of small numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def view(self, dtype: Any, /) -> Any: ...


def _offset(dtype: Any, name: str) -> int:
    """Where a field begins, in small numbers."""
    return dtype.fields[name][1] // np.dtype(I2).itemsize


TABLE = record_dtype(Table)
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
name_type(Table, numba.from_dtype(TABLE))


def begin(memory: Memory) -> int:
    """List what may be done first; return how many."""
    return list_next(memory.view(TABLE)[0])


def advance(memory: Memory, action: int) -> int:
    """Carry out an action, or an outcome of chance; list what may be done next and return how many.

    What is not among those listed is ILLEGAL and changes nothing.
    """
    table: Table = memory.view(TABLE)[0]
    if not is_listed(table, action):
        return ILLEGAL
    state = table.states[0]
    actor = state.actor
    phase = state.phase
    apply(state, actor, action)
    if actor == CHANCE:
        if phase == REVEAL:
            table.draws[state.drawn - 1] = table.steps
        write_down(table, step_by_chance(phase, action))
    else:
        write_down(table, step_by_player(action, state.notes[FLIPPED_CARD]))
    return list_next(table)


def write_down(table: Table, step: int) -> None:
    if table.steps < STORY:
        table.story[table.steps] = step
        table.steps += 1


def is_listed(table: Table, action: int) -> bool:
    found = False
    for index in range(table.choices):
        found = found or table.options[0].codes[index] == action
    return found


def list_next(table: Table) -> int:
    state = table.states[0]
    if state.actor == CHANCE:
        table.choices = list_outcomes(state, table.options[0])
    else:
        table.choices = legal_actions(state, table.options[0])
    return table.choices


def is_known(state: State, viewer: int, card: int) -> bool:
    """To a seat, to SPECTATOR, or to anybody who plays (TOGETHER)."""
    if viewer != TOGETHER:
        return knows(state, viewer, card)
    by_anybody = False
    for seat in range(state.seats):
        by_anybody = by_anybody or knows(state, seat, card)
    return by_anybody


def conceal_table(table: Table, viewer: int) -> None:
    """Take out of the state and of the story, in place, all that the viewer does not know."""
    state = table.states[0]
    for card in range(state.drawn):
        if not is_known(state, viewer, card):
            table.story[table.draws[card]] = UNKNOWN + state.card_type[card]
            hide(state, card)
    state.noted = 0


def copy_known(memory: Memory, known: Memory, viewer: int) -> None:
    """Make ``known`` a copy without what the viewer does not know."""
    for index in range(len(memory)):
        known[index] = memory[index]
    conceal_table(known.view(TABLE)[0], viewer)


def imagine(memory: Memory, other: Memory, viewer: int, high: int, low: int) -> None:
    """Make ``other`` a copy with other values, by this key, for cards the viewer does not know (R11.5)."""
    copy_known(memory, other, viewer)
    table: Table = other.view(TABLE)[0]
    state = table.states[0]
    deal_hidden(state, high, low)
    for card in range(state.drawn):
        table.story[table.draws[card]] = DRAWN + kind_of(state.card_type[card], state.card_value[card])


def memory_of(start: State) -> Any:
    """The table of a game about to begin."""
    memory: Any = np.zeros(LENGTH, I2)
    memory[:STATE_LENGTH] = numbers_of(start)
    return memory


def state_in(memory: Any) -> State:
    """A plain copy of a table's state."""
    return state_of(memory[:STATE_LENGTH].tolist())


def first_in(memory: Any) -> list[int]:
    """By seat, whether it is still tied for the first place, or has won: 1 or 0."""
    return memory[CONTENDER_AT : CONTENDER_AT + SEATS * PLAYER : PLAYER].tolist()


def story_in(memory: Any) -> list[int]:
    return memory[STORY_AT : STORY_AT + memory.item(STEPS_AT)].tolist()
