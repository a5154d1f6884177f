"""The bots without compiled code: ``random``, ``novice`` and ``greedy``.

``random`` is a baseline: it chooses among legal small decisions with equal chances. ``novice`` imitates a
beginner who prefers high cards and takes too many risks. ``greedy`` maximises the expected gain of the round
with the exact odds of the dice.
"""

from abc import ABC, abstractmethod

from royalcrypt.bots.claims import ClaimTurn
from royalcrypt.bots.protocol import Budget, deciding_seat, whole_move
from royalcrypt.bots.worth import MEND_WORTH, Appraiser
from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.moves import Move, Placement
from royalcrypt.play.views import ClaimForm, SlotView, View
from royalcrypt.rules.actions import DECLINE, MEND, PEEK, RECOVER, reroll, take
from royalcrypt.rules.chance import game_key, keyed_choice
from royalcrypt.rules.layout import FACES, copy_of, no_options
from royalcrypt.rules.turns import apply, is_under_way
from royalcrypt.search.simulation import CHOICES, random_action


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


PERCENT = 100
SAME_TYPE_APPEAL = 0.7
"""The increase in a card's appeal for each card of its type already owned, in coins."""
BONUS_WEIGHT = 0.5
"""The fraction of the expected bonus that the novice counts."""
NOISE = 1.0
"""The largest random change of a card's appeal, up or down, in coins."""
PUSH_OUT_APPEAL = 2.8
"""The least appeal for which the novice pushes out an opponent rather than claim a free card or recover."""
RECOVER_CHANCE = (0, 10, 75, 100)
"""The chance to recover in percent, by number of exhausted dice."""
ONE_CARD_CHANCE = 20
"""The chance in percent to claim one card only; otherwise 0 to 2 dice are kept for other cards."""
REWARD_CHANCE = 70
"""The chance in percent to use a Collector's reward."""
SAFE_EFFORT_CHANCE = 85
"""The chance in percent to use the lowest effort on the last turn."""
EARLY_EFFORTS, LATE_EFFORTS = (1, 4), (1, 2)
"""The lowest and highest effort in the first half of the game, and in the second."""
LEAST_TO_TAKE = 2.0
LEAST_TO_REROLL = 1 / 3
"""The least gain in coins, and the least chance, for which ``greedy`` uses a reward."""


class PlainDecision(ABC):
    """Base of one decision of a seat; the kind of move depends on the phase."""

    def __init__(self, view: View, budget: Budget) -> None:
        self.view = view
        self.seat = deciding_seat(view)
        self.me = view.seats[self.seat]
        self.budget = budget

    def move(self) -> Move:
        match self.view.phase:
            case "claim":
                return self.claim()
            case "pottery":
                code = self.take([slot for slot in self.view.row if take(slot.slot) in self.view.actions])
            case "idol":
                code = self.reroll([slot for slot in self.view.row if reroll(slot.slot) in self.view.actions])
            case _:
                code = MEND if MEND in self.view.actions else DECLINE
        return self.whole(code)

    def whole(self, code: int) -> Move:
        return whole_move(self.view, self.seat, code)

    @abstractmethod
    def claim(self) -> Move:
        """The move of a claim turn: a reward, a claim or to recover."""

    @abstractmethod
    def take(self, offered: list[SlotView]) -> int:
        """The small decision for an offer of Pottery B: a slot, or to decline."""

    @abstractmethod
    def reroll(self, offered: list[SlotView]) -> int:
        """The small decision for an offer of Idol A: a slot, or to decline."""


class NoviceDecision(PlainDecision):
    """A decision of ``novice``: rewards first, then recovery, then the cards with the highest appeal."""

    def __init__(self, view: View, budget: Budget) -> None:
        super().__init__(view, budget)
        self.key = game_key(budget.seed, 0)
        self.address = CHOICES + (view.decisions << 16)

    def _number(self, outcomes: int) -> int:
        """One of ``outcomes`` equally likely integers, from 0."""
        self.address += 1 << 8
        return keyed_choice(*self.key, self.address, outcomes)

    def _has(self, percent: int) -> bool:
        return self._number(PERCENT) < percent

    def _uses_reward(self) -> bool:
        """Whether to use a reward now: with a fixed chance, and always in the last round."""
        return self.view.round == self.view.rounds or self._has(REWARD_CHANCE)

    def _appeal_by_slot(self) -> list[float]:
        """The appeal of each card, in coins, by slot."""
        appraiser = Appraiser(self.view)
        appeal: list[float] = []
        for slot in self.view.row:
            noise = NOISE * (self._number(2 * PERCENT + 1) / PERCENT - 1)
            if slot.card is None:
                appeal.append(0.0)
                continue
            coins = slot.card.expected()
            collected = self.me.held[LETTERS.index(slot.card.type)]
            bonus = appraiser.gain(self.seat, slot.card) - coins
            appeal.append(coins + SAME_TYPE_APPEAL * collected + BONUS_WEIGHT * bonus + noise)
        return appeal

    def take(self, offered: list[SlotView]) -> int:
        appeal = self._appeal_by_slot()
        is_used = offered and self._uses_reward()
        return take(max(offered, key=lambda slot: appeal[slot.slot]).slot) if is_used else DECLINE

    def reroll(self, offered: list[SlotView]) -> int:
        """Reroll a random failed die, or decline."""
        return reroll(offered[self._number(len(offered))].slot) if self._uses_reward() else DECLINE

    def claim(self) -> Move:
        for reward in (PEEK, MEND):
            if reward in self.view.actions and self.me.ready and self._uses_reward():
                return self.whole(reward)
        if not self.me.exhausted or not self._has(RECOVER_CHANCE[self.me.exhausted]):
            place = self._placements()
            if place:
                return Move.claim(*place)
        return self.whole(RECOVER)

    def _placements(self) -> list[Placement]:
        """Dice on the most appealing card, perhaps with some left for the next one; may be empty."""
        form = self.view.form
        if form is None:
            return []
        wanted = self._wanted(form)
        ready, place = form.ready, list[Placement]()
        is_on_one_card = form.one_card_only or self._has(ONE_CARD_CHANCE)
        others = 0 if is_on_one_card else min(self._number(ready or 1), len(wanted) - 1)
        for slot in wanted[: others + 1]:
            least = form.least[slot.slot] or 0
            dice = max(ready - others, -(-least // FACES))
            others -= 1
            if dice <= ready:
                place.append(Placement(slot.slot, dice, self._effort(-(-least // dice))))
                ready -= dice
        return place

    def _wanted(self, form: ClaimForm) -> list[SlotView]:
        """Claimable slots by appeal; occupied ones only if the appeal is high or all dice are ready."""
        appeal = self._appeal_by_slot()
        within_reach = [
            slot for slot in self.view.row if 0 < (form.least[slot.slot] or 0) <= form.ready * FACES
        ]
        within_reach.sort(key=lambda slot: -appeal[slot.slot])
        liked = [slot for slot in within_reach if slot.holder is None or appeal[slot.slot] >= PUSH_OUT_APPEAL]
        return liked or ([] if self.me.exhausted else within_reach)

    def _effort(self, least: int) -> int:
        """A random effort, in the first half of the game from a higher range than in the second."""
        if self.view.is_last_turn and self._has(SAFE_EFFORT_CHANCE):
            return least
        is_early = 2 * self.view.round <= self.view.rounds
        lowest, highest = EARLY_EFFORTS if is_early else LATE_EFFORTS
        return max(least, lowest + self._number(highest - lowest + 1))


class GreedyDecision(PlainDecision):
    """A decision of ``greedy``, which maximises the expected gain of the round."""

    def claim(self) -> Move:
        actions, me = self.view.actions, self.me
        if PEEK in actions and me.ready and self._hides_card():
            return self.whole(PEEK)
        turn = ClaimTurn(self.view, self.seat)
        plan = turn.best(me.ready, me.exhausted)
        if MEND in actions and plan.place:
            mended = turn.best(me.ready + 1, me.exhausted - 1)
            if mended.place and mended.value - plan.value > MEND_WORTH - 1:
                return self.whole(MEND)
        return Move.claim(*plan.place) if plan.place else self.whole(RECOVER)

    def _hides_card(self) -> bool:
        cards = [slot.card for slot in self.view.row if slot.is_down]
        return any(card is not None and card.value is None for card in cards)

    def take(self, offered: list[SlotView]) -> int:
        appraiser = Appraiser(self.view)
        cards = [(slot.card, slot.slot) for slot in offered]
        gains = [(appraiser.gain(self.seat, card), -slot) for card, slot in cards if card is not None]
        gain, slot = max(gains, default=(0.0, 0))
        return take(-slot) if gain >= LEAST_TO_TAKE or appraiser.rounds_left < 2 else DECLINE

    def reroll(self, offered: list[SlotView]) -> int:
        """Re-roll the failed die with the lowest effort; dice with a low chance only in the last round."""
        effort, slot = min((slot.effort, slot.slot) for slot in offered)
        chance = (FACES + 1 - effort) / FACES
        is_used = chance >= LEAST_TO_REROLL or self.view.round == self.view.rounds
        return reroll(slot) if is_used else DECLINE


class NoviceBot:
    name = "novice"

    def choose(self, view: View, budget: Budget) -> Move:
        return NoviceDecision(view, budget).move()


class GreedyBot:
    name = "greedy"

    def choose(self, view: View, budget: Budget) -> Move:
        return GreedyDecision(view, budget).move()
