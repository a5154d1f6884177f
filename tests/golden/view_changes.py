"""Views of random games and the changes between them: cases for the Python and the TypeScript code."""

import hashlib
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from royalcrypt import Game, View
from royalcrypt.play.view_changes import changes_between
from tests.golden.player import Player

PATH = Path(__file__).parents[2] / "web" / "tests" / "golden" / "view-changes.json"


class Watched(NamedTuple):
    """A random game and those who watch it."""

    players: int
    sides: str
    seed: int
    viewers: tuple[int | None, ...]
    remembers: bool = True

    def states(self) -> Iterator[Game]:
        """The game before its first move and after each one; always the same object."""
        game = Game.new(players=self.players, collectors=self.sides, leader=0, seed=self.seed)
        player = Player(self.seed)
        yield game
        while not game.is_over:
            seat, move = player.next_move(game)
            game.play(move, seat=seat)
            yield game


GAMES = (
    Watched(players=1, sides="BBABAB", seed=11, viewers=(None, 0)),
    Watched(players=2, sides="AABBAB", seed=12, viewers=(None, 0, 1)),
    Watched(players=3, sides="BABABA", seed=13, viewers=(None, 2), remembers=False),
    Watched(players=4, sides="BBBBBB", seed=14, viewers=(None, 0, 1, 2, 3)),
)


def text() -> str:
    """JSON with a step a line: the changes, and the digest of the view after them."""
    return "[\n" + ",\n".join(_lines(series) for game in GAMES for series in watch(game)) + "\n]\n"


def watch(watched: Watched) -> list[dict[str, Any]]:
    """The views of each viewer: the first, the changes after each move, and the last."""
    views: dict[int | None, list[View]] = {viewer: [] for viewer in watched.viewers}
    for game in watched.states():
        for viewer, seen in views.items():
            seen.append(game.view(viewer, remembers=watched.remembers))
    return [_series(watched, viewer, seen) for viewer, seen in views.items()]


def _series(watched: Watched, viewer: int | None, seen: list[View]) -> dict[str, Any]:
    who = "a spectator" if viewer is None else f"seat {viewer}"
    return {
        "name": f"{watched.players} players, {who}{'' if watched.remembers else ', without memory'}",
        "before": seen[0].to_dict(),
        "steps": [
            [
                msgspec.json.decode(msgspec.json.encode(changes_between(old.parts, new.parts))),
                digest(new.to_json()),
            ]
            for old, new in pairwise(seen)
        ],
        "after": seen[-1].to_dict(),
    }


def digest(view: bytes) -> str:
    return hashlib.sha256(view).hexdigest()[:16]


def _lines(series: dict[str, Any]) -> str:
    parts = [
        f"{_compact(name)}: "
        + ("[\n" + ",\n".join(map(_compact, value)) + "\n]" if name == "steps" else _compact(value))
        for name, value in series.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}"


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
