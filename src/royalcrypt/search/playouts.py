"""Random games from the first card to the score, many at once, in machine code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np

from royalcrypt.rules.chance import choose_sides, numbered_key, seed_key
from royalcrypt.rules.layout import I2, NONE, SEATS, TYPES, Ints, Options, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.search.backend import Board, RecordArray, record_dtype
from royalcrypt.search.compilation import compiled
from royalcrypt.search.simulation import STUCK, play_out

BLANK, PLAYED = range(2)
"""States of the board: an empty one, and the game."""


class GameOutcome(Protocol):
    """The result of one game."""

    scores: Annotated[Ints, I2, (SEATS,)]
    winners: Annotated[Ints, I2, (SEATS,)]
    sides: Annotated[Ints, I2, (TYPES,)]
    decisions: Annotated[int, I2]
    """Small decisions of players."""
    steps: Annotated[int, I2]
    """Decisions of players and of chance."""


def write_outcome(outcome: GameOutcome, state: State, steps: int) -> None:
    outcome.steps = steps
    outcome.decisions = state.decisions
    for seat in range(SEATS):
        outcome.scores[seat] = state.players[seat].score
        outcome.winners[seat] = state.players[seat].is_contender
    for card_type in range(TYPES):
        outcome.sides[card_type] = state.sides[card_type]


class GameSeries(Protocol):
    """Which games are played, and the memory for one of them."""

    first: Annotated[int, "i8"]
    """Number of the first game."""
    games: Annotated[int, "i8"]
    players: Annotated[int, "i8"]
    leader: Annotated[int, "i8"]
    """The seat that leads the first round; with NONE, the seats take turns."""
    sides: Annotated[Ints, I2, (TYPES,)]
    has_random_sides: Annotated[int, "i8"]
    board: Annotated[Board, State, (2,)]
    options: Annotated[Options, Options]


def play_many(series: GameSeries, outcomes: RecordArray[GameOutcome], high: int, low: int) -> int:
    """Play a series; return how many games ended: fewer than all only if one was STUCK.

    The key belongs to the seed.
    """
    for game in range(series.games):
        number = series.first + game
        game_high, game_low = numbered_key(high, low, number)
        if series.has_random_sides:
            choose_sides(series.sides, game_high, game_low)
        series.board[PLAYED] = series.board[BLANK]
        state = series.board[PLAYED]
        leader = number % series.players if series.leader == NONE else series.leader
        set_up(state, series.players, series.sides, leader)
        steps = play_out(state, series.options, game_high, game_low)
        if steps == STUCK:
            return game
        write_outcome(outcomes[game], state, steps)
    return series.games


@dataclass(frozen=True)
class RandomGames:
    """Results of random games: arrays with one entry, or one row, per game."""

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


def random_games(
    players: int,
    games: int,
    seed: int,
    collectors: Sequence[int] | None = None,
    *,
    first: int = 0,
    leader: int | None = 0,
) -> RandomGames:
    """Games of players who choose at random: game ``n``, from ``first`` on, has ``game_key(seed, n)``.

    ``collectors`` gives the six sides (0 for A, 1 for B); without it, each game has random ones. Without a
    ``leader``, the seats take turns to lead the first round.
    """
    outcomes: Any = np.zeros(games, record_dtype(GameOutcome))
    series: Any = np.zeros(1, record_dtype(GameSeries))[0]
    series.first, series.games, series.players = first, games, players
    series.leader = NONE if leader is None else leader
    series.has_random_sides = collectors is None
    series.sides[:] = (0,) * TYPES if collectors is None else collectors
    ended = compiled(play_many)(series, outcomes, *seed_key(seed))
    if ended < games:
        raise RuntimeError(
            f"game {first + ended} of seed {seed} with {players} players found no end: a defect in the rules"
        )
    return RandomGames(
        scores=outcomes["scores"][:, :players],
        winners=outcomes["winners"][:, :players].astype(np.bool_),
        sides=outcomes["sides"],
        decisions=outcomes["decisions"],
        steps=outcomes["steps"],
    )
