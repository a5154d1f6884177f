"""A table of two to four as PettingZoo's agents see it, one acting at a time."""

from typing import Any

import numpy as np
from pettingzoo import AECEnv

from royalcrypt.envs.games import Games
from royalcrypt.envs.rendering import rendered
from royalcrypt.envs.seeding import begin_games
from royalcrypt.envs.setting import RENDER_MODES, Setting
from royalcrypt.envs.spaces import ACTION_MASK, OBSERVATION, action_space, observation_space
from royalcrypt.envs.stepping import FORFEIT
from royalcrypt.envs.wording import is_open, refusal_of
from royalcrypt.rules.actions import ACTIONS


def agent_names(players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(players)]


class IllegalChoice(ValueError):  # noqa: N818 (bad input is no error of ours)
    """The rules do not allow it now; the game is as it was."""


class Company(AECEnv[str, dict[str, Any], Any]):
    """What ``royalcrypt_v1.raw_env`` makes.

    Rewards come when the game is over: with ``win`` 1 to a single winner and as much less than nothing, in
    equal parts, to the others; with ``score`` each player's score.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as the library declares it)
        "name": "royalcrypt_v1",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, setting: Setting, render_mode: str | None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = agent_names(setting.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._games = Games(setting, 1, is_endless=False)
        self._choice = np.zeros(1, np.int64)
        self._is_seeded = False
        self.agents: list[str] = []
        self.layout = self._games.layout
        self.observation_spaces = {agent: observation_space(self.layout) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Game 0 of the seed, or another with ``options={"game": k}``; without a seed, the next game."""
        begin_games(self._games, seed, options, is_seeded=self._is_seeded)
        self._is_seeded = True
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._games.actors[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        games = self._games
        if agent == self.agent_selection and not self.terminations[agent]:
            return {OBSERVATION: games.observations[0].copy(), ACTION_MASK: games.masks[0].copy()}
        return {
            OBSERVATION: games.observe(0, self._seats[agent]),
            ACTION_MASK: np.zeros(ACTIONS, np.int8),
        }

    def step(self, action: Any) -> None:
        if not self.agents:
            raise RuntimeError("no game is going on: call reset() first")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        games = self._games
        if not is_open(games.masks[0], action):
            raise IllegalChoice(refusal_of(action, self.agent_selection, games.masks[0]))
        self._choice[0] = action
        if games.step(self._choice):
            self._end()
        else:
            self.agent_selection = self.possible_agents[games.actors[0]]

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The parts of an observation by name."""
        return self.layout.pieces(observation)

    def render(self) -> Any:
        """The table as the seat that must decide sees it."""
        if self.render_mode is None:
            return None
        return rendered(self._games.state(0), self._seats[self.agent_selection], self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""

    def forfeit(self) -> None:
        """End the game because whoever decides did what cannot be done; nobody else gains or loses."""
        self.rewards = dict.fromkeys(self.agents, 0.0) | {self.agent_selection: FORFEIT}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _end(self) -> None:
        """Everybody is told at once, and leaves one after another."""
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(self._games.rewards[0, seat])
            self.infos[agent] = {"score": int(self._games.deals[0].scores[seat])}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()
