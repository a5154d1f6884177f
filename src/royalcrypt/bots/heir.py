"""Judges what every action would lead to by a learned value, and takes the best; it looks no further."""

from royalcrypt.bots.deciding import deciding_seat
from royalcrypt.bots.protocol import Budget
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of
from royalcrypt.rules.turns import apply, is_under_way
from royalcrypt.search.judge import Judge
from royalcrypt.search.valuing import weighed_action


class HeirBot:
    name = "heir"
    needs_compiler = True
    entries = (weighed_action,)

    def choose(self, view: View, budget: Budget) -> Move:  # noqa: ARG002 (it takes no chances)
        seat = deciding_seat(view)
        judge, known = Judge(), copy_of(view.known)
        codes: list[int] = []
        while not codes or is_under_way(known, seat):
            codes.append(judge.best_action(known))
            apply(known, seat, codes[-1])
        return Move.from_codes(codes)
