"""Games in compiled code: options, spaces, and a class that steps one game or thousands in parallel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numba
import numpy as np
from gymnasium import spaces

from royalcrypt.envs import kernel
from royalcrypt.envs.observations import ObservationLayout, SmallInts, layout_for
from royalcrypt.notation.cards import SIDES, is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import MOST_SEED
from royalcrypt.rules.actions import ACTIONS
from royalcrypt.rules.chance import seed_key
from royalcrypt.rules.layout import NONE, TYPES, State, state_of
from royalcrypt.search.backend import OPTIONS, STATE, record_dtype
from royalcrypt.search.compilation import compiled, name_type

RANDOM = "random"
REWARDS = {"win": kernel.WINS, "score": kernel.SCORES}
RENDER_MODES = ("ansi", "rgb_array")
Array = np.ndarray[Any, np.dtype[Any]]
Json = dict[str, Any]
Reset = tuple[Json, Json]
"""The result of ``reset``: observations and infos."""
Step = tuple[Json, Any, Any, Any, Json]
"""The result of ``step``: observations, rewards, terminations, truncations and infos."""
OBSERVATION, ACTION_MASK = "observation", "action_mask"
PARAMETERS, STATUS = record_dtype(kernel.BatchParameters), record_dtype(kernel.GameStatus)
NOT_COPIED = ("_step", "_observe", "_inputs", "results", "actors")
name_type(SmallInts, numba.int8[::1])
name_type(kernel.SmallIntRows, numba.int8[:, ::1])
name_type(kernel.Choices, numba.int64[::1])


@dataclass(frozen=True, slots=True)
class EnvConfig:
    players: int
    collectors: str = "AAAAAA"
    """Six letters (side A or B by type), or ``random`` for different sides in each game."""
    leader: int | None = 0
    """The seat of the first Leader; with None it changes from game to game."""
    reward: str = "win"

    def __post_init__(self) -> None:
        if self.collectors != RANDOM and not is_sides(self.collectors):
            raise Refusal(Reason.WRONG_COLLECTORS, collectors=str(self.collectors))
        if self.leader is not None and (type(self.leader) is not int or not 0 <= self.leader < self.players):
            raise Refusal(Reason.WRONG_LEADER, leader=str(self.leader), players=self.players)
        if self.reward not in REWARDS:
            raise ValueError(f"reward={self.reward!r}: give one of {', '.join(map(repr, REWARDS))}")

    @property
    def sides(self) -> list[int]:
        return [0] * TYPES if self.has_random_sides else [SIDES.index(side) for side in self.collectors]

    @property
    def has_random_sides(self) -> bool:
        return self.collectors == RANDOM


def check_players(players: object) -> None:
    """Refuse unsupported numbers of players; solo games have a separate environment."""
    if type(players) is int and players == 1:
        raise ValueError("players=1: alone, play RoyalCrypt/OnlyChild-v1 of Gymnasium; here, 2 to 4 can play")
    if type(players) is not int or not 2 <= players <= 4:
        raise ValueError(f"players={players!r}: 2 to 4 can play here")


def check_render_mode(mode: object) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: give one of {', '.join(map(repr, RENDER_MODES))}, or None")


class CompiledGames:
    """Parallel games of one configuration and seed. A step overwrites observations, masks and rewards."""

    def __init__(self, config: EnvConfig, games: int, *, is_endless: bool) -> None:
        self.layout = layout_for(config.players)
        self.observations = np.zeros((games, self.layout.size), np.int8)
        self.masks = np.zeros((games, ACTIONS), np.int8)
        self.finals = np.zeros((games, self.layout.size), np.int8)
        """The last observations of games that were replaced by the next game."""
        self.rewards = np.zeros((games, config.players), np.float32)
        self.statuses: Any = np.zeros(games, STATUS)
        self.board: Any = np.zeros(games + 1, STATE)
        self.sides = np.array(config.sides, np.int16)
        self.parameters: Any = np.zeros(1, PARAMETERS)
        self.parameters["games"], self.parameters["players"] = games, config.players
        self.parameters["leader"] = NONE if config.leader is None else config.leader
        self.parameters["has_random_sides"] = config.has_random_sides
        self.parameters["reward"], self.parameters["is_endless"] = REWARDS[config.reward], is_endless
        self._no_choices = np.zeros(games, np.int64)
        self.is_seeded = False
        self._bind()

    def _bind(self) -> None:
        """Set the compiled functions and array views, which copies and pickles do not contain."""
        self._step: Any = compiled(kernel.step_games)
        self._observe: Any = compiled(kernel.observe_one)
        self._inputs = (self.board, self.statuses, np.zeros(1, OPTIONS), self.parameters, self.sides)
        self.results = (self.observations, self.masks, self.finals, self.rewards)
        self.actors: Array = self.statuses["actor"]
        """The seat that decides in each game; NOBODY once the game is over."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in NOT_COPIED}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._bind()

    def reset(self, seed: int | None, options: Json | None, rng: np.random.Generator | None = None) -> None:
        """Start the games of a seed, beginning with number ``options["game"]`` or 0.

        Without a seed, start the games after those played so far. The first seed comes from ``rng``.
        """
        if seed is None and self.is_seeded:
            self.begin_next()
            return
        if seed is None:
            seed = int((rng or np.random.default_rng()).integers(MOST_SEED))
        self.begin(checked_seed(seed), (options or {}).get("game", 0))

    def begin(self, seed: int, first: int) -> None:
        """Start the games with numbers ``first``, ``first + 1`` … of the seed."""
        self.is_seeded = True
        self.parameters["high"], self.parameters["low"] = seed_key(seed)
        self.statuses["number"] = np.arange(first - len(self.statuses), first)
        self.begin_next()

    def begin_next(self) -> None:
        """Drop the current games, and start the next ones of the seed."""
        self._step(*self._inputs, self._no_choices, True, *self.results)  # noqa: FBT003 (a kernel)

    def step(self, choices: Array) -> int:
        """Make one decision in each game; return how many games ended. Illegal actions forfeit games."""
        return self._step(*self._inputs, choices, False, *self.results)  # noqa: FBT003

    def observe(self, game: int, seat: int) -> Array:
        """The observation of a seat, whether or not it is the actor."""
        numbers = np.zeros(self.layout.size, np.int8)
        self._observe(self.board, game, seat, numbers)
        return numbers

    def state(self, game: int) -> State:
        """A copy of the full state as a plain object, with hidden cards: conceal it before you show it."""
        return state_of(cast("list[int]", self.board[game + 1 : game + 2].view(np.int16).tolist()))


def checked_seed(seed: int) -> int:
    if not 0 <= seed <= MOST_SEED:
        raise Refusal(Reason.WRONG_SEED, seed=str(seed))
    return int(seed)


def observation_space(layout: ObservationLayout) -> Any:
    most = np.array(layout.most, np.int8)
    observation = spaces.Box(np.zeros_like(most), most, dtype=np.int8)
    return spaces.Dict({OBSERVATION: observation, ACTION_MASK: spaces.Box(0, 1, (ACTIONS,), np.int8)})


def named(observation: Array, mask: Array) -> Json:
    return {OBSERVATION: observation, ACTION_MASK: mask}


def action_space() -> Any:
    """The action space: one number for each small decision of ``royalcrypt.rules.actions``."""
    return spaces.Discrete(ACTIONS)


class FinalObservations(Sequence[dict[str, Array] | None]):
    """For each game, its last observation if it ended in this step, otherwise None.

    Each is created on access: creating all would take a tenth of the time of a step, and few are used.
    """

    def __init__(self, observations: Array, has_ended: Array) -> None:
        self._observations, self._has_ended = observations, has_ended

    def __len__(self) -> int:
        return len(self._has_ended)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[game] for game in range(len(self))[index]]
        game: int = range(len(self))[index]
        if not self._has_ended[game]:
            return None
        row = int(np.count_nonzero(self._has_ended[:game]))
        return named(self._observations[row], np.zeros(ACTIONS, np.int8))

    def __array__(self, dtype: Any = None, *, copy: bool | None = None) -> Array:
        """Convert to an array of objects, the type that Gymnasium's own vector environments return."""
        found = np.empty(len(self), object)
        found[:] = list(self)
        return found


class VectorGames:
    """Base of the vector environments. With ``copy=False`` the next step overwrites the arrays."""

    def __init__(self, config: EnvConfig, num_envs: int, *, copy: bool) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise ValueError(f"num_envs={num_envs!r}: give a whole number of games, at least 1")
        self._games = CompiledGames(config, num_envs, is_endless=True)
        self._is_copied = copy
        self.num_envs = num_envs
        self.layout = self._games.layout
        self.single_observation_space: Any = observation_space(self.layout)
        self.single_action_space: Any = action_space()

    def _reset(self, seed: int | None, options: Json | None, rng: np.random.Generator | None = None) -> Reset:
        self._games.reset(seed, options, rng)
        return self._observations(), {"game": self._games.statuses["number"].copy()}

    def step(self, actions: Any) -> Step:
        """Apply one action per game and return the results of all games."""
        choices = np.ascontiguousarray(actions, np.int64)
        shape = (self.num_envs,)
        if choices.shape != shape:
            raise ValueError(f"actions have the shape {choices.shape}: give one action a game, {shape}")
        if not self._games.is_seeded:
            raise RuntimeError("no games are going on: call reset() first")
        self._games.step(choices)
        has_ended = self._games.statuses["outcome"] != kernel.UNDER_WAY
        infos = self._final_infos(has_ended) if has_ended.any() else {}
        truncations = np.zeros(self.num_envs, np.bool_)
        return self._observations(), self._result(self._games.rewards), has_ended, truncations, infos

    def pieces(self, observations: Any) -> dict[str, Any]:
        """The named parts of the observations."""
        return self.layout.pieces(observations)

    def _observations(self) -> dict[str, Array]:
        return named(self._result(self._games.observations), self._result(self._games.masks))

    def _result(self, numbers: Array) -> Array:
        return numbers.copy() if self._is_copied else numbers

    def _final_infos(self, has_ended: Array) -> dict[str, Any]:
        """The scores and last observations of the games that ended, in Gymnasium's format."""
        statuses = self._games.statuses
        rows = np.flatnonzero(has_ended)
        scores = np.zeros(self._games.rewards.shape, np.int16)
        scores[rows] = statuses["scores"][rows, : scores.shape[1]]
        numbers = np.zeros(self.num_envs, np.int64)
        numbers[rows] = statuses["ended"][rows]
        final: dict[str, Any] = {
            "score": scores[:, 0] if scores.shape[1] == 1 else scores,
            "is_illegal": statuses["outcome"] == kernel.FORFEITED,
            "game": numbers,
        }
        final |= {f"_{name}": has_ended for name in final}
        observations = FinalObservations(self._games.finals[has_ended], has_ended)
        infos = {"final_obs": observations, "final_info": final}
        return infos | {f"_{name}": has_ended for name in infos}
