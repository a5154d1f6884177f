"""Tournaments: every bot plays against every other in the same deals and from every seat.

A deal determines the cards and dice. It is played by every line-up of the bots, and by each line-up in
every seating, so all bots have equal luck. Deals are independent of each other; games of one deal are not.

A tournament file consists of a line with the plan and one line for each game, in order. An incomplete last
line is ignored.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from itertools import combinations, permutations
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from royalcrypt.lab.backends import plain_backend
from royalcrypt.lab.simulate import batches
from royalcrypt.lab.tables import Setting, play_game
from royalcrypt.lab.worker_pools import WorkerPool
from royalcrypt.notation.cards import is_sides
from royalcrypt.notation.reasons import Reason, Refusal

FORMAT = 1
PLAYERS = (2, 3, 4)
BATCH = 4
"""The number of games per task."""
Seating = tuple[str, ...]


@dataclass(frozen=True)
class TournamentPlan:
    """The parameters that determine all games, unless bots have a time limit."""

    bots: tuple[str, ...]
    """At least two different bots."""
    players: int = 2
    deals: int = 100
    seed: int = 0
    collectors: str | None = None
    """The Collectors' sides; with None, each deal has random ones."""
    simulations: int = 1000
    milliseconds: int | None = None
    """The time limit per move in milliseconds; None for no limit."""

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings in which each deal is played."""
        return seatings_of(self.bots, self.players)

    @property
    def games(self) -> int:
        return self.deals * len(self.seatings)

    def deal_of(self, game: int) -> int:
        return game // len(self.seatings)

    def seating_of(self, game: int) -> Seating:
        return self.seatings[game % len(self.seatings)]

    def setting(self, game: int) -> Setting:
        """The setting of a game, which is number ``deal_of(game)`` of a simulation with this setting."""
        return Setting(
            self.players,
            self.seating_of(game),
            self.seed,
            collectors=self.collectors,
            simulations=self.simulations,
            seconds=inf if self.milliseconds is None else self.milliseconds / 1000,
        )


Plan = TournamentPlan
"""The documented name of ``TournamentPlan``."""


@cache
def seatings_of(bots: tuple[str, ...], players: int) -> tuple[Seating, ...]:
    """All line-ups, each in all distinct orders."""
    return tuple(
        seating for line_up in line_ups(bots, players) for seating in dict.fromkeys(permutations(line_up))
    )


def line_ups(bots: Sequence[str], players: int) -> Iterator[Seating]:
    """All selections of this many bots; if seats outnumber bots, they are divided as evenly as possible."""
    seats, left = divmod(players, len(bots)) if len(bots) < players else (0, players)
    for chosen in combinations(bots, left):
        yield tuple(bot for bot in bots for _ in range(seats + (bot in chosen)))


@dataclass(frozen=True)
class TournamentGame:
    number: int
    bots: Seating
    scores: tuple[int, ...]
    winners: tuple[int, ...]

    def points(self, one: int, other: int) -> float:
        """The points of one seat against another: 1 for a better place, 0.5 for an equal one."""
        place, rival = ((seat in self.winners, self.scores[seat]) for seat in (one, other))
        return 1.0 if place > rival else 0.5 if place == rival else 0.0


def play_games(plan: TournamentPlan, numbers: range) -> list[TournamentGame]:
    backend = plain_backend()
    games: list[TournamentGame] = []
    for number in numbers:
        setting = plan.setting(number)
        outcome = play_game(setting, plan.deal_of(number), backend, is_recorded=False)
        games.append(TournamentGame(number, setting.bots, outcome.scores, outcome.winners))
    return games


class Header(msgspec.Struct, forbid_unknown_fields=True):
    """The first line of a tournament file."""

    tournament: int
    plan: TournamentPlan


@dataclass
class Tournament:
    plan: TournamentPlan
    games: list[TournamentGame] = field(default_factory=list[TournamentGame])
    """The games in the order of their numbers."""

    def play(self, pool: WorkerPool, keep: Callable[[list[TournamentGame]], None] = lambda _: None) -> None:
        """Play the remaining games; ``keep`` is called with finished games in small batches."""
        pieces = batches(self.plan.games, BATCH, first=len(self.games))
        for played in pool.map(partial(play_games, self.plan), pieces):
            self.games += played
            keep(played)

    def with_plan(self, plan: TournamentPlan) -> "Tournament":
        """The tournament with another number of deals, with its games as far as they belong to it."""
        return Tournament(plan, self.games[: plan.games])

    def to_frame(self) -> Any:
        """A pandas data frame with one row per game and seat (needs ``royalcrypt[data]``)."""
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

    @classmethod
    def load(cls, path: Path) -> "Tournament":
        try:
            lines = path.read_bytes().split(b"\n")[:-1]
        except OSError as error:
            raise Refusal(Reason.CANNOT_READ, file=str(path), why=str(error.strerror)) from None
        try:
            plan = _plan(lines[0] if lines else b"")
            games = [_game(plan, number, line) for number, line in enumerate(lines[1:])]
        except ValueError as error:  # msgspec's errors are ValueErrors
            raise Refusal(Reason.NOT_A_TOURNAMENT, file=str(path), why=str(error)) from None
        return cls(plan, games)

    def save(self, path: Path) -> None:
        """Replace the file by one with the plan and all games played so far."""
        lines = [_line({"tournament": FORMAT, "plan": asdict(self.plan)})]
        draft = path.with_name(path.name + ".part")
        draft.write_bytes(b"".join(lines + [_line(asdict(game)) for game in self.games]))
        draft.replace(path)

    @staticmethod
    def append(games: list[TournamentGame], path: Path) -> None:
        with path.open("ab") as file:
            file.write(b"".join(_line(asdict(game)) for game in games))


def _plan(line: bytes) -> TournamentPlan:
    header = msgspec.json.decode(line, type=Header)
    if header.tournament != FORMAT:
        raise ValueError(f"version {header.tournament}, not {FORMAT}")
    plan = header.plan
    is_possible = (
        len(plan.bots) == len(set(plan.bots)) >= 2
        and plan.players in PLAYERS
        and (plan.collectors is None or is_sides(plan.collectors))
        and min(plan.deals, plan.simulations, plan.milliseconds or 1) > 0
    )
    if not is_possible:
        raise ValueError("plan")
    return plan


def _game(plan: TournamentPlan, number: int, line: bytes) -> TournamentGame:
    game = msgspec.json.decode(line, type=TournamentGame)
    is_whole = len(game.scores) == plan.players and set(game.winners) <= set(range(plan.players))
    if game.number != number or game.bots != plan.seating_of(number) or not is_whole or not game.winners:
        raise ValueError(f"game {number}")
    return game


def _line(row: Any) -> bytes:
    return msgspec.json.encode(row) + b"\n"
