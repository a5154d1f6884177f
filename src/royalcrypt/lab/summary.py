"""What many games tell: scores, wins and length, counted in whole numbers."""

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from royalcrypt.lab.tables import Outcome, Setting
from royalcrypt.play.results import RANKS, title_of

SHARES = 12
"""A win in whole parts that two, three or four can share."""
DIGITS = 4


@dataclass(slots=True)
class Spread:
    """Count, mean, standard deviation, least and greatest of whole numbers."""

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
        """Of a sample; 0 for a single number."""
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
class Standing:
    """How a seat, or a bot, fared. A shared win counts as an equal part of one."""

    scores: Spread = field(default_factory=Spread)
    shares: int = 0

    def add(self, score: int, *, is_winner: bool, winners: int) -> None:
        self.scores.add(score)
        self.shares += SHARES // winners if is_winner else 0

    def wins(self) -> float:
        return self.shares / SHARES

    def to_dict(self, *, is_solo: bool) -> dict[str, Any]:
        found: dict[str, Any] = {"games": self.scores.count, "scores": self.scores.to_dict()}
        if not is_solo:
            found["wins"] = round(self.wins(), DIGITS)
            found["win_share"] = round(self.wins() / self.scores.count, DIGITS)
        return found


class Summary:
    """Fed with outcomes, one by one."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.is_solo = setting.players == 1
        self.games = 0
        self.seats = [Standing() for _ in range(setting.players)]
        self.bots = {name: Standing() for name in setting.bots}
        self.rounds = Spread()
        self.decisions = Spread()
        self.ranks = {rank: 0 for _, rank in reversed(RANKS)}

    def add(self, outcome: Outcome) -> None:
        self.games += 1
        for seat, score in enumerate(outcome.scores):
            for standing in (self.seats[seat], self.bots[outcome.bots[seat]]):
                standing.add(score, is_winner=seat in outcome.winners, winners=len(outcome.winners))
        self.rounds.add(outcome.rounds)
        self.decisions.add(outcome.decisions)
        self.ranks[title_of(outcome.scores[0])] += 1

    def to_frame(self, *, by_seat: bool = False) -> Any:
        """How the bots, or the seats, fared, as a ``pandas.DataFrame``; it needs ``royalcrypt[data]``."""
        from royalcrypt.lab.frames import data_frame

        named = enumerate(self.seats) if by_seat else self.bots.items()
        rows: list[dict[str, Any]] = []
        for name, standing in named:
            told = standing.to_dict(is_solo=self.is_solo)
            scores = {f"score_{figure}": number for figure, number in told.pop("scores").items()}
            rows.append({"seat" if by_seat else "bot": name} | told | scores)
        return data_frame(rows)

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values: nothing of the carrier, the machine or the time."""
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
                | standing.to_dict(is_solo=self.is_solo)
                for seat, standing in enumerate(self.seats)
            ],
            "bots": {name: standing.to_dict(is_solo=self.is_solo) for name, standing in self.bots.items()},
            "rounds": self.rounds.to_dict(),
            "decisions": self.decisions.to_dict(),
        }
        if self.is_solo:
            found["ranks"] = {
                rank: {"games": count, "share": round(count / self.games, DIGITS)}
                for rank, count in self.ranks.items()
            }
        return found
