"""The bot ``greedy``: maximises the expected gain of the round, with exact odds of the dice."""

from royalcrypt.bots.claims import ClaimTurn
from royalcrypt.bots.protocol import Budget, deciding_seat, spelled
from royalcrypt.bots.worth import MEND_WORTH, Appraiser
from royalcrypt.notation.moves import Move
from royalcrypt.play.views import View
from royalcrypt.rules.actions import DECLINE, MEND, PEEK, RECOVER, reroll, take
from royalcrypt.rules.layout import FACES

LEAST_TO_TAKE = 2.0
LEAST_TO_REROLL = 1 / 3


class GreedyBot:
    name = "greedy"

    def choose(self, view: View, budget: Budget) -> Move:  # noqa: ARG002 (it uses no chance)
        seat = deciding_seat(view)
        match view.phase:
            case "claim":
                return _claim(view, seat)
            case "pottery":
                code = _best_take(view, seat)
            case "idol":
                code = _best_reroll(view)
            case _:
                code = MEND if MEND in view.actions else DECLINE
        return spelled(view, seat, code)


def _claim(view: View, seat: int) -> Move:
    me = view.seats[seat]
    if PEEK in view.actions and me.ready and _is_worth_a_look(view):
        return spelled(view, seat, PEEK)
    turn = ClaimTurn(view, seat)
    plan = turn.best(me.ready, me.exhausted)
    if MEND in view.actions and plan.place:
        mended = turn.best(me.ready + 1, me.exhausted - 1)
        if mended.place and mended.value - plan.value > MEND_WORTH - 1:
            return spelled(view, seat, MEND)
    return Move.claim(*plan.place) if plan.place else spelled(view, seat, RECOVER)


def _is_worth_a_look(view: View) -> bool:
    return any(slot.is_down and slot.card is not None and slot.card.value is None for slot in view.row)


def _best_take(view: View, seat: int) -> int:
    appraiser = Appraiser(view)
    gains = [
        (appraiser.gain(seat, slot.card), -slot.slot)
        for slot in view.row
        if slot.card is not None and take(slot.slot) in view.actions
    ]
    gain, slot = max(gains, default=(0.0, 0))
    return take(-slot) if gain >= LEAST_TO_TAKE or appraiser.rounds_left < 2 else DECLINE


def _best_reroll(view: View) -> int:
    """Reroll the failed die with the lowest effort; unlikely ones only in the last round."""
    efforts = [(slot.effort, slot.slot) for slot in view.row if reroll(slot.slot) in view.actions]
    effort, slot = min(efforts)
    chance = (FACES + 1 - effort) / FACES
    return reroll(slot) if chance >= LEAST_TO_REROLL or view.round == view.rounds else DECLINE
