"""Games for tests of the wire: who sits where, what is chosen, and a line of moves played in advance."""

import hashlib
import random
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from royalcrypt import Game, Move
from royalcrypt.bots import bot_names
from royalcrypt.play.chance import Chance, CommittedChance
from royalcrypt.tables.settings import ClockChoice, DaysClock, LiveClock
from tests.properties.games import random_move
from tests.properties.hidden import Listening

BOTS = frozenset(bot_names())
KEEPER, PROGRAM = "Ada", "Robot"
"""Whose program that is."""
LIVE, DAYS = LiveClock(move=20, bank=60), DaysClock(days=3)
CASTS = (
    ("Ada",),
    ("Ada", "Bo"),
    ("Ada", "greedy"),
    ("Ada", "Ada"),
    ("Ada", "Bo", "Cleo"),
    ("Ada", "Ada", "Bo"),
    ("random", "Ada", "Bo"),
    ("Ada", "Bo", "Cleo", "Dan"),
    ("Ada", "Bo", "Ada", "Bo"),
    ("Ada", "greedy", "Bo", "random"),
)
"""Who may sit at a table: by seat, a person or a bot."""


@dataclass(frozen=True)
class Scene:
    """A table: by seat, who holds it (a person's name or a bot's level), and its settings."""

    holders: tuple[str, ...] = ("Ada", "Bo")
    collectors: str = "BBBBBB"
    leader: int = 0
    seed: int = 0
    moves: int = 24
    """After how many the script ends; never with the end of the game, which hides nothing."""
    is_listed: bool = True
    spectators: bool = True
    remembers: bool = True
    clock: ClockChoice = None
    is_restless: bool = True
    """Whether people leave to a bot now and then, and come back."""
    rate_limits: bool = False

    @property
    def people(self) -> tuple[str, ...]:
        """Those who play, in the order of their first seats."""
        return tuple(dict.fromkeys(name for name in self.holders if name not in BOTS))

    def seats_of(self, name: str) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.holders) if holder == name)

    @property
    def secret(self) -> str:
        return hashlib.sha256(f"the secret of {self.seed}".encode()).hexdigest()

    @property
    def settings(self) -> dict[str, Any]:
        bots = [{"seat": seat, "level": name} for seat, name in enumerate(self.holders) if name in BOTS]
        return {
            "players": len(self.holders),
            "collectors": self.collectors,
            "leader": self.leader,
            "bots": bots,
            "clock": self.clock,
            "is_listed": self.is_listed,
            "spectators": self.spectators,
            "remembers": self.remembers,
        }

    def chance(self) -> CommittedChance:
        """As the table's own: everybody's entropy is their name."""
        entropy = tuple(name for name in self.holders if name not in BOTS)
        return CommittedChance(bytes.fromhex(self.secret), entropy)

    def begin(self, chance: Chance) -> Game:
        return Game.new(
            players=len(self.holders), collectors=self.collectors, leader=self.leader, chance=chance
        )


TWO = Scene(("Ada", "Bo"), "BBBBBB", seed=206, moves=20)
THREE = Scene(("Ada", "Bo", "Cleo"), "ABBBAA", leader=1, seed=358, moves=20, clock=LIVE)
MEMORY = replace(THREE, remembers=False, clock=None)
WITH_BOTS = Scene(("Ada", "greedy", "Bo", "random"), "AABBAB", leader=3, seed=238, moves=20, is_listed=False)
HOT_SEAT = Scene(("Ada", "Ada", "Bo"), "BABBAB", seed=200, moves=20, rate_limits=True)
WITH_PROGRAM = Scene(("Ada", PROGRAM, "Bo"), "BBBABB", seed=81, moves=20)
SOLO = Scene(("Ada",), "ABBBAB", seed=238, moves=25, is_listed=False, remembers=False)
FOUR = Scene(("Ada", "Bo", "Cleo", "Dan"), "BABBBB", leader=2, seed=239, clock=DAYS, spectators=False)
SCENES = {
    "two": TWO,
    "three": THREE,
    "memory": MEMORY,
    "bots": WITH_BOTS,
    "hot seat": HOT_SEAT,
    "program": WITH_PROGRAM,
    "solo": SOLO,
    "four": FOUR,
}


def any_scene(seed: int) -> Scene:
    """One of all there can be."""
    rng = random.Random(f"scene {seed}")
    holders = rng.choice(CASTS)
    return Scene(
        holders=holders,
        collectors="".join(rng.choice(sides) for sides in ("AB", "AB", "BBA", "BBA", "AAB", "AB")),
        leader=rng.randrange(len(holders)) if len(holders) > 1 else 0,
        seed=seed,
        moves=rng.choice((8, 20, 35, 50, 200)),
        is_listed=rng.random() < 0.5,
        spectators=rng.random() < 0.8,
        remembers=rng.random() < 0.6,
        clock=rng.choice((None, None, LIVE, DAYS)),
        is_restless=rng.random() < 0.7,
        rate_limits=rng.random() < 0.3,
    )


class Turn(NamedTuple):
    """One move of the line, and who is away when it is made: bots play for them."""

    seat: int
    move: Move
    away: frozenset[str]

    def is_bots(self, scene: Scene) -> bool:
        return scene.holders[self.seat] in BOTS | self.away


class Played(NamedTuple):
    """A scene's line of moves, the game after it, and all that chance brought."""

    turns: list[Turn]
    game: Game
    brought: dict[Any, int]


def play(scene: Scene) -> Played:
    """Play a scene at random, as its people and bots will."""
    rng = random.Random(scene.seed)
    listening = Listening(scene.chance())
    game = scene.begin(listening)
    turns: list[Turn] = []
    away = frozenset[str]()
    while len(turns) < scene.moves:
        away = wandering(scene, away, rng) if scene.is_restless else away
        turn = Turn(*random_move(game, rng), away)
        if turn.is_bots(scene) and turn.seat != game.actor:
            continue  # bots act in their turn only
        after = game.tried(turn.move, seat=turn.seat)
        if after.is_over:
            break
        game = after
        turns.append(turn)
    return Played(turns, game, dict(listening.brought))


def wandering(scene: Scene, away: frozenset[str], rng: random.Random) -> frozenset[str]:
    """Who is away next; somebody always stays, or the bots would wait."""
    if away and rng.random() < 0.4:
        return frozenset()
    there = [name for name in scene.people if name not in away]
    if len(there) > 1 and rng.random() < 0.08:
        return away | {rng.choice(there)}
    return away
