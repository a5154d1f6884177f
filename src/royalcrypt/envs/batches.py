"""Many games behind the faces of Gymnasium and PettingZoo: what is handed out, and what is told at an end."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from royalcrypt.envs.games import Array, Games
from royalcrypt.envs.seeding import begin_games
from royalcrypt.envs.setting import Setting, check_games
from royalcrypt.envs.spaces import ACTION_MASK, OBSERVATION
from royalcrypt.envs.stepping import FORFEITED, UNDER_WAY
from royalcrypt.rules.actions import ACTIONS


class LastObservations(Sequence[dict[str, Array] | None]):
    """By game, what was seen last of one that ended, None of one that goes on; made when somebody asks.

    Few do, for nothing comes after the end; to make them all takes a tenth of the time of a step.
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
        """As Gymnasium's own vector environments have it: an array of objects."""
        found = np.empty(len(self), object)
        found[:] = list(self)
        return found


class Batch:
    """Games that never end: each gives way to the next."""

    def __init__(self, setting: Setting, games: int, *, is_copied: bool) -> None:
        check_games(games)
        self._games = Games(setting, games, is_endless=True)
        self._is_copied = is_copied
        self._is_seeded = False
        self._outcomes: Array = np.full(games, UNDER_WAY)
        self.layout = self._games.layout

    def begin(
        self, seed: int | None, options: dict[str, Any] | None, chance: np.random.Generator | None = None
    ) -> None:
        begin_games(self._games, seed, options, is_seeded=self._is_seeded, chance=chance)
        self._is_seeded = True

    def step(self, actions: Any) -> Array:
        """One decision in each game; tells which ended by it."""
        choices = np.ascontiguousarray(actions, np.int64)
        games = len(self._games.deals)
        if choices.shape != (games,):
            raise ValueError(f"actions have the shape {choices.shape}: give one action a game, {(games,)}")
        if not self._is_seeded:
            raise RuntimeError("no games are going on: call reset() first")
        self._games.step(choices)
        self._outcomes = self._games.deals["outcome"].copy()
        return self._outcomes != UNDER_WAY

    def observations(self) -> dict[str, Array]:
        return {
            OBSERVATION: self._given(self._games.observations),
            ACTION_MASK: self._given(self._games.masks),
        }

    def rewards(self) -> Array:
        return self._given(self._games.rewards)

    def actors(self) -> Array:
        """Whose decision it is in each game."""
        return self._games.deals["actor"].copy()

    def numbers(self) -> Array:
        """Which games of the seed are played."""
        return self._games.deals["number"].copy()

    def final_infos(self, has_ended: Array) -> dict[str, Any]:
        """As Gymnasium tells what became of those that ended in this step."""
        deals = self._games.deals
        final = LastObservations(self._games.finals[has_ended], has_ended)
        rows = np.flatnonzero(has_ended)
        scores = np.zeros(self._games.rewards.shape, np.int16)
        scores[rows] = deals["scores"][rows, : scores.shape[1]]
        numbers = np.zeros(len(deals), np.int64)
        numbers[rows] = deals["ended"][rows]
        told: dict[str, Any] = {
            "score": scores[:, 0] if scores.shape[1] == 1 else scores,
            "is_illegal": self._outcomes == FORFEITED,
            "game": numbers,
        }
        told |= {f"_{name}": has_ended for name in told}
        return {"final_obs": final, "_final_obs": has_ended, "final_info": told, "_final_info": has_ended}

    def _given(self, numbers: Array) -> Array:
        return numbers.copy() if self._is_copied else numbers
