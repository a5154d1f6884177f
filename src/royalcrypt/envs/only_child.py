"""Only Child for Gymnasium: one player against the Ghost, as ``RoyalCrypt/OnlyChild-v1``."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from royalcrypt.envs import games
from royalcrypt.envs.kernel import FORFEITED
from royalcrypt.envs.rendering import render

SEAT = 0


class OnlyChild(gymnasium.Env[dict[str, Any], Any]):
    """A solo game of eight rounds. The only reward is the final score, at the end.

    An illegal action forfeits the game: it is over, with a reward of -1. ``reset(seed=n)`` begins game 0 of
    that seed, ``reset()`` the next one, and ``reset(seed=n, options={"game": k})`` game ``k``.
    """

    metadata: dict[str, Any] = {"render_modes": list(games.RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(self, collectors: str = "AAAAAA", render_mode: str | None = None) -> None:
        games.check_render_mode(render_mode)
        self.render_mode = render_mode
        self._games = games.CompiledGames(games.EnvConfig(1, collectors, reward="score"), 1, is_endless=False)
        self._choice = np.zeros(1, np.int64)
        self._is_over = True
        self.layout = self._games.layout
        self.observation_space = games.observation_space(self.layout)
        self.action_space = games.action_space()

    def reset(self, *, seed: int | None = None, options: games.Json | None = None) -> games.Reset:
        if seed is not None:
            games.checked_seed(seed)
        super().reset(seed=seed)
        self._games.reset(seed, options, self.np_random)
        self._is_over = False
        return self._observation(), {"game": int(self._games.statuses[0].number)}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise ResetNeeded("no game is going on: call reset() first")
        self._choice[0] = action
        self._is_over = self._games.step(self._choice) > 0
        status, info = self._games.statuses[0], {}
        if self._is_over:
            info = {"score": int(status.scores[SEAT]), "is_illegal": int(status.outcome) == FORFEITED}
        return self._observation(), float(self._games.rewards[0, SEAT]), self._is_over, False, info

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The named parts of an observation."""
        return self.layout.pieces(observation)

    def render(self) -> Any:
        return None if self.render_mode is None else render(self._games, SEAT, self.render_mode)

    def _observation(self) -> dict[str, Any]:
        return games.named(self._games.observations[0].copy(), self._games.masks[0].copy())


class OnlyChildVector(games.VectorGames, VectorEnv[dict[str, Any], Any, Any]):
    """The vector environment of ``gymnasium.make_vec("RoyalCrypt/OnlyChild-v1", num_envs=…)``.

    A game that ends is replaced by the next one in the same step: its last observation and its score are in
    ``infos["final_obs"]`` and ``infos["final_info"]``. After ``reset(seed=n)`` row ``i`` plays games ``i``,
    ``i + num_envs``, ``i + 2 * num_envs`` … of that seed.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, num_envs: int = 1, collectors: str = "AAAAAA", *, copy: bool = True) -> None:
        super().__init__(games.EnvConfig(1, collectors, reward="score"), num_envs, copy=copy)
        self.observation_space = batch_space(games.observation_space(self.layout), num_envs)
        self.action_space = batch_space(games.action_space(), num_envs)

    def reset(self, *, seed: int | None = None, options: games.Json | None = None) -> games.Reset:
        if seed is not None:
            games.checked_seed(seed)
        super().reset(seed=seed)
        return self._reset(seed, options, self.np_random)

    def step(self, actions: Any) -> games.Step:
        observations, rewards, terminations, truncations, infos = super().step(actions)
        return observations, rewards[:, SEAT], terminations, truncations, infos
