"""Takes heir's best candidates and plays the round out with each of them, with the same luck for all.

Two players' last round it goes through to the end.
"""

from math import inf

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.choosing import Care, Chooser
from royalcrypt.search.duel import foresee
from royalcrypt.search.dueling import Duelist, is_duel
from royalcrypt.search.endgame import is_in_last_round
from royalcrypt.search.rollouts import compare

CANDIDATES, TRIES = 10, 300
"""Tries are those of all candidates together."""
LAST_CLAIMS = 5
"""First claims of the last round of two, of which each is gone through to the end."""
REPLIES = (0, inf, inf, 24, 24)
"""By players: of many there are many, and each takes its time."""


class RegentBot:
    name = "regent"
    needs_compiler = True
    entries = (list_candidates, compare, foresee)

    def choose(self, view: View, budget: Budget) -> Move:
        deciding_seat(view)
        if is_duel(view.known) and is_in_last_round(view.known):
            return Move.from_codes(Duelist().best(view.known, LAST_CLAIMS, budget.seconds, budget.seed)[1])
        tries = min(TRIES, budget.simulations)
        care = Care(
            CANDIDATES,
            tries,
            halvings=1,
            replies=REPLIES[view.players],
            seconds=budget.seconds,
            seed=budget.seed,
        )
        return Move.from_codes(Chooser().compared(view.known, care)[0].codes)
