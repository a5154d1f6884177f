"""Bots of another package, for workers to think with; each answers at once when it is woken (seed 0)."""

import os
import time
from pathlib import Path

from royalcrypt.bots import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View

ENTRIES = """[royalcrypt.bots]
sleepy = tests.server.workers.guests:Sleepy
babbling = tests.server.workers.guests:Babbling
raising = tests.server.workers.guests:Raising
leaving = tests.server.workers.guests:Leaving
"""


class Guest:
    def choose(self, view: View, budget: Budget) -> Move:
        if budget.seed:
            self.think(budget.seed)
        return next(view.moves())

    def think(self, seed: int) -> None:
        raise NotImplementedError


class Sleepy(Guest):
    """Sleeps as many milliseconds as its seed says."""

    name = "sleepy"

    def think(self, seed: int) -> None:
        time.sleep(seed / 1000)


class Raising(Guest):
    name = "raising"

    def think(self, seed: int) -> None:
        raise ValueError("no idea")


class Leaving(Guest):
    """Takes its process along."""

    name = "leaving"

    def think(self, seed: int) -> None:
        os._exit(3)


class Babbling:
    name = "babbling"

    def choose(self, view: View, budget: Budget) -> str:
        return "the left one, please"


def package(folder: Path) -> str:
    """A folder in which these bots are installed, as Python sees it."""
    info = folder / "guests-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    return str(folder)
