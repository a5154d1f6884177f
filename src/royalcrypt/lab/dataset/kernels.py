"""Compiled code of the data sets: plays games of the bot ``heir``, and computes rows from a game's steps."""

from typing import Annotated, Protocol

from royalcrypt.lab.strong_play import strong_action
from royalcrypt.rules.chance import draw_chance
from royalcrypt.rules.layout import CHANCE, I2, NOBODY, TYPES, Ints, Options, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import bonus, place_of, scoring_seats, treasure
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search.backend import Board, Floats, Tables, record_dtype
from royalcrypt.search.simulation import STUCK
from royalcrypt.search.workspace import BLANK, LONGEST_ACTION, PLAYED, Workspace

STEPS_AT_MOST = 2000
"""The most steps of a game, i.e. decisions and chance outcomes; most games have about a hundred."""
ONLY_THE_BEST = 1
WIN, SCORE = range(2)
"""The columns of a prediction: the win chance, and the score divided by ``SCORE_SCALE``."""
UNSOUND = -1
"""The return value for steps that break the rules, contradict the game's chance or have no end."""


class DecisionRow(Protocol):
    """A row of the table of decisions: a small decision of a player."""

    step: Annotated[int, I2]
    round_number: Annotated[int, I2]
    phase: Annotated[int, I2]
    seat: Annotated[int, I2]
    action: Annotated[int, I2]
    legal: Annotated[int, I2]
    """The number of legal actions."""


class DecisionRows(Protocol):
    """Rows of decisions; indexing returns a reference, so rows can be written."""

    def __getitem__(self, index: int, /) -> DecisionRow: ...


class ResultRow(Protocol):
    """A row of the table of results: the result of one seat."""

    score: Annotated[int, I2]
    place: Annotated[int, I2]
    is_winner: Annotated[int, I2]
    treasure: Annotated[int, I2]
    servants: Annotated[int, I2]
    bonus: Annotated[Ints, I2, (TYPES,)]
    held: Annotated[Ints, I2, (TYPES,)]


class ResultRows(Protocol):
    """Rows of results by seat; indexing returns a reference."""

    def __getitem__(self, seat: int, /) -> ResultRow: ...


DECISION = record_dtype(DecisionRow)
RESULT = record_dtype(ResultRow)


def play_heir_game(
    work: Workspace,
    weights: Floats,
    steps: Ints,
    predictions: Tables,
    sides: Ints,
    players: int,
    leader: int,
    high: int,
    low: int,
) -> int:
    """Play a game of ``heir``; write its steps, and a row of ``predictions`` for each decision.

    Returns the number of steps, or STUCK if it does not end.
    """
    board = work.board
    found = work.under_way
    board[PLAYED] = board[BLANK]
    set_up(board[PLAYED], players, sides, leader)
    step = 0
    decision = 0
    while board[PLAYED].actor != NOBODY:
        if step + LONGEST_ACTION > STEPS_AT_MOST:
            return STUCK
        seat = board[PLAYED].actor
        if seat == CHANCE:
            steps[step] = draw_chance(board[PLAYED], high, low)
            apply(board[PLAYED], seat, int(steps[step]))
            step += 1
        else:
            strong_action(work, found, ONLY_THE_BEST, weights)
            for index in range(found[0].steps):
                steps[step] = found[0].codes[index]
                apply(board[PLAYED], seat, int(steps[step]))
                predictions[decision][WIN] = found[0].win
                predictions[decision][SCORE] = found[0].score
                step += 1
                decision += 1
    return step


def trace(
    board: Board,
    options: Options,
    steps: Ints,
    count: int,
    decisions: DecisionRows,
    results: ResultRows,
    sides: Ints,
    players: int,
    leader: int,
    high: int,
    low: int,
) -> int:
    """Replay the steps of a game, and write its rows; return the number of decisions or UNSOUND."""
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
        write_result(results[seat], state, seat)
    return state.decisions


def write_decision(decision: DecisionRow, state: State, options: Options, step: int, action: int) -> bool:
    """Write a row about a decision; return whether the action is legal."""
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


def write_result(result: ResultRow, state: State, seat: int) -> None:
    player = state.players[seat]
    result.score = player.score
    result.place = place_of(state, seat)
    result.is_winner = player.is_contender
    result.treasure = treasure(state, seat)
    result.servants = player.ready
    for card_type in range(TYPES):
        result.bonus[card_type] = bonus(state, seat, card_type)
        result.held[card_type] = player.held[card_type]
