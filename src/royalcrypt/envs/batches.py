"""What the vector environments share: many games, each replaced by the next one when it ends."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from royalcrypt.envs.games import (
    ACTION_MASK,
    OBSERVATION,
    Array,
    CompiledGames,
    action_space,
    observation_space,
)
from royalcrypt.envs.setting import EnvConfig, check_games
from royalcrypt.envs.stepping import FORFEITED, UNDER_WAY
from royalcrypt.rules.actions import ACTIONS


class FinalObservations(Sequence[dict[str, Array] | None]):
    """By game, the last observation of one that ended, None of one that goes on.

    Each is made when it is read: to make all of them takes a tenth of the time of a step, and few are read.
    """

    def __init__(self, observations: Array, has_ended: Array) -> None:
        self._observations, self._has_ended = observations, has_ended

    def __len__(self) -> int:
        return len(self._has_ended)

    @overload
    def __getitem__(self, index: int) -> dict[str, Array] | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Array] | None]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[game] for game in range(len(self))[index]]
        game = range(len(self))[index]
        if not self._has_ended[game]:
            return None
        row = int(np.count_nonzero(self._has_ended[:game]))
        return {OBSERVATION: self._observations[row], ACTION_MASK: np.zeros(ACTIONS, np.int8)}

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Array:
        """An array of objects, as Gymnasium's own vector environments return."""
        found = np.empty(len(self), object)
        found[:] = list(self)
        return found


class VectorGames:
    """Base of the vector environments. With ``copy=False`` the next step rewrites the returned arrays."""

    def __init__(self, config: EnvConfig, num_envs: int, *, copy: bool) -> None:
        check_games(num_envs)
        self._games = CompiledGames(config, num_envs, is_endless=True)
        self._is_copied = copy
        self.num_envs = num_envs
        self.layout = self._games.layout
        self.single_observation_space: Any = observation_space(self.layout)
        self.single_action_space: Any = action_space()

    def _reset(
        self, seed: int | None, options: dict[str, Any] | None, rng: np.random.Generator | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self._games.reset(seed, options, rng)
        return self._observations(), {"game": self._games.statuses["number"].copy()}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Observations, rewards, terminations, truncations and infos, by game."""
        choices = np.ascontiguousarray(actions, np.int64)
        if choices.shape != (self.num_envs,):
            shape = (self.num_envs,)
            raise ValueError(f"actions have the shape {choices.shape}: give one action a game, {shape}")
        if not self._games.is_seeded:
            raise RuntimeError("no games are going on: call reset() first")
        self._games.step(choices)
        has_ended = self._games.statuses["outcome"] != UNDER_WAY
        infos = self._final_infos(has_ended) if has_ended.any() else {}
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), self._result(self._games.rewards), has_ended, truncations, infos

    def pieces(self, observations: Any) -> dict[str, Any]:
        """The named parts of observations."""
        return self.layout.pieces(observations)

    def _observations(self) -> dict[str, Array]:
        return {
            OBSERVATION: self._result(self._games.observations),
            ACTION_MASK: self._result(self._games.masks),
        }

    def _result(self, numbers: Array) -> Array:
        return numbers.copy() if self._is_copied else numbers

    def _final_infos(self, has_ended: Array) -> dict[str, Any]:
        """Scores and last observations of the games that ended, in Gymnasium's form."""
        statuses = self._games.statuses
        rows = np.flatnonzero(has_ended)
        scores = np.zeros(self._games.rewards.shape, np.int16)
        scores[rows] = statuses["scores"][rows, : scores.shape[1]]
        numbers = np.zeros(self.num_envs, np.int64)
        numbers[rows] = statuses["ended"][rows]
        final: dict[str, Any] = {
            "score": scores[:, 0] if scores.shape[1] == 1 else scores,
            "is_illegal": statuses["outcome"] == FORFEITED,
            "game": numbers,
        }
        final |= {f"_{name}": has_ended for name in final}
        observations = FinalObservations(self._games.finals[has_ended], has_ended)
        return {
            "final_obs": observations,
            "_final_obs": has_ended,
            "final_info": final,
            "_final_info": has_ended,
        }
