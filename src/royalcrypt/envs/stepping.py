"""Many games, one decision each: the kernel under every environment here, plain or compiled.

Chance is played by the environment, from a seed: game ``n`` of a seed meets the same cards and dice as game
``n`` of ``royalcrypt simulate`` with it.
"""

from typing import Annotated, Protocol

from royalcrypt.envs.observing import Smalls, observe, write_mask
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.fast_chance import choose_sides, draw_chance, numbered_key
from royalcrypt.rules.layout import CHANCE, NOBODY, NONE, SEATS, Ints, Options, State
from royalcrypt.rules.scoring import contenders
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.search.carrier import Board, Floats, Tables

I8 = "i8"
BLANK = 0
"""The state of a board that nobody plays on; the games come after it."""
WINS, SCORES = range(2)
"""What is rewarded."""
UNDER_WAY, ENDED, FORFEITED = range(3)
FORFEIT = -1.0


class Plan(Protocol):
    """What all games of an environment have in common."""

    games: Annotated[int, I8]
    """Played at once."""
    players: Annotated[int, I8]
    leader: Annotated[int, I8]
    """Of the first round; NONE: the seats take turns from game to game."""
    has_random_sides: Annotated[int, I8]
    high: Annotated[int, I8]
    low: Annotated[int, I8]
    """The seed's key."""
    reward: Annotated[int, I8]
    is_endless: Annotated[int, I8]
    """Whether the next game begins in the step that ends one."""


class Plans(Protocol):
    """A row of one: an array is handed to machine code in less time than a record."""

    def __getitem__(self, index: int, /) -> Plan: ...


class Buffers(Protocol):
    """Just so for the buffer of legal actions."""

    def __getitem__(self, index: int, /) -> Options: ...


class Deal(Protocol):
    """Which game of the seed is played, its key, and how the last step left it."""

    number: Annotated[int, I8]
    high: Annotated[int, I8]
    low: Annotated[int, I8]
    actor: Annotated[int, I8]
    """Whose decision it is; NOBODY once the game is over."""
    outcome: Annotated[int, I8]
    """UNDER_WAY, ENDED or FORFEITED: what the last step brought."""
    scores: Annotated[Ints, "i2", (SEATS,)]
    """Of the game that the last step ended."""
    ended: Annotated[int, I8]
    """Its number."""


class Deals(Protocol):
    """A row of deals; indexing gives the deal itself."""

    def __getitem__(self, game: int, /) -> Deal: ...


class Stacks(Protocol):
    """A row of rows; indexing gives the row itself, so writing through it is kept."""

    def __getitem__(self, game: int, /) -> Smalls: ...


class Choices(Protocol):
    """One action a game."""

    def __getitem__(self, game: int, /) -> int: ...


def step_games(
    board: Board,
    deals: Deals,
    buffers: Buffers,
    plans: Plans,
    sides: Ints,
    choices: Choices,
    is_beginning: bool,
    observations: Stacks,
    masks: Stacks,
    finals: Stacks,
    rewards: Tables,
) -> int:
    """One decision in each game, or with ``is_beginning`` another game; tells how many ended by it.

    Observations and masks are those of whoever decides next; once a game is over, of the seat that made its
    last decision. With ``is_endless`` that one goes to ``finals``, and the next game has begun already.
    """
    plan = plans[0]
    options = buffers[0]
    endings = 0
    for index in range(plan.games):
        deal = deals[index]
        state = board[index + 1]
        action = choices[index]
        seat = max(0, state.actor)
        deal.outcome = UNDER_WAY
        for other in range(plan.players):
            rewards[index][other] = 0.0
        if is_beginning:
            action = NONE
            board[index + 1] = board[BLANK]
            state = board[index + 1]
            begin(state, deal, plan, sides)
        elif not is_open(masks[index], action):
            action = NONE
            forfeit(state, deal, plan, seat, rewards[index])
        gives_way = True
        while gives_way:
            play_on(state, action, deal.high, deal.low)
            is_over = state.actor == NOBODY
            gives_way = is_over and plan.is_endless == 1
            shown = finals[index] if gives_way else observations[index]
            observe(state, seat if is_over else state.actor, shown)
            if is_over:
                endings += 1
                if deal.outcome != FORFEITED:
                    settle(state, deal, plan, rewards[index])
            if gives_way:
                action = NONE
                board[index + 1] = board[BLANK]
                state = board[index + 1]
                begin(state, deal, plan, sides)
        deal.actor = state.actor
        write_mask(state, options, masks[index])
    return endings


def is_open(mask: Smalls, action: int) -> bool:
    return 0 <= action < ACTIONS and mask[action] == 1


def begin(state: State, deal: Deal, plan: Plan, sides: Ints) -> None:
    """Set up the next game of this row: the rows share a seed's games among them."""
    deal.number += plan.games
    deal.high, deal.low = numbered_key(plan.high, plan.low, deal.number)
    if plan.has_random_sides:
        choose_sides(sides, deal.high, deal.low)
    set_up(state, plan.players, sides, deal.number % plan.players if plan.leader == NONE else plan.leader)


def play_on(state: State, action: int, high: int, low: int) -> None:
    """Carry out the actor's action, if there is one, and then chance's until somebody must choose."""
    while state.actor == CHANCE or (action != NONE and state.actor != NOBODY):
        if state.actor == CHANCE:
            action = draw_chance(state, high, low)
        apply(state, state.actor, action)
        action = NONE


def forfeit(state: State, deal: Deal, plan: Plan, seat: int, rewards: Floats) -> None:
    """Whoever does what cannot be done loses, and the game is over for all."""
    rewards[seat] = FORFEIT
    deal.outcome = FORFEITED
    deal.ended = deal.number
    for other in range(plan.players):
        deal.scores[other] = 0
    state.actor = NOBODY


def settle(state: State, deal: Deal, plan: Plan, rewards: Floats) -> None:
    deal.outcome = ENDED
    deal.ended = deal.number
    for seat in range(plan.players):
        player = state.players[seat]
        deal.scores[seat] = player.score
        if plan.reward == SCORES:
            rewards[seat] = player.score
        else:
            rewards[seat] = player.is_contender / contenders(state) * plan.players
    if plan.reward == WINS and plan.players > 1:
        for seat in range(plan.players):
            rewards[seat] = (rewards[seat] - 1.0) / (plan.players - 1)


def observe_one(board: Board, index: int, seat: int, numbers: Smalls) -> None:
    """What a seat of one of the games observes, whether or not it decides."""
    observe(board[index + 1], seat, numbers)
