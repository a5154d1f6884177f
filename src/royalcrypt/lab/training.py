"""Training of the value network by self-play: interruptible, and deterministic for a given plan.

First many quick games, in which players take the action with the highest network value; then fewer careful
games, in which players evaluate each position more closely.
"""

import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from threading import local
from typing import Any
from zipfile import BadZipFile

import numpy as np

from royalcrypt.lab.worker_pools import WorkerPool, thread_pool
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.chance import seed_key
from royalcrypt.search.compilation import compiled
from royalcrypt.search.network import WEIGHTS
from royalcrypt.search.network_training import Array, Learner, Losses
from royalcrypt.search.self_play import (
    LONGEST_CAREFUL_GAME,
    LONGEST_GAME,
    SAMPLE,
    TRAINING_GAMES,
    compete,
    generate_samples,
)
from royalcrypt.search.workspace import new_workspace

THREADS = 2
"""The number of threads as part of the plan; with one core, the same games are played in sequence."""
MILESTONES = 20
DEALS = 240
"""The number of deals per milestone and number of players; each deal is played from every seat."""
MEASURED = (1, 2, 4)
"""The numbers of players of the games that measure a milestone."""
ROWS = ("weights", "pace", "roughness")
"""The arrays of a learner's state."""


@dataclass(frozen=True)
class Schedule:
    """The games that one thread plays between two updates of the weights."""

    is_careful: bool
    """Whether the value of every candidate is estimated by rollouts."""
    games_by_players: dict[int, int]
    """The number of games by number of players, mixed so that the network does not forget any table size."""
    first_rate: float
    last_rate: float
    first_one_in: int
    """The initial exploration rate: one random decision out of this many; ``last_one_in`` is the last one."""
    last_one_in: int
    most_samples: int
    """Samples per game, on average over all table sizes, for which memory is reserved."""
    longest_game: int
    """Samples of the longest game for which memory is reserved."""

    @property
    def games(self) -> int:
        return sum(self.games_by_players.values())

    @property
    def capacity(self) -> int:
        return self.games * self.most_samples + self.longest_game

    def rate(self, done: float) -> float:
        return self.first_rate * (self.last_rate / self.first_rate) ** done

    def one_in(self, done: float) -> int:
        return round(self.first_one_in * (self.last_one_in / self.first_one_in) ** done)


QUICK = Schedule(
    is_careful=False,
    games_by_players={1: 96, 2: 64, 3: 24, 4: 24},
    first_rate=1.5e-3,
    last_rate=3e-5,
    first_one_in=40,
    last_one_in=400,
    most_samples=100,
    longest_game=LONGEST_GAME,
)
CAREFUL = Schedule(
    is_careful=True,
    games_by_players={1: 6, 2: 14, 3: 3, 4: 3},
    first_rate=2.5e-4,
    last_rate=1e-5,
    first_one_in=8,
    last_one_in=30,
    most_samples=450,
    longest_game=LONGEST_CAREFUL_GAME,
)


@dataclass(frozen=True)
class TrainingPlan:
    """The parameters that determine the weights."""

    seed: int = 1
    games: int = 2500 * THREADS * QUICK.games
    """The number of quick games."""
    careful: int = 1000 * THREADS * CAREFUL.games
    """The number of careful games, which follow the quick ones."""
    trust: float = 0.7
    """The lambda of TD(lambda): the weight of later results against that of the next prediction."""

    @property
    def all_games(self) -> int:
        return self.games + self.careful

    def schedule(self, games: int) -> tuple[Schedule, float]:
        """The schedule after this many games, and the finished fraction of its phase."""
        if games < self.games:
            return QUICK, games / self.games
        return CAREFUL, (games - self.games) / self.careful


@dataclass(frozen=True)
class Milestone:
    """A measurement of the network after a number of games."""

    games: int
    losses: Losses
    """The mean losses since the previous milestone."""
    shares: tuple[float, float, float]
    """Results against light players: solo the mean score divided by 50, win shares of two and of four."""


class SelfPlayer:
    """Plays training games; each thread needs its own instance."""

    def __init__(self) -> None:
        self._samples: Any = np.zeros(max(QUICK.capacity, CAREFUL.capacity), SAMPLE)
        self.samples, self.targets = self._samples["inputs"], self._samples["targets"]
        self._work = new_workspace()

    def play(
        self, schedule: Schedule, weights: Any, plan: TrainingPlan, games: range, players: int, one_in: int,
        at: int = 0,
    ) -> int:  # fmt: skip
        """Play these games and store their samples from index ``at`` on; return the number of samples."""
        # The kernel takes a record, not an array of no dimensions.
        settings: Any = np.array(
            [
                (
                    games.start,
                    len(games),
                    players,
                    schedule.longest_game,
                    one_in,
                    plan.trust,
                    schedule.is_careful,
                )
            ],
            TRAINING_GAMES,
        )[0]
        samples = self._samples[at:]
        return compiled(generate_samples)(
            self._work, samples, len(samples), weights, settings, *seed_key(plan.seed)
        )

    def compete(self, weights: Any, players: int, seed: int) -> float:
        return compiled(compete)(self._work, weights, DEALS, players, *seed_key(seed))


_of_thread = local()


def own_player() -> SelfPlayer:
    """The ``SelfPlayer`` of the current thread."""
    if not hasattr(_of_thread, "player"):
        _of_thread.player = SelfPlayer()
    return _of_thread.player


def play_schedule(weights: Any, plan: TrainingPlan, done: int, first: int) -> tuple[Array, Array]:
    """The samples and targets of the games from number ``first`` on, for the state after ``done`` games."""
    player = own_player()
    schedule, progress = plan.schedule(done)
    weights = np.require(weights, requirements="W")  # Ray passes read-only arrays.
    end = 0
    for players, count in schedule.games_by_players.items():
        games = range(first, first + count)
        end += player.play(schedule, weights, plan, games, players, schedule.one_in(progress), end)
        first += count
    return player.samples[:end].copy(), player.targets[:end].copy()


class Training:
    def __init__(self, plan: TrainingPlan) -> None:
        self.plan = plan
        self.learner = Learner.beginning(plan.seed)
        self.games = 0
        self.curve: list[Milestone] = []
        self._losses: list[Losses] = []

    def run(self, on_update: Callable[[], None], pool: WorkerPool | None = None) -> None:
        """Train to the end of the plan; ``on_update`` is called after every update of the weights."""
        with thread_pool(THREADS) if pool is None else nullcontext(pool) as workers:
            while self.games < self.plan.all_games:
                self._losses.append(self._update(workers))
                if self.games * MILESTONES // self.plan.all_games > len(self.curve):
                    self._add_milestone()
                on_update()

    def _add_milestone(self) -> None:
        alone, two, four = (
            own_player().compete(self.learner.weights, players, self.plan.seed) for players in MEASURED
        )
        losses = Losses(*(float(loss) for loss in np.mean(self._losses, axis=0)))
        self.curve.append(Milestone(self.games, losses, (alone, two, four)))
        self._losses.clear()

    def _update(self, pool: WorkerPool) -> Losses:
        schedule, done = self.plan.schedule(self.games)
        compiled(generate_samples)  # Compile once, before several threads start.
        play = partial(play_schedule, self.learner.weights, self.plan, self.games)
        first_games = [self.games + thread * schedule.games for thread in range(THREADS)]
        samples, targets = (np.concatenate(parts) for parts in zip(*pool.map(play, first_games), strict=True))
        chance = np.random.default_rng((self.plan.seed, 1, self.games // (THREADS * schedule.games)))
        losses = self.learner.learn(samples, targets, schedule.rate(done), chance)
        self.games += THREADS * schedule.games
        return losses

    def state(self) -> dict[str, Any]:
        """The complete state of the training, from which it can be resumed with the same results."""
        return {
            "plan": np.array(json.dumps(asdict(self.plan))),
            "curve": np.array(json.dumps([asdict(milestone) for milestone in self.curve])),
            "games": np.array(self.games),
            "steps": np.array(self.learner.steps),
            "losses": np.array(self._losses, np.float64).reshape(-1, len(Losses._fields)),
            **{name: getattr(self.learner, name) for name in ROWS},
        }

    def save(self, path: Path) -> None:
        """Replace the checkpoint file atomically."""
        draft = path.with_name(path.name + ".part")
        with draft.open("wb") as file:
            np.savez(file, **self.state())
        draft.replace(path)

    def save_weights(self, path: Path) -> None:
        """Write the weights in the format that bots load."""
        with path.open("wb") as file:
            np.save(file, self.learner.weights)

    @classmethod
    def resumed(cls, path: Path) -> "Training":
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                training = cls(TrainingPlan(**json.loads(str(kept["plan"]))))
                training.curve = [
                    Milestone(one["games"], Losses(*one["losses"]), tuple(one["shares"]))
                    for one in json.loads(str(kept["curve"]))
                ]
                training.games = int(kept["games"])
                training._losses = [Losses(*row) for row in kept["losses"].tolist()]
                training.learner = Learner(*(fitting(kept[name]) for name in ROWS), steps=int(kept["steps"]))
        except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
            raise Refusal(Reason.NOT_A_TRAINING, file=str(path), why=str(error)) from error
        return training


def fitting(row: Array) -> Array:
    """Check that the weights have the network's shape; raises ValueError if they do not."""
    if row.shape != (WEIGHTS,) or row.dtype != np.float32:
        raise ValueError(f"{row.size} weights of {row.dtype}, not {WEIGHTS} of float32")
    return row
