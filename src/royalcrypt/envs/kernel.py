"""The compiled step function of the Gymnasium and PettingZoo environments: one decision in each game.

Chance outcomes come from a seed: game ``n`` of a seed has the same cards and dice as game ``n`` of
``royalcrypt simulate`` with that seed.
"""

from typing import Annotated, Protocol

from royalcrypt.envs.observations import SmallInts, observe, write_mask
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.chance import choose_sides, draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SEATS, Ints, Options, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import contenders
from royalcrypt.rules.turns import apply
from royalcrypt.search.backend import Board, Floats, RecordArray, Tables

I8 = "i8"
BLANK = 0
"""The index of an empty state on the board, which precedes the games."""
WINS, SCORES = range(2)
"""The kinds of rewards."""
UNDER_WAY, ENDED, FORFEITED = range(3)
FORFEIT = -1.0


class BatchParameters(Protocol):
    """The parameters that all games of an environment share."""

    games: Annotated[int, I8]
    """The number of games that are stepped together."""
    players: Annotated[int, I8]
    leader: Annotated[int, I8]
    """The first leader; with NONE, the seat changes from game to game."""
    has_random_sides: Annotated[int, I8]
    high: Annotated[int, I8]
    low: Annotated[int, I8]
    """The low word of the seed's key; ``high`` is the other one."""
    reward: Annotated[int, I8]
    is_endless: Annotated[int, I8]
    """Whether the step that ends a game also starts the next one."""


class GameStatus(Protocol):
    """The number and key of a game, and the effects of its last step."""

    number: Annotated[int, I8]
    high: Annotated[int, I8]
    low: Annotated[int, I8]
    actor: Annotated[int, I8]
    """The seat that decides; NOBODY once the game is over."""
    outcome: Annotated[int, I8]
    """The result of the last step: UNDER_WAY, ENDED or FORFEITED."""
    scores: Annotated[Ints, "i2", (SEATS,)]
    """The final scores of the game that the last step ended."""
    ended: Annotated[int, I8]
    """The number of the game that the last step ended."""


class SmallIntRows(Protocol):
    """Rows of small integers; indexing returns a writable view."""

    def __getitem__(self, game: int, /) -> SmallInts: ...


class Choices(Protocol):
    """One action for each game, by index."""

    def __getitem__(self, game: int, /) -> int: ...


def step_games(
    board: Board,
    statuses: RecordArray[GameStatus],
    buffers: RecordArray[Options],
    parameters: RecordArray[BatchParameters],
    sides: Ints,
    choices: Choices,
    is_beginning: bool,
    observations: SmallIntRows,
    masks: SmallIntRows,
    finals: SmallIntRows,
    rewards: Tables,
) -> int:
    """Make one decision in each game, or with ``is_beginning`` begin new games; return how many games ended.

    Observations and masks are those of the next actor; once a game is over, of the seat that decided last.
    With ``is_endless`` that last observation goes to ``finals``, and the next game begins at once.
    Parameters and buffers are arrays of one record, because Numba unboxes an array faster than a record.
    """
    batch = parameters[0]
    options = buffers[0]
    endings = 0
    for index in range(batch.games):
        status = statuses[index]
        state = board[index + 1]
        action = choices[index]
        seat = max(0, state.actor)
        status.outcome = UNDER_WAY
        for other in range(batch.players):
            rewards[index][other] = 0.0
        if is_beginning:
            action = NONE
            board[index + 1] = board[BLANK]
            state = board[index + 1]
            begin(state, status, batch, sides)
        elif not is_legal(masks[index], action):
            action = NONE
            forfeit(state, status, batch, seat, rewards[index])
        is_replaced = True
        while is_replaced:
            play_on(state, action, status.high, status.low)
            is_over = state.actor == NOBODY
            is_replaced = is_over and batch.is_endless == 1
            shown = finals[index] if is_replaced else observations[index]
            observe(state, seat if is_over else state.actor, shown)
            if is_over:
                endings += 1
                if status.outcome != FORFEITED:
                    settle(state, status, batch, rewards[index])
            if is_replaced:
                action = NONE
                board[index + 1] = board[BLANK]
                state = board[index + 1]
                begin(state, status, batch, sides)
        status.actor = state.actor
        write_mask(state, options, masks[index])
    return endings


def is_legal(mask: SmallInts, action: int) -> bool:
    return 0 <= action < ACTIONS and mask[action] == 1


def begin(state: State, status: GameStatus, batch: BatchParameters, sides: Ints) -> None:
    """Set up the next game in this row: row ``i`` of ``n`` plays games ``i``, ``i + n``, ``i + 2n`` …"""
    status.number += batch.games
    status.high, status.low = numbered_key(batch.high, batch.low, status.number)
    if batch.has_random_sides:
        choose_sides(sides, status.high, status.low)
    leader = status.number % batch.players if batch.leader == NONE else batch.leader
    set_up(state, batch.players, sides, leader)


def play_on(state: State, action: int, high: int, low: int) -> None:
    """Apply the action, unless it is NONE, and then chance outcomes until a player must decide."""
    while state.actor == CHANCE or (action != NONE and state.actor != NOBODY):
        if state.actor == CHANCE:
            action = draw_chance(state, high, low)
        apply(state, state.actor, action)
        action = NONE


def forfeit(state: State, status: GameStatus, batch: BatchParameters, seat: int, rewards: Floats) -> None:
    """End the game because of an illegal action; the seat that chose it loses."""
    rewards[seat] = FORFEIT
    status.outcome = FORFEITED
    status.ended = status.number
    for other in range(batch.players):
        status.scores[other] = 0
    state.actor = NOBODY


def settle(state: State, status: GameStatus, batch: BatchParameters, rewards: Floats) -> None:
    status.outcome = ENDED
    status.ended = status.number
    for seat in range(batch.players):
        player = state.players[seat]
        status.scores[seat] = player.score
        if batch.reward == SCORES:
            rewards[seat] = player.score
        else:
            rewards[seat] = player.is_contender / contenders(state) * batch.players
    if batch.reward == WINS and batch.players > 1:
        for seat in range(batch.players):
            rewards[seat] = (rewards[seat] - 1.0) / (batch.players - 1)


def observe_one(board: Board, index: int, seat: int, numbers: SmallInts) -> None:
    """Write the observation of a seat in one game, whether or not it is the actor."""
    observe(board[index + 1], seat, numbers)
