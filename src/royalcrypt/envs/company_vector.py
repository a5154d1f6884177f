"""Thousands of tables of two to four, one decision at each of them at a time, in machine code."""

from typing import Any

import numpy as np

from royalcrypt.envs.batches import Batch
from royalcrypt.envs.company import agent_names
from royalcrypt.envs.setting import Setting
from royalcrypt.envs.spaces import action_space, observation_space


class CompanyVector:
    """What ``royalcrypt_v1.vector_env`` makes.

    At every table one seat must act: ``infos["seat"]`` tells which, and observation and mask are that seat's.
    ``rewards`` has a row a table and a column a seat. A game that ends gives way to the next one in the same
    step, just as in ``OnlyChildVector``; an illegal action forfeits the game: -1 to whoever did it.
    """

    def __init__(self, setting: Setting, num_envs: int, *, is_copied: bool) -> None:
        self._batch = Batch(setting, num_envs, is_copied=is_copied)
        self.num_envs = num_envs
        self.possible_agents = agent_names(setting.players)
        self.layout = self._batch.layout
        self.single_observation_space = observation_space(self.layout)
        self.single_action_space = action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Games 0, 1, 2 … of the seed; without one, the next games."""
        self._batch.begin(seed, options)
        return self._batch.observations(), {"seat": self._batch.actors(), "game": self._batch.numbers()}

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Observations, rewards, terminations, truncations and infos, by table."""
        has_ended = self._batch.step(actions)
        infos: dict[str, Any] = {"seat": self._batch.actors()}
        if has_ended.any():
            infos |= self._batch.final_infos(has_ended)
        is_cut_short = np.zeros(self.num_envs, np.bool_)
        return self._batch.observations(), self._batch.rewards(), has_ended, is_cut_short, infos

    def pieces(self, observations: Any) -> dict[str, Any]:
        """The parts of observations by name."""
        return self.layout.pieces(observations)

    def close(self) -> None:
        """Nothing is held open."""
