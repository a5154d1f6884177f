"""Who is better: every bot meets every other in the same deals, from every seat.

A deal fixes the cards and each die's rolls. It is played by every line-up of the bots, and by each line-up in
every seating, so that whatever luck there is comes to all alike. Deals are independent of each other; the
games of one deal are not.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, permutations
from math import inf
from typing import Any

from royalcrypt.lab.carriers import plain_carrier
from royalcrypt.lab.crew import Crew
from royalcrypt.lab.tables import Setting, play_game

PLAYERS = (2, 3, 4)
AT_ONCE = 4
"""Games that one worker plays in a row."""
Seating = tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """All that the games depend on, unless bots are cut off by the clock."""

    bots: tuple[str, ...]
    """Two at least, each once."""
    players: int = 2
    deals: int = 100
    seed: int = 0
    collectors: str | None = None
    """None: each deal draws its own sides."""
    simulations: int = 1000
    milliseconds: int | None = None
    """For one move."""

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """Of one deal."""
        return seatings_of(self.bots, self.players)

    @property
    def games(self) -> int:
        return self.deals * len(self.seatings)

    def deal_of(self, game: int) -> int:
        return game // len(self.seatings)

    def seating_of(self, game: int) -> Seating:
        return self.seatings[game % len(self.seatings)]

    def setting(self, game: int) -> Setting:
        """The game is number ``deal_of(game)`` of a simulation with this setting."""
        return Setting(
            self.players,
            self.seating_of(game),
            self.seed,
            collectors=self.collectors,
            simulations=self.simulations,
            seconds=inf if self.milliseconds is None else self.milliseconds / 1000,
        )


@cache
def seatings_of(bots: tuple[str, ...], players: int) -> tuple[Seating, ...]:
    """All line-ups, each in every order that differs."""
    return tuple(seating for line_up in line_ups(bots, players) for seating in orders_of(line_up))


def line_ups(bots: Sequence[str], players: int) -> Iterator[Seating]:
    """Every choice of so many; where there are more seats than bots, as many seats for each as can be."""
    seats, left = divmod(players, len(bots)) if len(bots) < players else (0, players)
    for chosen in combinations(bots, left):
        yield tuple(bot for bot in bots for _ in range(seats + (bot in chosen)))


def orders_of(line_up: Seating) -> Iterator[Seating]:
    return iter(dict.fromkeys(permutations(line_up)))


@dataclass(frozen=True)
class Played:
    """One game of a tournament."""

    number: int
    bots: Seating
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def points(self, one: int, other: int) -> float:
        """Of one seat against another: 1 for the better place, half for the same (winners are first)."""
        place, rival = ((seat in self.winners, self.scores[seat]) for seat in (one, other))
        return 1.0 if place > rival else 0.5 if place == rival else 0.0


def play_games(piece: tuple[Plan, range]) -> list[Played]:
    plan, numbers = piece
    carrier = plain_carrier()
    games: list[Played] = []
    for number in numbers:
        setting = plan.setting(number)
        outcome = play_game(setting, plan.deal_of(number), carrier, is_recorded=False)
        games.append(Played(number, setting.bots, outcome.scores, outcome.winners))
    return games


@dataclass
class Tournament:
    plan: Plan
    games: list[Played] = field(default_factory=list[Played])
    """In the order of their numbers."""

    def play(self, crew: Crew, keep: Callable[[list[Played]], None] = lambda _: None) -> None:
        """What is still to be played; ``keep`` gets the games as they come, a few at a time."""
        first, last = len(self.games), self.plan.games
        pieces = (
            (self.plan, range(start, min(start + AT_ONCE, last))) for start in range(first, last, AT_ONCE)
        )
        for played in crew.do(play_games, pieces):
            self.games += played
            keep(played)

    def to_frame(self) -> Any:
        """One row for each seat of every game, as a pandas data frame (``pip install royalcrypt[data]``)."""
        import pandas as pd

        return pd.DataFrame(
            {
                "game": game.number,
                "deal": self.plan.deal_of(game.number),
                "seat": seat,
                "bot": bot,
                "score": game.scores[seat],
                "win": (seat in game.winners) / len(game.winners),
            }
            for game in self.games
            for seat, bot in enumerate(game.bots)
        )
