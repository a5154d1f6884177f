"""The bots that need no compiled code: ``random``, ``novice`` and ``greedy``.

``random`` is a baseline: it chooses among legal small decisions with equal chances. ``novice`` plays like a
beginner, who likes high cards and takes too many risks. ``greedy`` maximises the expected gain of the round,
with exact odds of the dice.
"""

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
"""What each card of a type already held adds to the appeal of another one, in coins."""
BONUS_WEIGHT = 0.5
"""The part of the expected bonus that it takes into account."""
NOISE = 1.0
"""Random noise on the appeal of a card, up or down, in coins."""
PUSH_OUT_APPEAL = 2.8
"""The appeal from which it pushes out an opponent rather than claim a free card or recover."""
RECOVER_CHANCE = (0, 10, 75, 100)
"""By exhausted dice, the chance to recover, in percent."""
ALL_ON_ONE = 20
"""Chance to claim one card only, in percent; else it keeps 0 to 2 dice for others."""
USES_REWARD = 70
"""Chance to use a Collector's reward, in percent."""
NOTICES_SAFETY = 85
"""Chance to use the lowest effort on the last turn, in percent."""
EARLY_EFFORTS, LATE_EFFORTS = (1, 4), (1, 2)
"""Lowest and highest effort in the first half of the game, and in the second."""


class RandomChoices:
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
        choices = RandomChoices(view, budget)
        match view.phase:
            case "claim":
                return NoviceTurn(view, seat, choices).move()
            case "pottery":
                code = _some_take(view, seat, choices)
            case "idol":
                code = _some_reroll(view, choices)
            case _:
                code = MEND if MEND in view.actions else DECLINE
        return whole_move(view, seat, code)


def _appeal_by_slot(view: View, seat: int, choices: RandomChoices) -> list[float]:
    """By slot, the appeal of its card, in coins."""
    appraiser = Appraiser(view)
    appeal: list[float] = []
    for slot in view.row:
        noise = NOISE * (choices.number(2 * PERCENT + 1) / PERCENT - 1)
        if slot.card is None:
            appeal.append(0.0)
            continue
        coins = slot.card.expected()
        collected = view.seats[seat].held[LETTERS.index(slot.card.type)]
        bonus = appraiser.gain(seat, slot.card) - coins
        appeal.append(coins + SAME_TYPE_APPEAL * collected + BONUS_WEIGHT * bonus + noise)
    return appeal


def _some_take(view: View, seat: int, choices: RandomChoices) -> int:
    appeal = _appeal_by_slot(view, seat, choices)
    offered = [slot.slot for slot in view.row if take(slot.slot) in view.actions]
    is_used = offered and _uses_reward(view, choices)
    return take(max(offered, key=lambda slot: appeal[slot])) if is_used else DECLINE


def _some_reroll(view: View, choices: RandomChoices) -> int:
    """Reroll a random failed die, or decline."""
    offered = [slot.slot for slot in view.row if reroll(slot.slot) in view.actions]
    return reroll(offered[choices.number(len(offered))]) if _uses_reward(view, choices) else DECLINE


def _uses_reward(view: View, choices: RandomChoices) -> bool:
    """Whether it uses a reward now: mostly, and always in the last round."""
    return view.round == view.rounds or choices.has(USES_REWARD)


class NoviceTurn:
    """One claim turn: first rewards, then recovery, then the cards it likes best."""

    def __init__(self, view: View, seat: int, choices: RandomChoices) -> None:
        self.view = view
        self.seat = seat
        self.choices = choices
        self.me = view.seats[seat]

    def move(self) -> Move:
        for reward in (PEEK, MEND):
            if reward in self.view.actions and self.me.ready and _uses_reward(self.view, self.choices):
                return whole_move(self.view, self.seat, reward)
        if not self.me.exhausted or not self.choices.has(RECOVER_CHANCE[self.me.exhausted]):
            place = self._placements()
            if place:
                return Move.claim(*place)
        return whole_move(self.view, self.seat, RECOVER)

    def _placements(self) -> list[Placement]:
        """All dice on the card with the highest appeal, or some left for the next one; may be empty."""
        form = self.view.form
        if form is None:
            return []
        wanted = self._wanted(form)
        ready, place = form.ready, list[Placement]()
        is_on_one_card = form.one_card_only or self.choices.has(ALL_ON_ONE)
        others = 0 if is_on_one_card else min(self.choices.number(ready or 1), len(wanted) - 1)
        for slot in wanted[: others + 1]:
            least = form.least[slot.slot] or 0
            dice = max(ready - others, -(-least // FACES))
            others -= 1
            if dice <= ready:
                place.append(Placement(slot.slot, dice, self._effort(-(-least // dice))))
                ready -= dice
        return place

    def _wanted(self, form: ClaimForm) -> list[SlotView]:
        """Slots it may claim, by appeal; occupied ones only with a high appeal, or if all dice are ready."""
        appeal = _appeal_by_slot(self.view, self.seat, self.choices)
        within_reach = [
            slot for slot in self.view.row if 0 < (form.least[slot.slot] or 0) <= form.ready * FACES
        ]
        within_reach.sort(key=lambda slot: -appeal[slot.slot])
        liked = [slot for slot in within_reach if slot.holder is None or appeal[slot.slot] >= PUSH_OUT_APPEAL]
        return liked or ([] if self.me.exhausted else within_reach)

    def _effort(self, least: int) -> int:
        """A random effort: higher in the first half of the game than in the second."""
        if self.view.is_last_turn and self.choices.has(NOTICES_SAFETY):
            return least
        is_early = 2 * self.view.round <= self.view.rounds
        lowest, highest = EARLY_EFFORTS if is_early else LATE_EFFORTS
        return max(least, lowest + self.choices.number(highest - lowest + 1))


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
        return whole_move(view, seat, code)


def _claim(view: View, seat: int) -> Move:
    me = view.seats[seat]
    if PEEK in view.actions and me.ready and _is_worth_a_look(view):
        return whole_move(view, seat, PEEK)
    turn = ClaimTurn(view, seat)
    plan = turn.best(me.ready, me.exhausted)
    if MEND in view.actions and plan.place:
        mended = turn.best(me.ready + 1, me.exhausted - 1)
        if mended.place and mended.value - plan.value > MEND_WORTH - 1:
            return whole_move(view, seat, MEND)
    return Move.claim(*plan.place) if plan.place else whole_move(view, seat, RECOVER)


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
