"""Only Child for Gymnasium: one player against the Ghost, as ``RoyalCrypt/OnlyChild-v1``."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from royalcrypt.envs.games import Games
from royalcrypt.envs.rendering import rendered
from royalcrypt.envs.seeding import begin_games, checked_seed
from royalcrypt.envs.setting import RENDER_MODES, Setting, check_render_mode
from royalcrypt.envs.spaces import ACTION_MASK, OBSERVATION, action_space, observation_space
from royalcrypt.envs.stepping import FORFEITED

SEAT = 0


class OnlyChild(gymnasium.Env[dict[str, Any], Any]):
    """A game of eight rounds; the reward is the final score, when it is over.

    An illegal action forfeits the game: it is over, with a reward of -1. ``reset(seed=n)`` begins game 0 of
    that seed, ``reset()`` the next one, and ``reset(seed=n, options={"game": k})`` game ``k``.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(self, collectors: str = "AAAAAA", render_mode: str | None = None) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._games = Games(Setting(1, collectors, reward="score"), 1, is_endless=False)
        self._choice = np.zeros(1, np.int64)
        self._is_over = True
        self._is_seeded = False
        self.layout = self._games.layout
        self.observation_space = observation_space(self.layout)
        self.action_space = action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        if seed is not None:
            checked_seed(seed)
        super().reset(seed=seed)
        begin_games(self._games, seed, options, is_seeded=self._is_seeded, chance=self.np_random)
        self._is_seeded, self._is_over = True, False
        return self._observation(), {"game": int(self._games.deals[0].number)}

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self._is_over:
            raise ResetNeeded("no game is going on: call reset() first")
        self._choice[0] = action
        self._is_over = self._games.step(self._choice) > 0
        info = self._info() if self._is_over else {}
        return self._observation(), float(self._games.rewards[0, SEAT]), self._is_over, False, info

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The parts of an observation by name."""
        return self.layout.pieces(observation)

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        return rendered(self._games.state(0), SEAT, self.render_mode)

    def _observation(self) -> dict[str, Any]:
        return {OBSERVATION: self._games.observations[0].copy(), ACTION_MASK: self._games.masks[0].copy()}

    def _info(self) -> dict[str, Any]:
        deal = self._games.deals[0]
        return {"score": int(deal.scores[SEAT]), "is_illegal": int(deal.outcome) == FORFEITED}
