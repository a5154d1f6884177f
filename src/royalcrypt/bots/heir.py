"""Judges what every action would lead to by a learned value, and takes the best; it looks no further.

On the last turn of a round of two only the dice are left: it reckons with all ways in which they may fall.
"""

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.rules.claims import is_last_turn
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.choosing import Chooser
from royalcrypt.search.duel import foresee
from royalcrypt.search.dueling import Duelist, is_duel


class HeirBot:
    name = "heir"
    needs_compiler = True
    entries = (list_candidates, foresee)

    def choose(self, view: View, budget: Budget) -> Move:  # noqa: ARG002 (it takes no chances)
        deciding_seat(view)
        if is_duel(view.known) and is_last_turn(view.known):
            return Move.from_codes(Duelist().best(view.known, 1)[1])
        return Move.from_codes(Chooser().candidates(view.known, 1)[0].codes)
