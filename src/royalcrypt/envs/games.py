"""Compiled games: one of them, or thousands that are stepped at once. Gymnasium's spaces for them."""

from functools import cache
from typing import Any, cast

import numba
import numpy as np
from gymnasium import spaces

from royalcrypt.envs.observing import ObservationLayout, SmallInts, layout_for
from royalcrypt.envs.setting import REWARDS, EnvConfig
from royalcrypt.envs.stepping import (
    BatchParameters,
    BatchParametersRow,
    Choices,
    GameStatus,
    GameStatuses,
    OptionsRow,
    SmallIntRows,
    observe_one,
    step_games,
)
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import MOST_SEED
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.chance import seed_key
from royalcrypt.rules.layout import State, state_of
from royalcrypt.search.backend import OPTIONS, STATE, record_dtype
from royalcrypt.search.compilation import compiled, name_type

Array = np.ndarray[Any, np.dtype[Any]]
OBSERVATION, ACTION_MASK = "observation", "action_mask"
PARAMETERS, STATUS = record_dtype(BatchParameters), record_dtype(GameStatus)
NUMBA_TYPES: dict[Any, Any] = {
    BatchParameters: numba.from_dtype(PARAMETERS),
    BatchParametersRow: numba.from_dtype(PARAMETERS)[::1],
    OptionsRow: numba.from_dtype(OPTIONS)[::1],
    GameStatus: numba.from_dtype(STATUS),
    GameStatuses: numba.from_dtype(STATUS)[::1],
    SmallInts: numba.int8[::1],
    SmallIntRows: numba.int8[:, ::1],
    Choices: numba.int64[::1],
}
NOT_COPIED = ("_step", "_observe", "_inputs", "results", "actors")
for declaration, numba_type in NUMBA_TYPES.items():
    name_type(declaration, numba_type)


@cache
def kernels() -> tuple[Any, Any]:
    """``step_games`` and ``observe_one``, compiled when they are first needed."""
    return compiled(step_games), compiled(observe_one)


class CompiledGames:
    """Games of one configuration and one seed. Each step rewrites observations, masks and rewards."""

    def __init__(self, config: EnvConfig, games: int, *, is_endless: bool) -> None:
        self.layout = layout_for(config.players)
        self.observations = np.zeros((games, self.layout.size), np.int8)
        self.masks = np.zeros((games, ACTIONS), np.int8)
        self.finals = np.zeros((games, self.layout.size), np.int8)
        """Last observations of games that the next game has replaced."""
        self.rewards = np.zeros((games, config.players), np.float32)
        self.statuses: Any = np.zeros(games, STATUS)
        self.board: Any = np.zeros(games + 1, STATE)
        self.sides = np.array(config.sides, np.int16)
        self.parameters: Any = np.zeros(1, PARAMETERS)
        for name, value in (
            ("games", games),
            ("players", config.players),
            ("leader", config.first_leader),
            ("has_random_sides", config.has_random_sides),
            ("reward", REWARDS[config.reward]),
            ("is_endless", is_endless),
        ):
            self.parameters[name] = value
        self._no_choices = np.zeros(games, np.int64)
        self.is_seeded = False
        self._bind()

    def _bind(self) -> None:
        """Set what copies and pickles leave out: compiled functions and views of the arrays."""
        self._step, self._observe = kernels()
        self._inputs = (self.board, self.statuses, np.zeros(1, OPTIONS), self.parameters, self.sides)
        self.results = (self.observations, self.masks, self.finals, self.rewards)
        self.actors: Array = self.statuses["actor"]
        """The seat that decides in each game; NOBODY once it is over."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in NOT_COPIED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def reset(
        self, seed: int | None, options: dict[str, Any] | None, rng: np.random.Generator | None = None
    ) -> None:
        """Begin the games of a seed, from number ``options["game"]`` or 0.

        Without a seed, begin the games after those that were played. The first seed comes from ``rng``.
        """
        if seed is None and self.is_seeded:
            self.begin_next()
            return
        if seed is None:
            seed = int((rng or np.random.default_rng()).integers(MOST_SEED))
        self.begin(checked_seed(seed), (options or {}).get("game", 0))

    def begin(self, seed: int, first: int) -> None:
        """Begin games ``first``, ``first + 1`` … of the seed."""
        self.is_seeded = True
        self.parameters["high"], self.parameters["low"] = seed_key(seed)
        self.statuses["number"] = np.arange(first - len(self.statuses), first)
        self.begin_next()

    def begin_next(self) -> None:
        """Drop the current games, and begin the next ones of the seed."""
        self._step(*self._inputs, self._no_choices, True, *self.results)  # noqa: FBT003 (kernels know no keywords)

    def step(self, choices: Array) -> int:
        """Make one decision in each game; return how many games ended. An illegal one forfeits its game."""
        return self._step(*self._inputs, choices, False, *self.results)  # noqa: FBT003

    def observe(self, game: int, seat: int) -> Array:
        """What a seat observes, whether or not it is the actor."""
        numbers = np.zeros(self.layout.size, np.int8)
        self._observe(self.board, game, seat, numbers)
        return numbers

    def state(self, game: int) -> State:
        """A copy of the full state as plain objects. It holds hidden cards: conceal it before showing it."""
        return state_of(cast("list[int]", self.board[game + 1 : game + 2].view(np.int16).tolist()))


def checked_seed(seed: int) -> int:
    if not 0 <= seed <= MOST_SEED:
        raise Refusal(Reason.WRONG_SEED, seed=str(seed))
    return int(seed)


def observation_space(layout: ObservationLayout) -> Any:
    most = np.array(layout.most, np.int8)
    return spaces.Dict(
        {
            OBSERVATION: spaces.Box(np.zeros_like(most), most, dtype=np.int8),
            ACTION_MASK: spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


def action_space() -> Any:
    """The small decisions of ``royalcrypt.rules.actions``."""
    return spaces.Discrete(ACTIONS)
