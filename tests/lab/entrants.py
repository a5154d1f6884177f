"""Bots that tournaments of tests find by their path."""

from royalcrypt.bots import Budget
from royalcrypt.bots.plain_bots import GreedyBot
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View


class Twin(GreedyBot):
    """Greedy under another name."""


class Hasty:
    """Takes the first move that it sees."""

    name = "hasty"

    def choose(self, view: View, budget: Budget) -> Move:
        return next(view.moves())


class Cheat:
    """Says nothing where a move is asked for."""

    name = "cheat"

    def choose(self, view: View, budget: Budget) -> Move:
        return Move(())
