"""Games in machine code: one of them, or thousands that are stepped at once."""

from functools import cache
from typing import Any, cast

import numba
import numpy as np

from royalcrypt.envs.observing import Smalls
from royalcrypt.envs.pieces import layout_for
from royalcrypt.envs.setting import REWARDS, Setting
from royalcrypt.envs.stepping import (
    Buffers,
    Choices,
    Deal,
    Deals,
    Plan,
    Plans,
    Stacks,
    observe_one,
    step_games,
)
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.fast_chance import seed_key
from royalcrypt.rules.layout import State, state_of
from royalcrypt.search.carrier import OPTIONS, STATE, record_dtype
from royalcrypt.search.twins import compiled, name_type

Array = np.ndarray[Any, np.dtype[Any]]
PLAN, DEAL = record_dtype(Plan), record_dtype(Deal)
TYPES: dict[Any, Any] = {
    Plan: numba.from_dtype(PLAN),
    Plans: numba.from_dtype(PLAN)[::1],
    Buffers: numba.from_dtype(OPTIONS)[::1],
    Deal: numba.from_dtype(DEAL),
    Deals: numba.from_dtype(DEAL)[::1],
    Smalls: numba.int8[::1],
    Stacks: numba.int8[:, ::1],
    Choices: numba.int64[::1],
}
TAKEN_UP = ("_step", "_observe", "_memory", "_results", "actors")
for declaration, numba_type in TYPES.items():
    name_type(declaration, numba_type)


@cache
def kernels() -> tuple[Any, Any]:
    """``step_games`` and ``observe_one``, compiled when they are first needed."""
    return compiled(step_games), compiled(observe_one)


class Games:
    """Games of one setting and one seed, each with an observation, a mask and rewards that steps rewrite."""

    def __init__(self, setting: Setting, games: int, *, is_endless: bool) -> None:
        layout = layout_for(setting.players)
        self.layout = layout
        self.observations = np.zeros((games, layout.size), np.int8)
        self.masks = np.zeros((games, ACTIONS), np.int8)
        self.finals = np.zeros((games, layout.size), np.int8)
        """Last observations of games that ended and gave way to the next."""
        self.rewards = np.zeros((games, setting.players), np.float32)
        self.deals: Any = np.zeros(games, DEAL)
        self._board: Any = np.zeros(games + 1, STATE)
        self._plan: Any = _plan_of(setting, games, is_endless=is_endless)
        self._sides = np.array(setting.sides, np.int16)
        self._nothing = np.zeros(games, np.int64)
        self._take_up()

    def _take_up(self) -> None:
        """What is not copied with the games."""
        self._step, self._observe = kernels()
        self._memory = (self._board, self.deals, np.zeros(1, OPTIONS), self._plan, self._sides)
        self._results = (self.observations, self.masks, self.finals, self.rewards)
        self.actors: Array = self.deals["actor"]
        """Whose decision it is in each game; NOBODY's once it is over."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in TAKEN_UP}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._take_up()

    def begin(self, seed: int, first: int) -> None:
        """Begin games ``first``, ``first + 1`` … of the seed."""
        self._plan["high"], self._plan["low"] = seed_key(seed)
        games = len(self.deals)
        self.deals["number"] = np.arange(first - games, first)
        self.begin_next()

    def begin_next(self) -> None:
        """Put away what is played, and begin the next games of the seed."""
        self._step(*self._memory, self._nothing, True, *self._results)  # noqa: FBT003 (kernels know no keywords)

    def step(self, choices: Array) -> int:
        """One decision in each game; return how many ended by it. An illegal one forfeits its game."""
        return self._step(*self._memory, choices, False, *self._results)  # noqa: FBT003

    def observe(self, game: int, seat: int) -> Array:
        """What this seat observes, also when it is not its turn."""
        numbers = np.zeros(self.layout.size, np.int8)
        self._observe(self._board, game, seat, numbers)
        return numbers

    def state(self, game: int) -> State:
        """A copy of the whole truth, as plain objects: to be concealed before anybody looks at it."""
        return state_of(cast("list[int]", self._board[game + 1 : game + 2].view(np.int16).tolist()))


def _plan_of(setting: Setting, games: int, *, is_endless: bool) -> Any:
    plan: Any = np.zeros(1, PLAN)
    plan["games"] = games
    plan["players"] = setting.players
    plan["leader"] = setting.first_leader
    plan["has_random_sides"] = setting.has_random_sides
    plan["reward"] = REWARDS[setting.reward]
    plan["is_endless"] = is_endless
    return plan
