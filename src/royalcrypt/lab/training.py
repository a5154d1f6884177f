"""Training the value network by self-play: the same weights for the same plan, and it can be interrupted.

First many quick games of players who take what the network likes best; then fewer of careful players, who
find out more about each position.
"""

import json
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import local
from typing import Any
from zipfile import BadZipFile

import numpy as np

from royalcrypt.lab.crew import Crew, threads
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
"""Part of the plan, not of the machine: on one core the same games are played one after the other."""
MILESTONES = 20
DEALS = 240
"""By which a milestone is measured, at each size of table; each deal is played from every seat."""
MEASURED = (1, 2, 4)
"""Players."""
ROWS = ("weights", "pace", "roughness")
"""Of a learner."""


@dataclass(frozen=True)
class Lesson:
    """What one thread plays between two rounds of learning."""

    companies: dict[int, int]
    """Games by number of players. What is learned from one serves the others; they are mixed so that none is
    forgotten over the others."""
    first_rate: float
    last_rate: float
    first_daring: int
    """At first one decision in so many is made at random, later fewer."""
    last_daring: int
    most_notes: int
    """A game, on average over all companies."""
    longest_game: int
    """Notes."""

    @property
    def games(self) -> int:
        return sum(self.companies.values())

    @property
    def room(self) -> int:
        return self.games * self.most_notes + self.longest_game

    def rate(self, done: float) -> float:
        return self.first_rate * (self.last_rate / self.first_rate) ** done

    def daring(self, done: float) -> int:
        return round(self.first_daring * (self.last_daring / self.first_daring) ** done)


QUICK = Lesson(
    {1: 96, 2: 64, 3: 24, 4: 24},
    first_rate=1.5e-3,
    last_rate=3e-5,
    first_daring=40,
    last_daring=400,
    most_notes=100,
    longest_game=LONGEST_GAME,
)
CAREFUL = Lesson(
    {1: 6, 2: 14, 3: 3, 4: 3},
    first_rate=2.5e-4,
    last_rate=1e-5,
    first_daring=8,
    last_daring=30,
    most_notes=450,
    longest_game=LONGEST_CAREFUL_GAME,
)


@dataclass(frozen=True)
class Plan:
    """All that the weights depend on."""

    seed: int = 1
    games: int = 2500 * THREADS * QUICK.games
    careful: int = 1000 * THREADS * CAREFUL.games
    """Games after those."""
    trust: float = 0.7
    """TD's lambda: how much an expectation follows what came of it rather than the next expectation."""

    @property
    def all_games(self) -> int:
        return self.games + self.careful

    def lesson(self, games: int) -> tuple[Lesson, float]:
        """What to play after so many games, and how much of its kind is done."""
        if games < self.games:
            return QUICK, games / self.games
        return CAREFUL, (games - self.games) / self.careful


@dataclass(frozen=True)
class Milestone:
    """How far it has come after so many games."""

    games: int
    losses: Losses
    """Since the last milestone."""
    shares: tuple[float, float, float]
    """Against light players: alone the mean score as a part of 50, with two and four its share of wins."""


class Desk:
    """What one thread plays on."""

    def __init__(self) -> None:
        room = max(QUICK.room, CAREFUL.room)
        self._notes: Any = np.zeros(room, SAMPLE)
        self.samples, self.targets = self._notes["inputs"], self._notes["targets"]
        self._work = new_workspace()

    def play_lesson(self, weights: Any, plan: Plan, first: int, done: int) -> int:
        """A lesson's games from ``first`` on, after so many; return how many notes were taken."""
        lesson, progress = plan.lesson(done)
        play = self.play if lesson is QUICK else self.play_carefully
        end = 0
        for players, games in lesson.companies.items():
            end += play(weights, plan, range(first, first + games), players, lesson.daring(progress), end)
            first += games
        return end

    def play(self, weights: Any, plan: Plan, games: range, players: int, daring: int, at: int = 0) -> int:
        """Take notes of these games from ``at`` on; return how many."""
        return self._learn(QUICK, weights, plan, games, players, daring, at)

    def play_carefully(
        self, weights: Any, plan: Plan, games: range, players: int, daring: int, at: int = 0
    ) -> int:
        return self._learn(CAREFUL, weights, plan, games, players, daring, at)

    def _learn(
        self,
        lesson: Lesson,
        weights: Any,
        plan: Plan,
        games: range,
        players: int,
        daring: int,
        at: int,
    ) -> int:
        is_careful = lesson is CAREFUL
        numbers = (games.start, len(games), players, lesson.longest_game, daring, plan.trust, is_careful)
        record: Any = np.array(numbers, TRAINING_GAMES)[()]
        notes = self._notes[at:]
        return compiled(generate_samples)(
            self._work, notes, len(notes), weights, record, *seed_key(plan.seed)
        )

    def compete(self, weights: Any, players: int, seed: int) -> float:
        return compiled(compete)(self._work, weights, DEALS, players, *seed_key(seed))


@dataclass(frozen=True)
class Task:
    """A lesson that anybody can play: what comes of it depends on nothing else."""

    weights: Any
    plan: Plan
    first: int
    """The number of its first game."""
    done: int
    """Games before its round."""


def play_task(task: Task) -> tuple[Array, Array]:
    """Samples and targets."""
    desk = own_desk()
    count = desk.play_lesson(task.weights, task.plan, task.first, task.done)
    return desk.samples[:count].copy(), desk.targets[:count].copy()


_kept = local()


def own_desk() -> Desk:
    """This thread's own."""
    if not hasattr(_kept, "desk"):
        _kept.desk = Desk()
    return _kept.desk


class Training:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.learner = Learner.beginning(plan.seed)
        self.games = 0
        self.curve: list[Milestone] = []
        self._losses: list[Losses] = []

    def run(self, tell: Callable[[], None], crew: Crew | None = None) -> None:
        """To the end of the plan, by threads or a crew; ``tell`` is called after every round of learning."""
        with threads(THREADS) if crew is None else nullcontext(crew) as players:
            while self.games < self.plan.all_games:
                self._losses.append(self._round(players))
                if self.games * MILESTONES // self.plan.all_games > len(self.curve):
                    self._look_at_the_way()
                tell()

    def _look_at_the_way(self) -> None:
        alone, two, four = (
            own_desk().compete(self.learner.weights, players, self.plan.seed) for players in MEASURED
        )
        losses = Losses(*(float(loss) for loss in np.mean(self._losses, axis=0)))
        self.curve.append(Milestone(self.games, losses, (alone, two, four)))
        self._losses.clear()

    def _round(self, crew: Crew) -> Losses:
        lesson, done = self.plan.lesson(self.games)
        # Once, before threads ask for it.
        compiled(generate_samples)
        tasks = [
            Task(self.learner.weights, self.plan, self.games + thread * lesson.games, self.games)
            for thread in range(THREADS)
        ]
        samples, targets = (np.concatenate(notes) for notes in zip(*crew.do(play_task, tasks), strict=True))
        chance = np.random.default_rng((self.plan.seed, 1, self.games // (THREADS * lesson.games)))
        losses = self.learner.learn(samples, targets, lesson.rate(done), chance)
        self.games += THREADS * lesson.games
        return losses

    def state(self) -> dict[str, Any]:
        """All that is needed to go on, just as if it had not been interrupted."""
        return {
            "plan": np.array(json.dumps(asdict(self.plan))),
            "curve": np.array(json.dumps([asdict(milestone) for milestone in self.curve])),
            "games": np.array(self.games),
            "steps": np.array(self.learner.steps),
            "losses": np.array(self._losses, np.float64).reshape(-1, len(Losses._fields)),
            **{name: getattr(self.learner, name) for name in ROWS},
        }

    def save(self, path: Path) -> None:
        """The file is whole or not there."""
        draft = path.with_name(path.name + ".part")
        with draft.open("wb") as file:
            np.savez(file, **self.state())
        draft.replace(path)

    def save_weights(self, path: Path) -> None:
        """What bots need of it."""
        with path.open("wb") as file:
            np.save(file, self.learner.weights)

    @classmethod
    def resumed(cls, path: Path) -> "Training":
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                training = cls(Plan(**json.loads(str(kept["plan"]))))
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
    """Weights of another network than this are of no use."""
    if row.shape != (WEIGHTS,) or row.dtype != np.float32:
        raise ValueError(f"{row.size} weights of {row.dtype}, not {WEIGHTS} of float32")
    return row
