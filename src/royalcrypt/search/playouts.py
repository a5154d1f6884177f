"""Random games from the first card to the score, many at once, in machine code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from royalcrypt.rules.fast_chance import choose_sides, draw_chance, keyed_choice, numbered_key, seed_key
from royalcrypt.rules.layout import CHANCE, NOBODY, SEATS, TYPES, Ints, Options, State
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import action_at, apply, count_actions
from royalcrypt.search.carrier import OUTCOME, STATE, Board, Outcome, Outcomes, no_options_record
from royalcrypt.search.twins import compiled

STEPS_AT_MOST = 4000
STUCK = -1
PLAYERS_CHOICE = 1 << 30
"""Addresses of random players' choices, apart from those of cards and dice."""
BLANK, PLAYED = range(2)
"""The two states of a kernel's board."""


def play_out(state: State, options: Options, high: int, low: int) -> int:
    """Play to the end at random; return the number of steps, or STUCK for a game that would never end."""
    for step in range(STEPS_AT_MOST):
        if state.actor == NOBODY:
            return step
        if state.actor == CHANCE:
            action = draw_chance(state, high, low)
        else:
            count = count_actions(state, options)
            if count == 0:
                return STUCK
            choice = keyed_choice(high, low, PLAYERS_CHOICE + (state.decisions << 8), count)
            action = action_at(state, options, choice)
        apply(state, state.actor, action)
    return STUCK


def write_outcome(outcome: Outcome, state: State, steps: int) -> None:
    outcome.steps = steps
    outcome.decisions = state.decisions
    outcome.winners = 0
    outcome.sides = 0
    for seat in range(SEATS):
        outcome.scores[seat] = state.players[seat].score
        outcome.winners |= state.players[seat].is_contender << seat
    for card_type in range(TYPES):
        outcome.sides |= state.sides[card_type] << card_type


def play_many(
    board: Board,
    options: Options,
    outcomes: Outcomes,
    games: int,
    players: int,
    sides: Ints,
    has_random_sides: bool,
    high: int,
    low: int,
) -> int:
    """Play games 0, 1 … of the seed with this key; return how many ended, fewer only if one was STUCK."""
    for game in range(games):
        game_high, game_low = numbered_key(high, low, game)
        if has_random_sides:
            choose_sides(sides, game_high, game_low)
        board[PLAYED] = board[BLANK]
        state = board[PLAYED]
        set_up(state, players, sides, 0)
        steps = play_out(state, options, game_high, game_low)
        if steps == STUCK:
            return game
        write_outcome(outcomes[game], state, steps)
    return games


@dataclass(frozen=True)
class RandomGames:
    """How many random games ended: arrays with one entry, or one row, a game."""

    scores: np.ndarray[Any, np.dtype[np.int16]]
    """By game and seat."""
    winners: np.ndarray[Any, np.dtype[np.bool_]]
    """By game and seat; more than one is set where a win is shared (R7.3)."""
    sides: np.ndarray[Any, np.dtype[np.int16]]
    """By game and type: 0 for side A, 1 for side B."""
    decisions: np.ndarray[Any, np.dtype[np.int16]]
    """Small decisions of players."""
    steps: np.ndarray[Any, np.dtype[np.int16]]
    """Decisions of players and of chance."""


def random_games(players: int, games: int, seed: int, collectors: Sequence[int] | None = None) -> RandomGames:
    """Games of players who choose at random; game ``n`` has the key ``game_key(seed, n)``.

    ``collectors`` gives the six sides (0 for A, 1 for B); without it, each game has random ones.
    """
    outcomes: Any = np.zeros(games, OUTCOME)
    sides: Any = np.zeros(TYPES, np.int16) if collectors is None else np.array(collectors, np.int16)
    board: Any = np.zeros(2, STATE)
    kernel = compiled(play_many)
    high, low = seed_key(seed)
    ended = kernel(board, no_options_record(), outcomes, games, players, sides, collectors is None, high, low)
    if ended < games:
        raise RuntimeError(
            f"game {ended} of seed {seed} with {players} players found no end: a defect in the rules"
        )
    return RandomGames(
        scores=outcomes["scores"][:, :players],
        winners=_bits(outcomes["winners"], players),
        sides=_bits(outcomes["sides"], TYPES).astype(np.int16),
        decisions=outcomes["decisions"],
        steps=outcomes["steps"],
    )


def _bits(words: Any, width: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return (words[:, None] >> np.arange(width) & 1).astype(np.bool_)
