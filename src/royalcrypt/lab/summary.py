"""Statistics of many games (scores, wins and lengths), computed with whole numbers only."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from royalcrypt.lab.tables import Outcome, Setting
from royalcrypt.play.results import RANKS, title_of

SHARES = 12
"""The parts of one win, divisible by two, three and four winners."""
DIGITS = 4


@dataclass(slots=True)
class Spread:
    """The count, mean, standard deviation, minimum and maximum of whole numbers."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0

    def add(self, number: int) -> None:
        self.least = min(self.least, number) if self.count else number
        self.most = max(self.most, number) if self.count else number
        self.count += 1
        self.total += number
        self.squares += number * number

    def mean(self) -> float:
        return self.total / self.count

    def deviation(self) -> float:
        """The sample standard deviation; 0 for a single number."""
        if self.count < 2:
            return 0.0
        return sqrt((self.count * self.squares - self.total**2) / (self.count * (self.count - 1)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "mean": round(self.mean(), DIGITS),
            "sd": round(self.deviation(), DIGITS),
            "min": self.least,
            "max": self.most,
        }


@dataclass(slots=True)
class ResultTally:
    """The scores and wins of a seat or of a bot. A shared win counts as an equal part."""

    scores: Spread = field(default_factory=Spread)
    shares: int = 0

    def add(self, seat: int, scores: Sequence[int], winners: Sequence[int]) -> None:
        self.scores.add(scores[seat])
        self.shares += SHARES // len(winners) if seat in winners else 0

    def wins(self) -> float:
        return self.shares / SHARES

    def to_dict(self, *, is_solo: bool) -> dict[str, Any]:
        found: dict[str, Any] = {"games": self.scores.count, "scores": self.scores.to_dict()}
        if not is_solo:
            found["wins"] = round(self.wins(), DIGITS)
            found["win_share"] = round(self.wins() / self.scores.count, DIGITS)
        return found


class Summary:
    """Accumulates the outcomes of games."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.is_solo = setting.players == 1
        self.games = 0
        self.seats = [ResultTally() for _ in range(setting.players)]
        self.bots = {name: ResultTally() for name in setting.bots}
        self.rounds = Spread()
        self.decisions = Spread()
        self.ranks = {rank: 0 for _, rank in reversed(RANKS)}

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        for seat, bot in enumerate(outcome.bots):
            self.seats[seat].add(seat, outcome.scores, outcome.winners)
            self.bots[bot].add(seat, outcome.scores, outcome.winners)
        self.rounds.add(outcome.rounds)
        self.decisions.add(outcome.decisions)
        self.ranks[title_of(outcome.scores[0])] += 1

    def to_frame(self, *, by_seat: bool = False) -> Any:
        """A ``pandas.DataFrame`` with a row per bot or per seat; needs ``royalcrypt[data]``."""
        from royalcrypt.lab.frames import data_frame

        named = enumerate(self.seats) if by_seat else self.bots.items()
        rows: list[dict[str, Any]] = []
        for name, tally in named:
            row = tally.to_dict(is_solo=self.is_solo)
            scores = {f"score_{figure}": number for figure, number in row.pop("scores").items()}
            rows.append({"seat" if by_seat else "bot": name} | row | scores)
        return data_frame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, without anything about the backend, the machine or the time."""
        setting = self.setting
        found: dict[str, Any] = {
            "games": self.games,
            "players": setting.players,
            "mode": "solo" if self.is_solo else "standard",
            "collectors": setting.collectors or "random",
            "leader": "rotate" if setting.leader is None else setting.leader,
            "swap": setting.is_swapped,
            "seed": setting.seed,
            "seats": [
                {"seat": seat, "bot": None if setting.is_swapped else setting.bots[seat]}
                | tally.to_dict(is_solo=self.is_solo)
                for seat, tally in enumerate(self.seats)
            ],
            "bots": {name: tally.to_dict(is_solo=self.is_solo) for name, tally in self.bots.items()},
            "rounds": self.rounds.to_dict(),
            "decisions": self.decisions.to_dict(),
        }
        if self.is_solo:
            found["ranks"] = {
                rank: {"games": count, "share": round(count / self.games, DIGITS)}
                for rank, count in self.ranks.items()
            }
        return found
