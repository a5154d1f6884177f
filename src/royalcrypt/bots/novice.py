"""The bot ``novice``: plays like a beginner, who likes high cards and takes too many risks."""

from royalcrypt.bots.protocol import Budget, deciding_seat, spelled
from royalcrypt.bots.worth import Appraiser
from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.moves import Move, Placement
from royalcrypt.play.views import ClaimForm, SlotView, View
from royalcrypt.rules.actions import DECLINE, MEND, PEEK, RECOVER, reroll, take
from royalcrypt.rules.fast_chance import game_key, keyed_choice
from royalcrypt.rules.layout import FACES
from royalcrypt.search.random_play import CHOICES

PERCENT = 100
FONDNESS = 0.7
"""What each card of a type already held adds to the liking for another one, in coins."""
HEARSAY = 0.5
"""The part of the expected bonus that it takes into account."""
WHIM = 1.0
"""Random noise on the liking for a card, up or down, in coins."""
COVETED = 2.8
"""Liking from which it pushes out an opponent rather than claim a free card or recover."""
TIRED = (0, 10, 75, 100)
"""By exhausted dice, the chance to recover, in percent."""
ALL_ON_ONE = 20
"""Chance to claim one card only, in percent; else it keeps 0 to 2 dice for others."""
USES_REWARD = 70
"""Chance to use a Collector's reward, in percent."""
NOTICES_SAFETY = 85
"""Chance to use the lowest effort on the last turn, in percent."""
EARLY, LATE = (1, 4), (1, 2)
"""Lowest and highest effort in the first half of the game, and in the second."""


class Whims:
    """A sequence of random choices for one decision, derived from the seed."""

    def __init__(self, view: View, budget: Budget) -> None:
        self.key = game_key(budget.seed, 0)
        self.address = CHOICES + (view.decisions << 16)

    def number(self, outcomes: int) -> int:
        """One of ``outcomes`` equally likely numbers, from 0."""
        self.address += 1 << 8
        return keyed_choice(*self.key, self.address, outcomes)

    def has(self, percent: int) -> bool:
        return self.number(PERCENT) < percent


class NoviceBot:
    name = "novice"

    def choose(self, view: View, budget: Budget) -> Move:
        seat = deciding_seat(view)
        whims = Whims(view, budget)
        match view.phase:
            case "claim":
                return Turn(view, seat, whims).move()
            case "pottery":
                code = _some_take(view, seat, whims)
            case "idol":
                code = _some_reroll(view, whims)
            case _:
                code = MEND if MEND in view.actions else DECLINE
        return spelled(view, seat, code)


def _charms(view: View, seat: int, whims: Whims) -> list[float]:
    """By slot, the liking for its card, in coins."""
    appraiser = Appraiser(view)
    charms: list[float] = []
    for slot in view.row:
        whim = WHIM * (whims.number(2 * PERCENT + 1) / PERCENT - 1)
        if slot.card is None:
            charms.append(0.0)
            continue
        coins = slot.card.expected()
        collected = view.seats[seat].held[LETTERS.index(slot.card.type)]
        bonus = appraiser.gain(seat, slot.card) - coins
        charms.append(coins + FONDNESS * collected + HEARSAY * bonus + whim)
    return charms


def _some_take(view: View, seat: int, whims: Whims) -> int:
    charms = _charms(view, seat, whims)
    offered = [slot.slot for slot in view.row if take(slot.slot) in view.actions]
    is_used = offered and _is_tempted(view, whims)
    return take(max(offered, key=lambda slot: charms[slot])) if is_used else DECLINE


def _some_reroll(view: View, whims: Whims) -> int:
    """Reroll a random failed die, or decline."""
    offered = [slot.slot for slot in view.row if reroll(slot.slot) in view.actions]
    return reroll(offered[whims.number(len(offered))]) if _is_tempted(view, whims) else DECLINE


def _is_tempted(view: View, whims: Whims) -> bool:
    """Whether it uses a reward now: mostly, and always in the last round."""
    return view.round == view.rounds or whims.has(USES_REWARD)


class Turn:
    """One claim turn: first rewards, then recovery, then the cards it likes best."""

    def __init__(self, view: View, seat: int, whims: Whims) -> None:
        self.view = view
        self.seat = seat
        self.whims = whims
        self.me = view.seats[seat]

    def move(self) -> Move:
        for reward in (PEEK, MEND):
            if reward in self.view.actions and self.me.ready and _is_tempted(self.view, self.whims):
                return spelled(self.view, self.seat, reward)
        if not self.me.exhausted or not self.whims.has(TIRED[self.me.exhausted]):
            place = self._placements()
            if place:
                return Move.claim(*place)
        return spelled(self.view, self.seat, RECOVER)

    def _placements(self) -> list[Placement]:
        """All dice on the favourite card, or some kept for the next best; empty if nothing can be claimed."""
        form = self.view.form
        if form is None:
            return []
        wanted = self._wanted(form)
        ready, place = form.ready, list[Placement]()
        is_single_minded = form.one_card_only or self.whims.has(ALL_ON_ONE)
        others = 0 if is_single_minded else min(self.whims.number(ready or 1), len(wanted) - 1)
        for slot in wanted[: others + 1]:
            least = form.least[slot.slot] or 0
            dice = max(ready - others, -(-least // FACES))
            others -= 1
            if dice <= ready:
                place.append(Placement(slot.slot, dice, self._effort(-(-least // dice))))
                ready -= dice
        return place

    def _wanted(self, form: ClaimForm) -> list[SlotView]:
        """Slots it wants, the favourite first; occupied ones only if liked, or if all dice are ready."""
        charms = _charms(self.view, self.seat, self.whims)
        within_reach = [
            slot for slot in self.view.row if 0 < (form.least[slot.slot] or 0) <= form.ready * FACES
        ]
        within_reach.sort(key=lambda slot: -charms[slot.slot])
        liked = [slot for slot in within_reach if slot.holder is None or charms[slot.slot] >= COVETED]
        return liked or ([] if self.me.exhausted else within_reach)

    def _effort(self, least: int) -> int:
        """A random effort: higher in the first half of the game than in the second."""
        if self.view.is_last_turn and self.whims.has(NOTICES_SAFETY):
            return least
        is_early = 2 * self.view.round <= self.view.rounds
        weakest, bravest = EARLY if is_early else LATE
        return max(least, weakest + self.whims.number(bravest - weakest + 1))
