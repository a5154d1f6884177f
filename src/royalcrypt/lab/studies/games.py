"""Batches of scripted games, played by the kernel or by any bot, and their results by seat."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.estimates import Array, against_others
from royalcrypt.lab.studies.game_records import GAME_RESULT, MOST_TURNS, NUMBERS, SCRIPT, TURN_RECORD
from royalcrypt.lab.studies.kernel import ALL_ACTIONS, play_scripts
from royalcrypt.lab.tables import Setting, play_game
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.rules.chance import choose_sides, game_key, seed_key
from royalcrypt.rules.layout import SEATS, TYPES, VALUES
from royalcrypt.search.compilation import compiled, is_compiled
from royalcrypt.search.network import learned_weights
from royalcrypt.search.workspace import CANDIDATE, new_workspace

COINS = np.tile(np.arange(1, VALUES + 1), TYPES)
"""The coins printed on the cards, by kind."""
TITLES = tuple(name.title() for name in TYPE_NAMES)
"""The displayed names of card types."""
SIDE_NAMES = tuple(f"{name} {side}" for name in TITLES for side in "AB")
"""The displayed names of Collector sides."""


@dataclass(frozen=True)
class DealBatch:
    """Consecutive deals that are played in one task of a study."""

    question: str
    players: int
    deals: range
    seed: int
    bot: str

    def scripts(self, repeats: int = 1) -> Array:
        """The scripts of one or more games per deal, with the same random sides as ``simulate``."""
        scripts = np.zeros(len(self.deals), SCRIPT)
        for script, number in zip(scripts, self.deals, strict=True):
            sides = [0] * TYPES
            choose_sides(sides, *game_key(self.seed, number))
            script["number"], script["players"], script["sides"] = number, self.players, sides
        return np.repeat(scripts, repeats)


@dataclass(frozen=True)
class PlayedGames:
    """The results of scripted games with one number of players, as arrays."""

    players: int
    results: Array
    turns: Array
    """The turns of all games; empty unless requested."""

    def __getitem__(self, games: Any) -> "PlayedGames":
        """The results of some of the games, without turns."""
        return PlayedGames(self.players, self.results[games], self.turns[:0])

    @property
    def scores(self) -> Array:
        """Scores by game and seat."""
        return self.results["scores"][:, : self.players].astype(np.int64)

    @property
    def wins(self) -> Array:
        """Shares of the win by game and seat; a shared win is divided equally (R7.3)."""
        won = self.results["winners"][:, None] >> np.arange(self.players) & 1
        return won / won.sum(axis=1, keepdims=True)

    def by_seat(self, field: str) -> Array:
        """Reshape a field to an array by game, seat and card type or kind."""
        numbers = self.results[field]
        by_seat = numbers.reshape(len(numbers), SEATS, numbers.shape[1] // SEATS)
        return by_seat[:, : self.players].astype(np.int64)

    def losses(self, changed: "PlayedGames", seats: Array) -> tuple[Array, Array]:
        """The loss of one seat in each changed game, in lead (coins) and in share of the win."""
        coins = self.scores - changed.scores
        lead = coins if self.players == 1 else against_others(coins)
        rows = np.arange(len(seats))
        return lead[rows, seats], (self.wins - changed.wins)[rows, seats]


def play(scripts: Array, seed: int, *, has_turns: bool = False) -> PlayedGames:
    """Play scripted games with the compiled kernel and return their results."""
    results: Any = np.zeros(len(scripts), GAME_RESULT)
    turns: Any = np.zeros(len(scripts) * MOST_TURNS if has_turns else 1, TURN_RECORD)
    given: Any = scripts
    work, found, row = _buffers()
    written = compiled(play_scripts)(
        work, found, learned_weights(), given, len(scripts), results, turns, has_turns, row, *seed_key(seed)
    )  # fmt: skip
    return PlayedGames(int(scripts["players"].max(initial=1)), results, turns[:written])


@cache
def _buffers() -> tuple[Any, Any, Any]:
    return new_workspace(), np.zeros(ALL_ACTIONS + 1, CANDIDATE), np.zeros(NUMBERS, np.int16)


def has_compiled_kernel() -> bool:
    return is_compiled(play_scripts)


def compile_kernel() -> None:
    compiled(play_scripts)


def play_with(bot: str, scripts: Array, seed: int) -> tuple[Array, Array]:
    """Scores and shares of the win by game and seat, for games with the same bot in all seats."""
    players = int(scripts["players"][0])
    if bot == BOT:
        games = play(scripts, seed)
        return games.scores, games.wins
    scores, wins = np.zeros((len(scripts), players), np.int64), np.zeros((len(scripts), players))
    backend = plain_backend()
    for row, script in enumerate(scripts):
        sides = "".join("AB"[side] for side in script["sides"])
        setting = Setting(players, (bot,) * players, seed, sides, int(script["leader"]))
        outcome = play_game(setting, int(script["number"]), backend, is_recorded=False)
        scores[row] = outcome.scores
        wins[row, list(outcome.winners)] = 1 / len(outcome.winners)
    return scores, wins


def lead_of(scores: Array) -> Array:
    """The best score minus the second best."""
    ordered = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]
