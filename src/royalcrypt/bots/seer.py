"""Plays the game out many times, with the hidden cards dealt anew each time, and does what went best."""

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.search.seeking import Effort, best_action
from royalcrypt.search.tree import run_search


class SeerBot:
    name = "seer"
    needs_compiler = True
    entries = (run_search,)

    def choose(self, view: View, budget: Budget) -> Move:
        seat = deciding_seat(view)
        effort = Effort(max(1, budget.simulations), budget.seconds, budget.seed)
        return Move.from_codes(best_action(view.known, seat, effort))
