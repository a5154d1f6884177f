"""What a data set holds, settled before its first game: from it alone follows every byte."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.tables import Deal, Setting, deal
from royalcrypt.notation.cards import is_sides
from royalcrypt.rules.layout import SEATS

STRONG = BOT
"""Plays whole games in machine code; all others are asked move by move."""
ALL, RANDOM = "all", "random"
SHARD, SLOW_SHARD = 10_000, 500
BATCH, SLOW_BATCH = 250, 4
"""Games that one worker plays in a row."""


@dataclass(frozen=True, slots=True)
class Plan:
    games: int
    players: int | None = 2
    """None: tables of one to four take turns."""
    collectors: str | None = None
    """None: each game draws its own sides."""
    bot: str = STRONG
    """In all seats."""
    seed: int = 0
    simulations: int = 1000
    shard: int = SHARD
    """Games in one file."""

    @property
    def batch(self) -> int:
        return BATCH if self.bot == STRONG else SLOW_BATCH

    def shards(self) -> "list[Shard]":
        return [
            Shard(index, range(first, min(first + self.shard, self.games)))
            for index, first in enumerate(range(0, self.games, self.shard))
        ]

    def setting(self, number: int) -> Setting:
        """Of one game; in all tables of a size, the seats lead the first round in turn."""
        players = 1 + number % SEATS if self.players is None else self.players
        tables = SEATS if self.players is None else 1
        return Setting(
            players=players,
            bots=(self.bot,) * players,
            seed=self.seed,
            collectors=self.collectors,
            leader=number // tables % players,
            simulations=self.simulations,
        )

    def deal(self, number: int) -> Deal:
        return deal(self.setting(number), number)

    def to_dict(self) -> dict[str, Any]:
        found = asdict(self)
        return found | {"players": self.players or ALL, "collectors": self.collectors or RANDOM}

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> "Plan":
        """What ``to_dict`` told; ValueError or TypeError if it is no plan."""
        given = dict(told)
        for name, open_word in (("players", ALL), ("collectors", RANDOM)):
            given[name] = None if given.get(name) == open_word else given.get(name)
        plan = cls(**given)
        numbers: tuple[Any, ...] = (plan.games, plan.shard, plan.simulations, plan.seed, plan.players or 1)
        is_sound = (
            all(type(number) is int for number in numbers)
            and min(plan.games, plan.shard, plan.simulations, plan.seed + 1) > 0
            and plan.players in (None, 1, 2, 3, 4)
            and (plan.collectors is None or is_sides(plan.collectors))
        )
        if not is_sound:
            raise ValueError(told)
        return plan


@dataclass(frozen=True, slots=True)
class Shard:
    """Games that are written together, whole or not at all."""

    index: int
    numbers: range

    def batches(self, size: int) -> Iterator[range]:
        for first in range(self.numbers.start, self.numbers.stop, size):
            yield range(first, min(first + size, self.numbers.stop))
