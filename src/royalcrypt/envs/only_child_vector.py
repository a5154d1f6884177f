"""Thousands of games of Only Child, one decision in each of them at a time, in machine code."""

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from royalcrypt.envs.batches import Batch
from royalcrypt.envs.only_child import SEAT
from royalcrypt.envs.seeding import checked_seed
from royalcrypt.envs.setting import Setting
from royalcrypt.envs.spaces import action_space, observation_space


class OnlyChildVector(VectorEnv[dict[str, Any], Any, Any]):
    """What ``gymnasium.make_vec("RoyalCrypt/OnlyChild-v1", num_envs=…)`` makes.

    A game that ends gives way to the next one in the same step: its last observation and its score are in
    ``infos["final_obs"]`` and ``infos["final_info"]``. After ``reset(seed=n)`` the rows play games 0, 1, 2 …
    of that seed, each row every ``num_envs``-th. With ``copy=False`` the arrays that a step returns are
    rewritten by the next one.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, num_envs: int = 1, collectors: str = "AAAAAA", *, copy: bool = True) -> None:
        self._batch = Batch(Setting(1, collectors, reward="score"), num_envs, is_copied=copy)
        self.num_envs = num_envs
        self.layout = self._batch.layout
        shown, taken = observation_space(self.layout), action_space()
        self.single_observation_space, self.observation_space = shown, batch_space(shown, num_envs)
        self.single_action_space, self.action_space = taken, batch_space(taken, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if seed is not None:
            checked_seed(seed)
        super().reset(seed=seed)
        self._batch.begin(seed, options, self.np_random)
        return self._batch.observations(), {"game": self._batch.numbers()}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        has_ended = self._batch.step(actions)
        rewards = self._batch.rewards()[:, SEAT]
        infos = self._batch.final_infos(has_ended) if has_ended.any() else {}
        return self._batch.observations(), rewards, has_ended, np.zeros(self.num_envs, np.bool_), infos

    def pieces(self, observations: Any) -> dict[str, Any]:
        """The parts of observations by name."""
        return self.layout.pieces(observations)
