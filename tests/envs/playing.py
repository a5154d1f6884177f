"""Random play in environments."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from royalcrypt.rules.chance import draw_chance, game_key
from royalcrypt.rules.layout import CHANCE, NOBODY, State, blank, no_options
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.turns import apply, legal_actions

SETTINGS = [(players, sides) for players in (2, 3, 4) for sides in ("AAAAAA", "BBBBBB", "BABBAB", "random")]


def chosen(mask: Any, rng: random.Random) -> int:
    """A random legal action. Collectors' rewards get a higher chance, so that all of them occur."""
    legal = [int(action) for action in np.flatnonzero(mask)]
    rewards = [action for action in legal if action >= 110]
    return rng.choice(rewards if rewards and rng.random() < 0.5 else legal)


def states(players: int, seed: int) -> Iterator[State]:
    """Yield the same state object at every decision of a random game, and at its end."""
    rng = random.Random(f"{players} {seed}")
    state, options = blank(), no_options()
    set_up(state, players, [rng.randrange(2) for _ in range(6)], rng.randrange(players))
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            apply(state, CHANCE, draw_chance(state, *game_key(seed, 0)))
            continue
        yield state
        legal = [options.codes[index] for index in range(legal_actions(state, options))]
        rewards = [action for action in legal if action >= 110]
        apply(state, state.actor, rng.choice(rewards if rewards and rng.random() < 0.5 else legal))
    yield state
