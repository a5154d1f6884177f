"""Whether the learned value keeps its word: of positions that it gives 70 %, seven in ten should be won."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from royalcrypt.lab.crew import Crew, threads
from royalcrypt.lab.training import THREADS, Plan, own_desk
from royalcrypt.search.compilation import compiled
from royalcrypt.search.network_training import Array, predict_all
from royalcrypt.search.self_play import generate_samples

BINS = 10
AT_ONCE = 50
"""Games that one thread plays between two looks at the progress."""
TO_THE_END = 1.0
"""The trust with which notes tell how the game ended, and nothing of what was expected on the way."""


@dataclass(frozen=True)
class Positions:
    """One of each game: what was said of it, and what came."""

    said: Array
    came: Array

    @classmethod
    def together(cls, several: "Sequence[Positions]") -> "Positions":
        return cls(
            np.concatenate([one.said for one in several]), np.concatenate([one.came for one in several])
        )


@dataclass(frozen=True)
class Bin:
    positions: int
    expected: float
    """Mean of what was said."""
    happened: float
    """Mean of what came."""


@dataclass(frozen=True)
class Calibration:
    bins: tuple[Bin, ...]
    """By tenths of what was said."""

    @classmethod
    def of(cls, positions: Positions) -> "Calibration":
        said, came = positions.said, positions.came
        tenth = np.minimum((said * BINS).astype(int), BINS - 1)
        found: list[Bin] = []
        for number in range(BINS):
            here = tenth == number
            count = int(here.sum())
            found.append(
                Bin(count, float(said[here].mean()), float(came[here].mean())) if count else Bin(0, 0.0, 0.0)
            )
        return cls(tuple(found))

    @property
    def positions(self) -> int:
        return sum(one.positions for one in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: how far off what was said is, on average over positions."""
        return sum(one.positions * abs(one.expected - one.happened) for one in self.bins) / self.positions


@dataclass(frozen=True)
class Look:
    """Games of which one position each is looked at."""

    weights: Any
    players: int
    games: range
    seed: int


def sample(
    weights: Any,
    players: int,
    games: int,
    seed: int,
    tell: Callable[[int], None] = lambda _: None,
    crew: Crew | None = None,
) -> Positions:
    """A position of each game that the value plays against itself; the same for the same seed."""
    compiled(generate_samples)  # once, before threads ask for it
    looks = (
        Look(weights, players, range(first, min(first + AT_ONCE, games)), seed)
        for first in range(0, games, AT_ONCE)
    )
    samples: list[Array] = []
    came: list[Array] = []
    with threads(THREADS) if crew is None else nullcontext(crew) as lookers:
        for noted, ended in lookers.do(one_a_game, looks):
            samples.append(noted)
            came.append(ended)
            tell(len(ended))
    said = predict_all(weights, np.concatenate(samples))[:, 0]
    return Positions(said, np.concatenate(came))


def one_a_game(look: Look) -> tuple[Array, Array]:
    desk, players, seed = own_desk(), look.players, look.seed
    plan = Plan(seed=seed, trust=TO_THE_END)
    samples: list[Array] = []
    came: list[float] = []
    for game in look.games:
        notes = desk.play(look.weights, plan, range(game, game + 1), players, 0)
        chosen = int(np.random.default_rng((seed, players, game)).integers(notes))
        samples.append(desk.samples[chosen].copy())
        came.append(float(desk.targets[chosen, 0]))
    return np.stack(samples), np.array(came, np.float32)
