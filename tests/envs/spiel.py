"""Games of OpenSpiel's ``python_royal_crypt``, played at random."""

import random
from collections.abc import Iterator
from typing import Any

import pyspiel

import royalcrypt.envs.openspiel as ours
from royalcrypt.rules.actions import RECOVER

spiel: Any = pyspiel
SET_UPS = [
    (2, "AAAAAA", 0),
    (2, "BABBAB", 1),
    (2, "BBBBBB", 0),
    (3, "AAAAAA", 2),
    (3, "ABABAB", 0),
    (4, "AABABA", 3),
    (4, "BBBBBB", 0),
]
"""Players, Collectors, leader."""


def name_of(set_up: tuple[int, str, int]) -> str:
    return "{}-{}-{}".format(*set_up)


def load(players: int = 2, collectors: str = "AAAAAA", leader: int = 0, **more: Any) -> Any:
    return spiel.load_game(
        ours.GAME_TYPE.short_name, {"players": players, "collectors": collectors, "leader": leader, **more}
    )


def random_action(state: Any, rng: random.Random) -> int:
    """A random outcome or action. Collectors' rewards get a higher chance."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return rng.choices(outcomes, chances)[0]
    legal = state.legal_actions()
    rewards = [action for action in legal if action > RECOVER]
    return rng.choice(rewards if rewards and rng.random() < 0.4 else legal)


def played(game: Any, seed: int) -> Iterator[Any]:
    """Yield the same state object before every step, and at the end."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state.apply_action(random_action(state, rng))
        yield state


def finished(game: Any, seed: int) -> Any:
    return list(played(game, seed))[-1]


def play_on(state: Any) -> list[float]:
    """Play to the end deterministically. Choices vary, because a tie with equal rolls would never end."""
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(random_action(state, rng))
    return state.returns()
