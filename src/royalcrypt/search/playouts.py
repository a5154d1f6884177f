"""Random games from the first card to the end, many at once, in machine code."""

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
"""Indices of the board's states: an empty one, and the current game."""


class GameOutcome(Protocol):
    """The result of one game."""

    scores: Annotated[Ints, I2, (SEATS,)]
    winners: Annotated[Ints, I2, (SEATS,)]
    sides: Annotated[Ints, I2, (TYPES,)]
    decisions: Annotated[int, I2]
    """The number of players' small decisions."""
    steps: Annotated[int, I2]
    """The number of decisions of players and of chance."""


def write_outcome(outcome: GameOutcome, state: State, steps: int) -> None:
    outcome.steps = steps
    outcome.decisions = state.decisions
    for seat in range(SEATS):
        outcome.scores[seat] = state.players[seat].score
        outcome.winners[seat] = state.players[seat].is_contender
    for card_type in range(TYPES):
        outcome.sides[card_type] = state.sides[card_type]


class GameSeries(Protocol):
    """The parameters of a series of games, and the working memory for one game."""

    first: Annotated[int, "i8"]
    """The number of the first game."""
    games: Annotated[int, "i8"]
    players: Annotated[int, "i8"]
    leader: Annotated[int, "i8"]
    """The first Leader's seat; with NONE it changes from game to game."""
    sides: Annotated[Ints, I2, (TYPES,)]
    has_random_sides: Annotated[int, "i8"]
    board: Annotated[Board, State, (2,)]
    options: Annotated[Options, Options]


def play_many(series: GameSeries, outcomes: RecordArray[GameOutcome], high: int, low: int) -> int:
    """Play a series; return how many games ended, which is less than requested only if one got STUCK.

    The key is that of the seed.
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
    """Results of random games: arrays with one entry or one row per game."""

    scores: np.ndarray[Any, np.dtype[np.int16]]
    """Scores by game and seat."""
    winners: np.ndarray[Any, np.dtype[np.bool_]]
    """Winners by game and seat; several are set if the win is shared (R7.3)."""
    sides: np.ndarray[Any, np.dtype[np.int16]]
    """Collector sides by game and type: 0 for side A, 1 for side B."""
    decisions: np.ndarray[Any, np.dtype[np.int16]]
    """The number of players' small decisions in each game."""
    steps: np.ndarray[Any, np.dtype[np.int16]]
    """The number of decisions of players and of chance in each game."""


def random_games(
    players: int,
    games: int,
    seed: int,
    collectors: Sequence[int] | None = None,
    *,
    first: int = 0,
    leader: int | None = 0,
) -> RandomGames:
    """Play games with random decisions: game ``n``, starting from ``first``, has ``game_key(seed, n)``.

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
