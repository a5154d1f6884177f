"""Random games from the first card to the score, many at once, in machine code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from royalcrypt.rules.chance import choose_sides, numbered_key, seed_key
from royalcrypt.rules.layout import NONE, SEATS, TYPES, Ints, Options, State
from royalcrypt.rules.reveal import set_up
from royalcrypt.search.backend import OUTCOME, STATE, Board, Outcome, RecordArray, no_options_record
from royalcrypt.search.compilation import compiled
from royalcrypt.search.random_play import STUCK, play_out

BLANK, PLAYED = range(2)
"""States of the board: an empty one, and the game."""


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
    outcomes: RecordArray[Outcome],
    first: int,
    games: int,
    players: int,
    leader: int,
    sides: Ints,
    has_random_sides: bool,
    high: int,
    low: int,
) -> int:
    """Play games from ``first`` on; return how many ended: fewer than ``games`` only if one was STUCK.

    The key belongs to the seed. ``leader`` leads the first round; with NONE, the seats take turns.
    """
    for game in range(games):
        number = first + game
        game_high, game_low = numbered_key(high, low, number)
        if has_random_sides:
            choose_sides(sides, game_high, game_low)
        board[PLAYED] = board[BLANK]
        state = board[PLAYED]
        set_up(state, players, sides, number % players if leader == NONE else leader)
        steps = play_out(state, options, game_high, game_low)
        if steps == STUCK:
            return game
        write_outcome(outcomes[game], state, steps)
    return games


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
    outcomes: Any = np.zeros(games, OUTCOME)
    sides: Any = np.zeros(TYPES, np.int16) if collectors is None else np.array(collectors, np.int16)
    board: Any = np.zeros(2, STATE)
    ended = compiled(play_many)(
        board,
        no_options_record(),
        outcomes,
        first,
        games,
        players,
        NONE if leader is None else leader,
        sides,
        collectors is None,
        *seed_key(seed),
    )
    if ended < games:
        raise RuntimeError(
            f"game {first + ended} of seed {seed} with {players} players found no end: a defect in the rules"
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
