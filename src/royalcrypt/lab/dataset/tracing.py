"""A game from its steps alone: who decided what, and how it came out. In machine code, and by the rules."""

from typing import Annotated, Protocol

from royalcrypt.rules.chance import draw_chance
from royalcrypt.rules.layout import CHANCE, I2, NOBODY, TYPES, Ints, Options, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import bonus, place_of, scoring_seats, treasure
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.backend import Board, record_dtype
from royalcrypt.search.workspace import BLANK, PLAYED

UNSOUND = -1
"""Steps that the rules or the game's own chance do not allow, or that lead to no end."""


class Decision(Protocol):
    """A small decision of a player's."""

    step: Annotated[int, I2]
    round_number: Annotated[int, I2]
    phase: Annotated[int, I2]
    seat: Annotated[int, I2]
    action: Annotated[int, I2]
    legal: Annotated[int, I2]
    """How many actions there were to choose from."""


class Decisions(Protocol):
    """Indexing gives the decision itself, so writing through it is kept."""

    def __getitem__(self, index: int, /) -> Decision: ...


class Ending(Protocol):
    """How a seat fared."""

    score: Annotated[int, I2]
    place: Annotated[int, I2]
    is_winner: Annotated[int, I2]
    treasure: Annotated[int, I2]
    servants: Annotated[int, I2]
    bonus: Annotated[Ints, I2, (TYPES,)]
    held: Annotated[Ints, I2, (TYPES,)]


class Endings(Protocol):
    """By seat; indexing gives the ending itself."""

    def __getitem__(self, seat: int, /) -> Ending: ...


DECISION = record_dtype(Decision)
ENDING = record_dtype(Ending)


def trace(
    board: Board,
    options: Options,
    steps: Ints,
    count: int,
    decisions: Decisions,
    endings: Endings,
    sides: Ints,
    players: int,
    leader: int,
    high: int,
    low: int,
) -> int:
    """Write what the steps of the game with this key tell; return how many decisions, or UNSOUND."""
    board[PLAYED] = board[BLANK]
    state = board[PLAYED]
    set_up(state, players, sides, leader)
    for step in range(count):
        if state.actor == NOBODY:
            return UNSOUND
        if state.actor == CHANCE:
            if steps[step] != draw_chance(state, high, low):
                return UNSOUND
        elif not write_decision(decisions[state.decisions], state, options, step, steps[step]):
            return UNSOUND
        apply(state, state.actor, steps[step])
    if state.actor != NOBODY:
        return UNSOUND
    for seat in range(scoring_seats(state)):
        write_ending(endings[seat], state, seat)
    return state.decisions


def write_decision(decision: Decision, state: State, options: Options, step: int, action: int) -> bool:
    """Returns whether it is legal."""
    decision.step = step
    decision.round_number = state.round_number
    decision.phase = state.phase
    decision.seat = state.actor
    decision.action = action
    decision.legal = legal_actions(state, options)
    for index in range(decision.legal):
        if options.codes[index] == action:
            return True
    return False


def write_ending(ending: Ending, state: State, seat: int) -> None:
    player = state.players[seat]
    ending.score = player.score
    ending.place = place_of(state, seat)
    ending.is_winner = player.is_contender
    ending.treasure = treasure(state, seat)
    ending.servants = player.ready
    for card_type in range(TYPES):
        ending.bonus[card_type] = bonus(state, seat, card_type)
        ending.held[card_type] = player.held[card_type]
