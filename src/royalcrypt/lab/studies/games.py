"""Batches of deals as scripted games, played by the kernel or by any bot, and their results by seat."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from royalcrypt.lab.carriers import plain_carrier
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.studies.estimates import Array, against_others
from royalcrypt.lab.studies.game_records import GAME_RESULT, MOST_TURNS, NUMBERS, SCRIPT, TURN_RECORD
from royalcrypt.lab.studies.kernel import ALL_ACTIONS, play_scripts
from royalcrypt.lab.tables import Setting, play_game
from royalcrypt.rules.fast_chance import choose_sides, game_key, seed_key
from royalcrypt.rules.layout import SEATS, TYPES, VALUES
from royalcrypt.search.judge import learned_weights
from royalcrypt.search.twins import compiled, is_compiled
from royalcrypt.search.workspace import CANDIDATE, new_workspace

COINS = np.tile(np.arange(1, VALUES + 1), TYPES)
"""Printed on the cards, by kind."""


@dataclass(frozen=True)
class DealBatch:
    """Deals that are played in a row, for one study."""

    question: str
    players: int
    deals: range
    seed: int
    bot: str

    def scripts(self, repeats: int = 1) -> Array:
        """One for each deal, or several in a row, with the random sides that ``simulate`` deals."""
        scripts = np.zeros(len(self.deals), SCRIPT)
        for script, number in zip(scripts, self.deals, strict=True):
            sides = [0] * TYPES
            choose_sides(sides, *game_key(self.seed, number))
            script["number"], script["players"], script["sides"] = number, self.players, sides
        return np.repeat(scripts, repeats)


@dataclass(frozen=True)
class PlayedGames:
    """What came of scripts, with the game records as arrays."""

    scripts: Array
    results: Array
    turns: Array
    """Empty unless they were asked for."""


def play(scripts: Array, seed: int, *, has_turns: bool = False) -> PlayedGames:
    """Play scripts with the kernel."""
    results: Any = np.zeros(len(scripts), GAME_RESULT)
    turns: Any = np.zeros(len(scripts) * MOST_TURNS if has_turns else 1, TURN_RECORD)
    given: Any = scripts
    work, found, row = _buffers()
    written = compiled(play_scripts)(
        work,
        found,
        learned_weights(),
        given,
        len(scripts),
        results,
        turns,
        has_turns,
        row,
        *seed_key(seed),
    )
    return PlayedGames(scripts, results, turns[:written])


@cache
def _buffers() -> tuple[Any, Any, Any]:
    return new_workspace(), np.zeros(ALL_ACTIONS + 1, CANDIDATE), np.zeros(NUMBERS, np.int16)


def has_compiled_kernel() -> bool:
    return is_compiled(play_scripts)


def compile_kernel() -> None:
    compiled(play_scripts)


def play_with(bot: str, scripts: Array, seed: int) -> tuple[Array, Array]:
    """Scores and parts of the win by game and seat, with the same bot in all seats."""
    players = int(scripts["players"][0])
    if bot == BOT:
        results = play(scripts, seed).results
        return scores_of(results, players), wins_of(results, players)
    scores, wins = np.zeros((len(scripts), players), np.int64), np.zeros((len(scripts), players))
    carrier = plain_carrier()
    for row, script in enumerate(scripts):
        sides = "".join("AB"[side] for side in script["sides"])
        setting = Setting(players, (bot,) * players, seed, sides, int(script["leader"]))
        outcome = play_game(setting, int(script["number"]), carrier, is_recorded=False)
        scores[row] = outcome.scores
        wins[row, list(outcome.winners)] = 1 / len(outcome.winners)
    return scores, wins


def scores_of(results: Array, players: int) -> Array:
    """By game and seat."""
    return results["scores"][:, :players].astype(np.int64)


def wins_of(results: Array, players: int) -> Array:
    """Each seat's part of the win: a shared one counts as equal parts (R7.3)."""
    won = results["winners"][:, None] >> np.arange(players) & 1
    return won / won.sum(axis=1, keepdims=True)


def lead_of(scores: Array) -> Array:
    """The best score less the second."""
    ordered = np.sort(scores, axis=1)
    return ordered[:, -1] - ordered[:, -2]


def by_seat(results: Array, field: str, players: int) -> Array:
    """A field of numbers by seat and card type or kind: by game, seat and type or kind."""
    numbers = results[field]
    return numbers.reshape(len(numbers), SEATS, numbers.shape[1] // SEATS)[:, :players].astype(np.int64)


def losses(before: Array, after: Array, seats: Array, players: int) -> tuple[Array, Array]:
    """By pair of results: what the seat has less in the second, in coins over the others and of a win."""
    rows = np.arange(len(seats))
    coins = scores_of(before, players) - scores_of(after, players)
    lead = coins if players == 1 else against_others(coins)
    return lead[rows, seats], (wins_of(before, players) - wins_of(after, players))[rows, seats]
