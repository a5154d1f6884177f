"""The same functions run plain and compiled; here they are seen to do the same, decision by decision."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from royalcrypt.rules.chance import choose_sides, draw_chance, game_key, keyed_choice
from royalcrypt.rules.layout import CHANCE, NOBODY, Options, State, blank, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions
from royalcrypt.search import playouts, simulation
from royalcrypt.search.compilation import compiled
from royalcrypt.search.playouts import random_games
from royalcrypt.search.simulation import CHOICES, STUCK, bots_seed, play_out
from tests.lockstep.walk import walk

GAMES = 12
CHECKED_GAMES = 12
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_both_carriers_agree_at_every_decision(players: int) -> None:
    """With random sides, so that every Collector has its turn, and with actions out of turn (R9.1)."""
    for seed in range(GAMES):
        assert walk(players, seed) > 50


def test_compiled_code_stays_within_its_buffers() -> None:
    """Compiled code checks no bounds unless compiled to do so: a buffer too small would go unnoticed."""
    program = [sys.executable, "-m", "tests.lockstep.walk", str(CHECKED_GAMES)]
    settings = {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        program, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_compiled_random_games_are_the_games_that_plain_objects_play(players: int) -> None:
    """A random player takes the entry of the legal list that the key names; game n has the n-th key."""
    found = random_games(players, 5, seed=2**60 + 3)
    for game in range(5):
        high, low = game_key(2**60 + 3, game)
        own = game_key(bots_seed(high, low), 0)
        state, options, sides = blank(), no_options(), [0] * 6
        choose_sides(sides, high, low)
        set_up(state, players, sides, 0)
        steps = 0
        while state.actor != NOBODY:
            if state.actor == CHANCE:
                apply(state, CHANCE, draw_chance(state, high, low))
            else:
                count = legal_actions(state, options)
                choice = keyed_choice(*own, CHOICES + (state.decisions << 8), count)
                apply(state, state.actor, options.codes[choice])
            steps += 1
        seats = range(players)
        assert found.scores[game].tolist() == [state.players[seat].score for seat in seats]
        assert found.winners[game].tolist() == [state.players[seat].is_contender == 1 for seat in seats]
        assert found.sides[game].tolist() == sides
        assert (found.decisions[game], found.steps[game]) == (state.decisions, steps)


def test_random_games_keep_to_the_sides_they_are_given() -> None:
    found = random_games(2, 3, seed=1, collectors=(0, 1, 0, 1, 1, 0))
    assert found.sides.tolist() == [[0, 1, 0, 1, 1, 0]] * 3


@pytest.mark.parametrize("seed", [0, 1, -1, 2**31, 2**32, 2**40 + 5, 2**63 - 1, -(2**63)])
def test_both_carriers_derive_the_same_keys(seed: int) -> None:
    for game in (0, 1, 2**33):
        assert compiled(game_key)(seed, game) == game_key(seed, game)


def test_no_two_games_of_a_seed_and_no_two_seeds_share_a_key() -> None:
    keys = {game_key(seed, game) for seed in (*range(50), 2**32, 2**63 - 1) for game in range(50)}
    assert len(keys) == 52 * 50


def test_a_game_without_end_is_reported_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    state = blank()
    set_up(state, 2, [0] * 6, 0)
    monkeypatch.setattr(simulation, "STEPS_AT_MOST", 3)
    assert play_out(state, no_options(), 1, 2) == STUCK

    def ended_after_four(*arguments: object) -> int:
        return 4

    def stuck(kernel: object) -> Callable[..., int]:
        return ended_after_four

    monkeypatch.setattr(playouts, "compiled", stuck)
    with pytest.raises(RuntimeError, match="game 4 of seed 7 with 2 players found no end"):
        random_games(2, 5, seed=7)


def test_a_player_without_a_legal_action_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty list before the end is a defect of the rules; a compiled loop must not spin on it."""
    state = blank()
    set_up(state, 2, [0] * 6, 0)

    def none(state: State, options: Options) -> int:
        return 0

    monkeypatch.setattr(simulation, "count_actions", none)
    assert play_out(state, no_options(), 1, 2) == STUCK
