"""The bot ``random``: chooses among legal small decisions with equal chances, as a baseline."""

from royalcrypt.bots.protocol import Budget, deciding_seat
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.rules.fast_chance import game_key
from royalcrypt.rules.layout import copy_of, no_options
from royalcrypt.rules.turns import apply, is_under_way
from royalcrypt.search.random_play import random_action


class RandomBot:
    name = "random"

    def choose(self, view: View, budget: Budget) -> Move:
        seat = deciding_seat(view)
        known, options = copy_of(view.known), no_options()
        high, low = game_key(budget.seed, 0)
        codes = [random_action(known, options, high, low)]
        apply(known, seat, codes[0])
        while is_under_way(known, seat):
            codes.append(random_action(known, options, high, low))
            apply(known, seat, codes[-1])
        return Move.from_codes(codes)
