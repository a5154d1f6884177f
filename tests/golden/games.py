"""The golden games: fixed secrets, mixed sides, and a fixed player who tries many rules."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from royalcrypt import Game, Seat
from royalcrypt.play.chance import CommittedChance
from tests.golden.player import play_out

FOLDER = Path(__file__).parent / "records"
ENTROPY = ("ada", "bo", "cleo", "dan")


@dataclass(frozen=True)
class Golden:
    players: int
    sides: str
    leader: int
    decisions: int
    """The seed of the player's decisions."""

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.players}-players.json"

    def play(self) -> Game:
        chance = CommittedChance(bytes([self.players]) * 32, ENTROPY[: self.players])
        seats = tuple(Seat(name.capitalize(), "golden") for name in ENTROPY[: self.players])
        game = Game.new(
            players=self.players, collectors=self.sides, leader=self.leader, chance=chance, seats=seats
        )
        game.id = f"golden-{self.players}"
        return play_out(game, self.decisions)

    def text(self) -> str:
        return readable(self.play().record().to_dict())


GAMES = (
    Golden(players=1, sides="ABBAAB", leader=0, decisions=31),
    Golden(players=2, sides="BABBAA", leader=1, decisions=389),
    Golden(players=3, sides="ABABAB", leader=2, decisions=219),
    Golden(players=4, sides="BABBAA", leader=0, decisions=177),
)


def readable(record: dict[str, Any]) -> str:
    """JSON with an event, and a part of the result, a line: so that a person can read what has changed."""
    parts: list[str] = []
    for name, value in record.items():
        if name == "events":
            text = "[\n    " + ",\n    ".join(map(_line, value)) + "\n  ]"
        elif name == "result":
            text = (
                "{\n    " + ",\n    ".join(f"{_line(part)}: {_line(value[part])}" for part in value) + "\n  }"
            )
        else:
            text = _line(value)
        parts.append(f"{_line(name)}: {text}")
    return "{\n  " + ",\n  ".join(parts) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
