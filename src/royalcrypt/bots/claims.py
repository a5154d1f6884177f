"""The best claim of a turn: each placement is valued separately, then placements are combined."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from royalcrypt.bots.worth import Appraiser
from royalcrypt.notation.moves import Placement
from royalcrypt.play.views import SlotView, View
from royalcrypt.rules.layout import FACES, GHOST, SERVANTS

FAILS = tuple((effort - 1) / FACES for effort in range(FACES + 1))
"""By effort, the chance that a die is exhausted (R6.3)."""
UNTOUCHABLE = SERVANTS * FACES + 1
"""Total of a card that the Ghost skips: its own, or one that is gone."""


class ExhaustionCost:
    """The cost of exhausted servants in coins: at the end, and for the turn to recover them."""

    __slots__ = ("already", "first", "further")

    def __init__(self, exhausted: int, rounds_left: int) -> None:
        self.already = exhausted
        self.first = 1.4 if rounds_left else 1.0
        self.further = 0.4 if rounds_left else 0.0

    def of(self, exhausted: int) -> float:
        """The cost of this many exhausted servants; each further one costs more."""
        return self.first * exhausted + self.further * exhausted * (exhausted - 1) / 2

    def added(self, expected: float, pairs: float) -> float:
        """The added cost of expected failed dice, and of expected pairs of failed dice."""
        return (self.first + self.further * self.already) * expected + self.further * pairs


def cheapest_push(total: int, dice: int) -> float | None:
    """The lowest expected number of failed dice for a rival to beat this total; None if they cannot."""
    costs = [
        count * FAILS[-(-(total + 1) // count)] for count in range(1, dice + 1) if total + 1 <= count * FACES
    ]
    return min(costs, default=None)


@cache
def ghost_rolls(dice: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The Ghost's rolls: how many give each tuple of sums, in the order of placing (R10.4)."""
    found: dict[tuple[int, ...], int] = {}
    for faces in product(range(1, FACES + 1), repeat=dice):
        groups = sorted(((face * faces.count(face), faces.count(face)) for face in set(faces)), reverse=True)
        sums = tuple(total for total, _ in groups)
        found[sums] = found.get(sums, 0) + 1
    return tuple((ways, sums) for sums, ways in sorted(found.items()))


@cache
def chances_to_keep(totals: tuple[int, ...], dice: int, *, is_last: bool) -> tuple[float, ...]:
    """By slot, the exact chance that the Ghost, who must beat ``totals``, places elsewhere (R10.4, R10.5)."""
    kept = [0] * len(totals)
    for ways, sums in ghost_rolls(dice):
        row = list(totals)
        for total in sums[:1] if is_last else sums:
            for slot, held in enumerate(row):
                if held < total:
                    row[slot] = UNTOUCHABLE
                    break
        for slot, held in enumerate(row):
            kept[slot] += ways * (held == totals[slot])
    return tuple(count / FACES**dice for count in kept)


ENVY = 0.35
"""How much of a rival's loss counts as the player's gain; divided by the number of rivals."""
EAGERNESS, EAGERNESS_PER_COIN = 0.25, 0.12
BOLDEST = (0.0, 0.0, 0.8, 0.6, 0.45)
"""A rival's chance to push out: without a gain, per coin of gain, and at most, by number of players."""
SECOND_TURN = (0.0, 1.0, 1.5, 1.8)
"""By ready dice: their value to a Leader who also has the last turn (R5.6)."""
EFFORTS_KEPT = 2


@dataclass(frozen=True, slots=True)
class Stake:
    """A placement: its gain if it is kept, its gain in any case (``spite``), and the chance to keep it."""

    place: Placement
    gain: float
    spite: float
    keep: float
    failing: float
    """Expected failed dice if it is kept."""
    pairs: float

    def value(self, exhaustion_cost: ExhaustionCost, keep: float) -> float:
        return keep * (self.gain - exhaustion_cost.added(self.failing, self.pairs)) + self.spite


@dataclass(frozen=True, slots=True)
class Plan:
    value: float
    place: tuple[Placement, ...]
    """Empty to recover."""


class ClaimTurn:
    """Plans one seat's claim turn from its view."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.appraiser = Appraiser(view)
        self.gains = [0.0 if slot.card is None else self.appraiser.gain(seat, slot.card) for slot in view.row]
        self.rivals = self._rivals_to_come()
        self.has_second_turn = view.turns == 3 and view.turn == 0
        others = [other for other in range(view.players) if other != seat]
        self.envy = ENVY / max(1, len(others))
        self.rivals_gains = {
            rival: [0.0 if slot.card is None else self.appraiser.gain(rival, slot.card) for slot in view.row]
            for rival in others
        }
        self.together = self._gains_together()

    def _rivals_to_come(self) -> list[tuple[int, int]]:
        """Opponents with a turn to come and their dice; never the Ghost."""
        form = self.view.form
        return [] if form is None or self.view.is_solo else list(form.rivals)

    def _gains_together(self) -> dict[tuple[int, int], float]:
        found: dict[tuple[int, int], float] = {}
        for left, right in combinations(range(len(self.view.row)), 2):
            one, other = self.view.row[left].card, self.view.row[right].card
            if one is not None and other is not None and one.type == other.type:
                found[left, right] = self.appraiser.gain_together(self.seat, one, other)
        return found

    def best(self, ready: int, exhausted: int) -> Plan:
        """The best claim, or to recover, with these dice; values are relative to the present state."""
        exhaustion_cost = ExhaustionCost(exhausted, self.appraiser.rounds_left)
        rest = Plan(exhaustion_cost.of(exhausted) + self._later(ready + exhausted), ())
        slots = [self._stakes(slot, ready, exhaustion_cost) for slot in self.view.row]
        claims = self._combined([stakes for stakes in slots if stakes], ready)
        best = self._best_claim(claims, ready, exhaustion_cost)
        return best if best is not None and best.value > rest.value else rest

    def _later(self, dice: int) -> float:
        return SECOND_TURN[min(dice, SERVANTS)] if self.has_second_turn else 0.0

    def _stakes(self, slot: SlotView, ready: int, exhaustion_cost: ExhaustionCost) -> list[list[Stake]]:
        """By number of dice, the best placements on a card; alone, all of them."""
        if slot.card is None or slot.holder == self.seat:
            return []
        found: list[list[Stake]] = []
        for dice in range(1, ready + 1):
            lowest = max(1, -(-(slot.total + 1) // dice))
            stakes = [self._stake(slot, dice, effort) for effort in range(lowest, FACES + 1)]
            if not self.view.is_solo:
                stakes.sort(key=lambda stake: -stake.value(exhaustion_cost, stake.keep))
                del stakes[EFFORTS_KEPT:]
            found.append(stakes)
        return found

    def _stake(self, slot: SlotView, dice: int, effort: int) -> Stake:
        fails = FAILS[effort]
        denied = max((gains[slot.slot] for gains in self.rivals_gains.values()), default=0.0)
        spite = 0.0
        if slot.holder in self.rivals_gains:
            spite = self.envy * self.rivals_gains[slot.holder][slot.slot]
            denied = 0.0
        return Stake(
            place=Placement(slot.slot, dice, effort),
            gain=self.gains[slot.slot] + self.envy * denied,
            spite=spite,
            keep=self.chance_to_keep(slot.slot, dice * effort),
            failing=dice * fails,
            pairs=dice * (dice - 1) / 2 * fails * fails,
        )

    def chance_to_keep(self, slot: int, total: int) -> float:
        """The chance against rivals; the more a rival gains, the likelier it pushes out."""
        keep = 1.0
        for rival, dice in self.rivals:
            failing = cheapest_push(total, dice)
            if failing is not None:
                surplus = self.rivals_gains[rival][slot] - failing * 1.5
                eager = EAGERNESS + EAGERNESS_PER_COIN * surplus
                keep *= 1 - min(BOLDEST[self.view.players], max(0.03, eager))
        return keep

    def _combined(self, slots: list[list[list[Stake]]], ready: int) -> list[tuple[Stake, ...]]:
        """All claims from these placements, on one card or, before the last turn, on several."""
        claims: list[tuple[Stake, ...]] = []
        most = 1 if self.view.is_last_turn else min(ready, len(slots))
        for cards in range(1, most + 1):
            for chosen in combinations(slots, cards):
                for dice in product(range(ready), repeat=cards):
                    if sum(dice) + cards <= ready:
                        claims += product(
                            *(stakes[count] for stakes, count in zip(chosen, dice, strict=True))
                        )
        return claims

    def _best_claim(
        self, claims: list[tuple[Stake, ...]], ready: int, exhaustion_cost: ExhaustionCost
    ) -> Plan | None:
        if not self.view.is_solo:
            return max(
                (
                    self._plan(claim, [stake.keep for stake in claim], ready, exhaustion_cost)
                    for claim in claims
                ),
                key=lambda plan: plan.value,
                default=None,
            )
        return self._best_against_ghost(claims, ready, exhaustion_cost)

    def _plan(
        self, claim: tuple[Stake, ...], keeps: list[float], ready: int, exhaustion_cost: ExhaustionCost
    ) -> Plan:
        value = self._later(ready - sum(stake.place.dice for stake in claim))
        for stake, keep in zip(claim, keeps, strict=True):
            value += stake.value(exhaustion_cost, keep)
        for (one, its), (other, others) in combinations(zip(claim, keeps, strict=True), 2):
            both = its * others
            value -= exhaustion_cost.further * both * one.failing * other.failing
            value += both * self.together.get((one.place.slot, other.place.slot), 0.0)
        return Plan(value, tuple(stake.place for stake in claim))

    def _best_against_ghost(
        self, claims: list[tuple[Stake, ...]], ready: int, exhaustion_cost: ExhaustionCost
    ) -> Plan | None:
        """The best claim by the Ghost's exact odds; claims not better even without risk are skipped."""
        hopes = [
            (self._plan(claim, [1.0] * len(claim), ready, exhaustion_cost).value, claim) for claim in claims
        ]
        hopes.sort(key=lambda hope: -hope[0])
        best: Plan | None = None
        for hope, claim in hopes:
            if best is not None and hope <= best.value:
                break
            keeps = self.ghost_keeps([stake.place for stake in claim])
            plan = self._plan(claim, keeps, ready, exhaustion_cost)
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
            UNTOUCHABLE if slot.card is None or slot.holder == GHOST else slot.total for slot in view.row
        ]
        pushed = view.known.ghost_pushed
        for place in places:
            if view.row[place.slot].holder == GHOST:
                pushed += view.row[place.slot].dice
            totals[place.slot] = place.total
        keeps = chances_to_keep(tuple(totals), pushed if is_last else SERVANTS, is_last=is_last)
        return [keeps[place.slot] for place in places]
