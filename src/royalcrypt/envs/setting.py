"""The options of an environment, checked before anything is compiled or allocated."""

from dataclasses import dataclass

from royalcrypt.envs.stepping import SCORES, WINS
from royalcrypt.notation.cards import SIDES, is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.rules.layout import NONE, TYPES

RANDOM = "random"
REWARDS = {"win": WINS, "score": SCORES}
RENDER_MODES = ("ansi", "rgb_array")


@dataclass(frozen=True, slots=True)
class EnvConfig:
    players: int
    collectors: str = "AAAAAA"
    """Six letters, or ``random``: each game draws its own."""
    leader: int | None = 0
    """None: the seats take turns to lead the first round, from game to game."""
    reward: str = "win"

    def __post_init__(self) -> None:
        if self.collectors != RANDOM and not is_sides(self.collectors):
            raise Refusal(Reason.WRONG_COLLECTORS, collectors=str(self.collectors))
        if self.leader is not None and (type(self.leader) is not int or not 0 <= self.leader < self.players):
            raise Refusal(Reason.WRONG_LEADER, leader=str(self.leader), players=self.players)
        if self.reward not in REWARDS:
            raise ValueError(f"reward={self.reward!r}: give one of {', '.join(map(repr, REWARDS))}")

    @property
    def sides(self) -> list[int]:
        return [0] * TYPES if self.has_random_sides else [SIDES.index(side) for side in self.collectors]

    @property
    def has_random_sides(self) -> bool:
        return self.collectors == RANDOM

    @property
    def first_leader(self) -> int:
        return NONE if self.leader is None else self.leader


def check_players(players: object) -> None:
    """A solo player has an environment of its own."""
    if type(players) is int and players == 1:
        raise ValueError("players=1: alone, play RoyalCrypt/OnlyChild-v1 of Gymnasium; here, 2 to 4 can play")
    if type(players) is not int or not 2 <= players <= 4:
        raise ValueError(f"players={players!r}: 2 to 4 can play here")


def check_render_mode(mode: object) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode={mode!r}: give one of {', '.join(map(repr, RENDER_MODES))}, or None")


def check_games(games: object) -> None:
    if type(games) is not int or games < 1:
        raise ValueError(f"num_envs={games!r}: give a whole number of games, at least 1")
