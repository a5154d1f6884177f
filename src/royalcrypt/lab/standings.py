"""Standings of a tournament: ratings with intervals, scores, and results of each pair of bots.

Each pair of seats at a table is one comparison of their bots by final place: six at a table of four.
The games of one deal depend on each other, so intervals are bootstrapped from whole deals.
"""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from royalcrypt.lab.bradley_terry import fit
from royalcrypt.lab.rating import ANCHOR, ANCHORED_AT
from royalcrypt.lab.summary import ResultTally
from royalcrypt.lab.tournament import Tournament

MEAN = 1500
"""The mean rating of a tournament without the anchor bot."""
DRAWS = 1000
FEWEST_DEALS = 8
"""The least number of deals for intervals."""
TAIL = 0.025
DIGITS = 4
Pair = tuple[int, int]


@dataclass(frozen=True)
class BotStanding:
    bot: str
    rating: float
    low: float | None
    """The lower bound of the 95 % interval; None if too few deals were played."""
    high: float | None
    score: float
    """The mean score."""
    win_share: float
    games: int
    """The number of seats that the bot played, which may be several in one game."""


@dataclass(frozen=True)
class Encounter:
    """Results of one bot against another in all games with both."""

    share: float
    """The share of comparisons won; a shared place counts as one half."""
    games: int
    """The number of comparisons."""


class Standings:
    """Standings computed from all complete deals of a tournament."""

    def __init__(self, tournament: Tournament) -> None:
        plan = tournament.plan
        self.plan = plan
        self.deals = len(tournament.games) // len(plan.seatings)
        self.games = tournament.games[: self.deals * len(plan.seatings)]
        self._index = {bot: index for index, bot in enumerate(plan.bots)}
        self._points = self._points_by_deal()
        self._met = self._comparisons_a_deal()
        self._tallies = {bot: ResultTally() for bot in plan.bots}
        for game in self.games:
            for seat, bot in enumerate(game.bots):
                self._tallies[bot].add(seat, game.scores, game.winners)
        self.head_to_head = self._head_to_head()
        self.table = sorted(self._standings(), key=lambda row: -row.rating)
        """The bots with their results, best first."""

    def _points_by_deal(self) -> dict[Pair, list[float]]:
        """The points of the first bot of each pair, by deal."""
        pairs = list(combinations(range(len(self.plan.bots)), 2))
        found = {pair: [0.0] * self.deals for pair in pairs}
        for game in self.games:
            seated = sorted((self._index[bot], seat) for seat, bot in enumerate(game.bots))
            for (one, seat), (other, across) in combinations(seated, 2):
                if one != other:
                    found[one, other][self.plan.deal_of(game.number)] += game.points(seat, across)
        return found

    def _comparisons_a_deal(self) -> list[list[int]]:
        """The number of comparisons of each pair of bots in a deal, which is equal for all deals."""
        number = len(self.plan.bots)
        met = [[0] * number for _ in range(number)]
        for seating in self.plan.seatings:
            for bot, rival in combinations([self._index[bot] for bot in seating], 2):
                if bot != rival:
                    met[bot][rival] += 1
                    met[rival][bot] += 1
        return met

    def _rated(self, totals: dict[Pair, float], deals: float, start: Sequence[float] | None) -> list[float]:
        """Ratings with a mean of 0."""
        number = len(self.plan.bots)
        games = [[count * deals for count in row] for row in self._met]
        wins = [[0.0] * number for _ in range(number)]
        for (one, other), points in totals.items():
            wins[one][other], wins[other][one] = points, games[one][other] - points
        ratings = fit(wins, games, start)
        return [rating - fmean(ratings) for rating in ratings]

    def _draws(self, fitted: list[float]) -> list[list[float]]:
        """Bootstrapped ratings, from deals drawn with replacement.

        Adds one deal with all points shared, because otherwise the interval of a bot that won every game
        would have no width.
        """
        chance = random.Random(self.plan.seed)
        shared = {(one, other): self._met[one][other] / 2 for one, other in self._points}
        by_deal = {pair: [*points, shared[pair]] for pair, points in self._points.items()}
        found: list[list[float]] = []
        for _ in range(DRAWS):
            drawn = chance.choices(range(self.deals + 1), k=self.deals)
            totals = {pair: sum(map(points.__getitem__, drawn)) for pair, points in by_deal.items()}
            found.append(self._rated(totals, self.deals, fitted))
        return found

    def _standings(self) -> list[BotStanding]:
        totals = {pair: sum(points) for pair, points in self._points.items()}
        fitted = self._rated(totals, self.deals, None)
        draws = self._draws(fitted) if self.deals >= FEWEST_DEALS else []
        anchor = self._index.get(ANCHOR)
        base = MEAN if anchor is None else ANCHORED_AT - fitted[anchor]
        found: list[BotStanding] = []
        for index, (bot, tally) in enumerate(self._tallies.items()):
            low, high = interval([draw[index] for draw in draws]) if draws else (None, None)
            games = tally.scores.count
            found.append(
                BotStanding(
                    bot=bot,
                    rating=base + fitted[index],
                    low=None if low is None else base + low,
                    high=None if high is None else base + high,
                    score=tally.scores.mean(),
                    win_share=tally.wins() / games,
                    games=games,
                )
            )
        return found

    def _head_to_head(self) -> dict[str, dict[str, Encounter]]:
        found: dict[str, dict[str, Encounter]] = {bot: {} for bot in self.plan.bots}
        for (one, other), points in self._points.items():
            games = self._met[one][other] * self.deals
            share = sum(points) / games
            bot, rival = self.plan.bots[one], self.plan.bots[other]
            found[bot][rival] = Encounter(share, games)
            found[rival][bot] = Encounter(1 - share, games)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, without anything about the machine or the time."""
        plan = asdict(self.plan) | {"collectors": self.plan.collectors or "random", "deals": self.deals}
        return {
            "plan": plan,
            "games": len(self.games),
            "standings": [_rounded(asdict(row)) for row in self.table],
            "head_to_head": {
                bot: {rival: _rounded(asdict(met)) for rival, met in row.items()}
                for bot, row in self.head_to_head.items()
            },
        }

    def to_frame(self) -> Any:
        """The standings as a pandas data frame, best first."""
        import pandas as pd

        rows = [asdict(row) for row in self.table]
        return pd.DataFrame(rows, index=[row.pop("bot") for row in rows])


def interval(numbers: Sequence[float]) -> tuple[float, float]:
    """The bounds of an interval without the tails of the sample."""
    ordered = sorted(numbers)
    last = len(ordered) - 1
    return ordered[round(TAIL * last)], ordered[round((1 - TAIL) * last)]


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in row.items()}
