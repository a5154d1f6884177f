"""PettingZoo environments for two to four players: ``env()``, ``raw_env()`` and ``vector_env()``.

Agents are called ``player_0`` to ``player_3``, by seat, and act one at a time (AEC). Chance outcomes
are drawn from the seed of ``reset``.
"""

from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from royalcrypt.envs import games
from royalcrypt.envs.kernel import FORFEIT
from royalcrypt.envs.rendering import render
from royalcrypt.envs.wording import is_legal, refusal_text
from royalcrypt.rules.actions import ACTIONS


def env(**options: Any) -> "CheckedEnv":
    """The environment with checks: an illegal action ends the game with a reward of -1 for its agent."""
    return CheckedEnv(raw_env(**options))


def raw_env(
    *,
    players: int = 2,
    collectors: str = "AAAAAA",
    leader: int | None = 0,
    reward: str = "win",
    render_mode: str | None = None,
) -> "MultiplayerEnv":
    """The environment without checks: an illegal action raises ``IllegalChoice`` and changes nothing."""
    games.check_players(players)
    games.check_render_mode(render_mode)
    return MultiplayerEnv(games.EnvConfig(players, collectors, leader, reward), render_mode)


def vector_env(
    num_envs: int,
    *,
    players: int = 2,
    collectors: str = "AAAAAA",
    leader: int | None = 0,
    reward: str = "win",
    copy: bool = True,
) -> "MultiplayerVector":
    """A vector environment: many parallel games, each with the observation of its actor."""
    games.check_players(players)
    return MultiplayerVector(games.EnvConfig(players, collectors, leader, reward), num_envs, copy=copy)


def agent_names(players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(players)]


class IllegalChoice(ValueError):  # noqa: N818 (bad input is no error of ours)
    """The rules do not allow this action in the current state."""


class MultiplayerEnv(AECEnv[str, dict[str, Any], Any]):
    """The environment that ``raw_env`` returns. Rewards are given at the end of the game.

    With ``win``, a single winner gets 1 and the others share -1 equally; with ``score``, each gets its score.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as the library declares it)
        "name": "royalcrypt_v1",
        "render_modes": list(games.RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(self, config: games.EnvConfig, render_mode: str | None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = agent_names(config.players)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._games = games.CompiledGames(config, 1, is_endless=False)
        self._choice = np.zeros(1, np.int64)
        self.agents: list[str] = []
        self.layout = self._games.layout
        self.observation_spaces = {
            agent: games.observation_space(self.layout) for agent in self.possible_agents
        }
        self.action_spaces = {agent: games.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin game 0 of the seed, or game ``k`` with ``options={"game": k}``; without a seed, the next."""
        self._games.reset(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._games.actors[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        if agent == self.agent_selection and not self.terminations[agent]:
            return games.named(self._games.observations[0].copy(), self._games.masks[0].copy())
        return games.named(self._games.observe(0, self._seats[agent]), np.zeros(ACTIONS, np.int8))

    def step(self, action: Any) -> None:
        if not self.agents:
            raise RuntimeError("no game is going on: call reset() first")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if not is_legal(self._games.masks[0], action):
            raise IllegalChoice(refusal_text(action, self.agent_selection, self._games.masks[0]))
        self._choice[0] = action
        if self._games.step(self._choice):
            self._end()
        else:
            self.agent_selection = self.possible_agents[self._games.actors[0]]

    def pieces(self, observation: Any) -> dict[str, Any]:
        """The named parts of an observation."""
        return self.layout.pieces(observation)

    def render(self) -> Any:
        """Render the table as the acting agent sees it."""
        if self.render_mode is None:
            return None
        return render(self._games, self._seats[self.agent_selection], self.render_mode)

    def close(self) -> None:
        """Do nothing, because no resources are open."""

    def forfeit(self) -> None:
        """End the game because the acting agent chose an illegal action; the other agents get 0."""
        self.rewards = dict.fromkeys(self.agents, 0.0) | {self.agent_selection: FORFEIT}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _end(self) -> None:
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(self._games.rewards[0, seat])
            self.infos[agent] = {"score": int(self._games.statuses[0].scores[seat])}
        self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._deads_step_first()


class CheckedEnv(OrderEnforcingWrapper[str, dict[str, Any], Any]):
    """The environment that ``env`` returns: PettingZoo's three usual wrappers in one.

    It replaces ``TerminateIllegalWrapper``, ``AssertOutOfBoundsWrapper`` and ``OrderEnforcingWrapper``, which
    are slower because of nested attribute lookups. Calls before ``reset`` and values outside the action space
    raise errors; an illegal action ends the game with a reward of -1 for its agent.
    """

    def __init__(self, raw: MultiplayerEnv) -> None:
        super().__init__(raw)
        self._raw = raw

    @property
    def agents(self) -> list[str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._after_reset("agents").agents

    @property
    def agent_selection(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._after_reset("agent_selection").agent_selection

    def last(self, observe: bool = True) -> Any:  # noqa: FBT001, FBT002 (PettingZoo's own)
        return self._after_reset("agent_selection").last(observe)

    def step(self, action: Any) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self._raw.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        try:
            self._raw.step(action)
        except IllegalChoice as choice:
            if not self._raw.action_space(self._raw.agent_selection).contains(action):
                raise AssertionError("action is not in action space") from choice
            EnvLogger.warn_on_illegal_move()
            self._raw.forfeit()

    def _after_reset(self, name: str) -> MultiplayerEnv:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return self._raw


class MultiplayerVector(games.VectorGames):
    """The vector environment that ``vector_env`` returns.

    ``infos["seat"]`` contains the seat that must act in each game; observation and mask belong to that seat.
    ``rewards`` has a row for each game and a column for each seat. A game that ends is replaced in the same
    step, as in ``OnlyChildVector``; an illegal action forfeits the game, with a reward of -1 for its seat.
    """

    def __init__(self, config: games.EnvConfig, num_envs: int, *, copy: bool) -> None:
        super().__init__(config, num_envs, copy=copy)
        self.possible_agents = agent_names(config.players)

    def reset(self, *, seed: int | None = None, options: games.Json | None = None) -> games.Reset:
        """Start games 0, 1, 2 … of the seed; without a seed, the next games."""
        observations, infos = self._reset(seed, options)
        return observations, {"seat": self._games.actors.copy()} | infos

    def step(self, actions: Any) -> games.Step:
        observations, rewards, terminations, truncations, infos = super().step(actions)
        infos = {"seat": self._games.actors.copy()} | infos
        return observations, rewards, terminations, truncations, infos

    def close(self) -> None:
        """Do nothing, because no resources are open."""
