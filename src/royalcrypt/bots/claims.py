"""The best claim of a turn: each placement is valued separately, then placements are combined."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from royalcrypt.bots.worth import Appraiser
from royalcrypt.notation.moves import Placement
from royalcrypt.play.views import SlotView, View
from royalcrypt.rules.layout import FACES, GHOST, SERVANTS

RISKS = tuple((effort - 1) / FACES for effort in range(FACES + 1))
"""The chance that a die is exhausted, by its effort (R6.3)."""
SKIPPED_TOTAL = SERVANTS * FACES + 1
"""The total that marks cards the Ghost skips: its own cards and missing ones."""


class DiceCosts:
    """The ready dice, and the cost of exhausted ones: of the first, and the increase for each further one."""

    def __init__(self, ready: int, exhausted: int, rounds_left: int) -> None:
        self.ready = ready
        self.exhausted = exhausted
        self.first = 1.4 if rounds_left else 1.0
        self.further = 0.4 if rounds_left else 0.0

    def recovered(self) -> float:
        """The cost of all exhausted dice, which a turn to recover saves."""
        count = self.exhausted
        return self.first * count + self.further * count * (count - 1) / 2

    def added(self, expected: float, pairs: float) -> float:
        """The additional cost of an expected number of failed dice and of pairs of failed dice."""
        return (self.first + self.further * self.exhausted) * expected + self.further * pairs


def cheapest_push(total: int, dice: int) -> float | None:
    """The lowest expected number of failed dice for a rival to beat this total; None if they cannot."""
    costs = [
        count * RISKS[-(-(total + 1) // count)] for count in range(1, dice + 1) if total + 1 <= count * FACES
    ]
    return min(costs, default=None)


@cache
def ghost_rolls(dice: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The frequency of each result of the Ghost's roll, as group sums in the order of placing (R10.4)."""
    found: dict[tuple[int, ...], int] = {}
    for faces in product(range(1, FACES + 1), repeat=dice):
        groups = sorted(((face * faces.count(face), faces.count(face)) for face in set(faces)), reverse=True)
        sums = tuple(total for total, _ in groups)
        found[sums] = found.get(sums, 0) + 1
    return tuple((ways, sums) for sums, ways in sorted(found.items()))


@cache
def chances_to_keep(totals: tuple[int, ...], dice: int, *, is_last: bool) -> tuple[float, ...]:
    """The exact chance, by slot, that the Ghost, which must beat ``totals``, places elsewhere (R10.4-5)."""
    kept = [0] * len(totals)
    for ways, sums in ghost_rolls(dice):
        row = list(totals)
        for total in sums[:1] if is_last else sums:
            for slot, held in enumerate(row):
                if held < total:
                    row[slot] = SKIPPED_TOTAL
                    break
        for slot, held in enumerate(row):
            kept[slot] += ways * (held == totals[slot])
    return tuple(count / FACES**dice for count in kept)


RIVAL_WEIGHT = 0.35
"""The weight of a rival's loss relative to the player's own gain; divided by the number of rivals."""
PUSH_CHANCE, PUSH_CHANCE_PER_COIN = 0.25, 0.12
HIGHEST_PUSH_CHANCE = (0.0, 0.0, 0.8, 0.6, 0.45)
"""A rival's chance to push out: without a gain, its increase per coin, and its limit by number of players."""
SECOND_TURN = (0.0, 1.0, 1.5, 1.8)
"""The value of ready dice to a Leader who also has the last turn (R5.6), by their number, in coins."""
EFFORTS_COMPARED = 2


@dataclass(frozen=True, slots=True)
class ValuedPlacement:
    """A placement: its gain if kept, its gain in any case (``denied``), and the chance to keep it."""

    place: Placement
    gain: float
    denied: float
    keep: float
    failing: float
    """The expected number of failed dice if the card is kept."""
    pairs: float

    def value(self, dice: DiceCosts, keep: float) -> float:
        return keep * (self.gain - dice.added(self.failing, self.pairs)) + self.denied


Claim = tuple[ValuedPlacement, ...]


@dataclass(frozen=True, slots=True)
class ClaimPlan:
    value: float
    place: tuple[Placement, ...]
    """The placements of the claim; empty to recover."""


class ClaimTurn:
    """Plans one seat's claim turn from its view."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.appraiser = Appraiser(view)
        self.gains = self._gains(seat)
        self.rivals = list(view.form.rivals) if view.form is not None and not view.is_solo else []
        """The dice of each opponent with a turn to come in this round; the Ghost is not included."""
        self.has_second_turn = view.turns == 3 and view.turn == 0
        self.rivals_gains = {other: self._gains(other) for other in range(view.players) if other != seat}
        self.rival_weight = RIVAL_WEIGHT / max(1, len(self.rivals_gains))
        self.together: dict[tuple[int, int], float] = {}
        """The extra value of owning both of two cards of a type, by pair of slots."""
        for left, right in combinations(view.row, 2):
            if left.card is not None and right.card is not None and left.card.type == right.card.type:
                more = self.appraiser.gain_together(seat, left.card, right.card)
                self.together[left.slot, right.slot] = more

    def _gains(self, seat: int) -> list[float]:
        return [0.0 if slot.card is None else self.appraiser.gain(seat, slot.card) for slot in self.view.row]

    def best(self, ready: int, exhausted: int) -> ClaimPlan:
        """The best action, a claim or to recover, with these dice; values are relative to the present."""
        dice = DiceCosts(ready, exhausted, self.appraiser.rounds_left)
        rest = ClaimPlan(dice.recovered() + self._later(ready + exhausted), ())
        slots = [self._placements(slot, dice) for slot in self.view.row]
        claims = self._combined([placements for placements in slots if placements], ready)
        if self.view.is_solo:
            best = self._best_against_ghost(claims, dice)
        else:
            plans = (self._plan(claim, [one.keep for one in claim], dice) for claim in claims)
            best = max(plans, key=lambda plan: plan.value, default=None)
        return best if best is not None and best.value > rest.value else rest

    def _later(self, dice: int) -> float:
        return SECOND_TURN[min(dice, SERVANTS)] if self.has_second_turn else 0.0

    def _placements(self, slot: SlotView, ready: DiceCosts) -> list[list[ValuedPlacement]]:
        """The best placements on a card, by number of dice; in solo games, all placements."""
        if slot.card is None or slot.holder == self.seat:
            return []
        found: list[list[ValuedPlacement]] = []
        for dice in range(1, ready.ready + 1):
            lowest = max(1, -(-(slot.total + 1) // dice))
            placements = [self._placement(slot, dice, effort) for effort in range(lowest, FACES + 1)]
            if not self.view.is_solo:
                placements.sort(key=lambda one: -one.value(ready, one.keep))
                del placements[EFFORTS_COMPARED:]
            found.append(placements)
        return found

    def _placement(self, slot: SlotView, dice: int, effort: int) -> ValuedPlacement:
        fails = RISKS[effort]
        most_wanted = max((gains[slot.slot] for gains in self.rivals_gains.values()), default=0.0)
        denied = 0.0
        if slot.holder in self.rivals_gains:
            denied = self.rival_weight * self.rivals_gains[slot.holder][slot.slot]
            most_wanted = 0.0
        return ValuedPlacement(
            place=Placement(slot.slot, dice, effort),
            gain=self.gains[slot.slot] + self.rival_weight * most_wanted,
            denied=denied,
            keep=self.chance_to_keep(slot.slot, dice * effort),
            failing=dice * fails,
            pairs=dice * (dice - 1) / 2 * fails * fails,
        )

    def chance_to_keep(self, slot: int, total: int) -> float:
        """The estimated chance to keep a card; it falls as the gain of rivals from the card rises."""
        keep = 1.0
        for rival, dice in self.rivals:
            failing = cheapest_push(total, dice)
            if failing is not None:
                surplus = self.rivals_gains[rival][slot] - failing * 1.5
                chance = PUSH_CHANCE + PUSH_CHANCE_PER_COIN * surplus
                keep *= 1 - min(HIGHEST_PUSH_CHANCE[self.view.players], max(0.03, chance))
        return keep

    def _combined(self, slots: list[list[list[ValuedPlacement]]], ready: int) -> list[Claim]:
        """All claims from these placements, on one card or, before the last turn, on several."""
        claims: list[Claim] = []
        most = 1 if self.view.is_last_turn else min(ready, len(slots))
        for cards in range(1, most + 1):
            for chosen in combinations(slots, cards):
                for dice in product(range(ready), repeat=cards):
                    if sum(dice) + cards <= ready:
                        claims += product(
                            *(by_dice[count] for by_dice, count in zip(chosen, dice, strict=True))
                        )
        return claims

    def _plan(self, claim: Claim, keeps: list[float], dice: DiceCosts) -> ClaimPlan:
        value = self._later(dice.ready - sum(one.place.dice for one in claim))
        for one, keep in zip(claim, keeps, strict=True):
            value += one.value(dice, keep)
        for (one, its), (other, others) in combinations(zip(claim, keeps, strict=True), 2):
            both = its * others
            value -= dice.further * both * one.failing * other.failing
            value += both * self.together.get((one.place.slot, other.place.slot), 0.0)
        return ClaimPlan(value, tuple(one.place for one in claim))

    def _best_against_ghost(self, claims: list[Claim], dice: DiceCosts) -> ClaimPlan | None:
        """The best claim by the Ghost's exact odds, except claims that lose even without risk."""
        bounds = [(self._plan(claim, [1.0] * len(claim), dice).value, claim) for claim in claims]
        bounds.sort(key=lambda bound: -bound[0])
        best: ClaimPlan | None = None
        for bound, claim in bounds:
            if best is not None and bound <= best.value:
                break
            plan = self._plan(claim, self.ghost_keeps([one.place for one in claim]), dice)
            if best is None or plan.value > best.value:
                best = plan
        return best

    def ghost_keeps(self, places: Sequence[Placement]) -> list[float]:
        """The exact chance to keep each placement of a claim."""
        view = self.view
        if view.is_last_turn:
            return [1.0] * len(places)
        is_last = view.turn == view.turns - 2 and view.lights_out == GHOST
        totals = [
            SKIPPED_TOTAL if slot.card is None or slot.holder == GHOST else slot.total for slot in view.row
        ]
        pushed = view.known.ghost_pushed
        for place in places:
            if view.row[place.slot].holder == GHOST:
                pushed += view.row[place.slot].dice
            totals[place.slot] = place.total
        keeps = chances_to_keep(tuple(totals), pushed if is_last else SERVANTS, is_last=is_last)
        return [keeps[place.slot] for place in places]
