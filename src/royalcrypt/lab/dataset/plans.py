"""The plan of a data set, which determines every byte of its files."""

from dataclasses import asdict, dataclass
from typing import Any

from royalcrypt.lab.simulate import batches
from royalcrypt.lab.strong_play import BOT
from royalcrypt.lab.tables import Deal, Setting, deal
from royalcrypt.notation.cards import is_sides
from royalcrypt.play.chance import MOST_SEED
from royalcrypt.rules.layout import SEATS

STRONG = BOT
"""The bot that plays whole games in compiled code; other bots choose move by move."""
ALL, RANDOM = "all", "random"
SHARD, SLOW_SHARD = 10_000, 500
BATCH, SLOW_BATCH = 250, 4
"""The number of games per task, for the strong bot and for others."""


@dataclass(frozen=True, slots=True)
class DatasetPlan:
    games: int
    players: int | None = 2
    """The number of players; with None, table sizes from one to four alternate."""
    collectors: str | None = None
    """The Collectors' sides; with None, each game has random ones."""
    bot: str = STRONG
    """The bot that plays in all seats."""
    seed: int = 0
    simulations: int = 1000
    shard: int = SHARD
    """The number of games in one file."""

    def __post_init__(self) -> None:
        numbers: tuple[object, ...] = (self.games, self.shard, self.simulations, self.seed, self.players or 1)
        is_sound = (
            all(type(number) is int for number in numbers)
            and min(self.games, self.shard, self.simulations) > 0
            and 0 <= self.seed <= MOST_SEED
            and self.players in (None, 1, 2, 3, 4)
            and (self.collectors is None or is_sides(self.collectors))
        )
        if not is_sound:
            raise ValueError(f"no plan for a data set: {self}")

    @property
    def batch(self) -> int:
        return BATCH if self.bot == STRONG else SLOW_BATCH

    def shards(self) -> "list[Shard]":
        return [Shard(index, numbers) for index, numbers in enumerate(batches(self.games, self.shard))]

    def setting(self, number: int) -> Setting:
        """The setting of one game; for each table size, the seats take turns to lead the first round."""
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
    def from_dict(cls, found: dict[str, Any]) -> "DatasetPlan":
        """Create the plan from the result of ``to_dict``. Raises ValueError or TypeError for other values."""
        given = dict(found)
        for name, open_word in (("players", ALL), ("collectors", RANDOM)):
            given[name] = None if given.get(name) == open_word else given.get(name)
        return cls(**given)


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of games that are stored together, in one file per table."""

    index: int
    numbers: range
