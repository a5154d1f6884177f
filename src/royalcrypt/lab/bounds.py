"""The best possible solo scores if the deck and all dice are known."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from royalcrypt.notation.cards import SIDES
from royalcrypt.rules.chance import choose_sides, game_key
from royalcrypt.rules.layout import TYPES
from royalcrypt.search.backend import STATE
from royalcrypt.search.compilation import compiled
from royalcrypt.search.network import learned_weights
from royalcrypt.search.perfect_information import END_OF_ROUND, STACK, best_score
from royalcrypt.search.workspace import new_workspace


def best_scores(games: int, seed: int, collectors: str | None, breadth: int, jobs: int = 1) -> Iterator[int]:
    """The best score found for each deal of the seed, in order. The deals equal those of ``simulate``."""
    compiled(best_score)  # Compile once, before several threads start.
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(partial(_best, seed, collectors, breadth), range(games))


def _best(seed: int, collectors: str | None, breadth: int, game: int) -> int:
    board: Any = np.zeros(2 * breadth + STACK + 1, STATE)
    ends: Any = np.zeros(2 * breadth, END_OF_ROUND)
    work: Any = new_workspace()
    work.sides[:] = [SIDES.index(side) for side in collectors or "A" * TYPES]
    key = game_key(seed, game)
    if collectors is None:
        choose_sides(work.sides, *key)
    return compiled(best_score)(work, board, ends, breadth, learned_weights(), *key)
