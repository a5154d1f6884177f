"""Which games of which seed are played after a reset."""

from typing import Any

import numpy as np

from royalcrypt.envs.games import Games
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import MOST_SEED

GAME = "game"


def begin_games(
    games: Games,
    seed: int | None,
    options: dict[str, Any] | None,
    *,
    is_seeded: bool,
    chance: np.random.Generator | None = None,
) -> None:
    """The games of a seed from the one that the options name, else from the first.

    Without a seed, the games after those that were played; and if there are none, those of a seed of chance.
    """
    if seed is None and is_seeded:
        games.begin_next()
        return
    if seed is None:
        seed = int((chance or np.random.default_rng()).integers(MOST_SEED))
    games.begin(checked_seed(seed), (options or {}).get(GAME, 0))


def checked_seed(seed: int) -> int:
    """As simulations take them."""
    if not 0 <= seed <= MOST_SEED:
        raise Refusal(Reason.WRONG_SEED, seed=str(seed))
    return int(seed)
