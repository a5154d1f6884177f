"""The game: who may decide what, and what it does. The phases run as an agenda of steps."""

from collections import Counter
from typing import Literal

from tests.oracle.cards import FACE_UP, Card, Spot
from tests.oracle.chance import Address
from tests.oracle.phases import PURPOSE, Phases
from tests.oracle.table import Debt, Step

Action = tuple[str | int, ...]

# What each reward costs: the type and number of cards to flip (R8).
PRICE = {"peek": ("M", 1), "mend": ("R", 2), "take": ("P", 2), "reroll": ("I", 1)}


class Illegal(Exception):  # noqa: N818
    """The action is not among the legal ones."""


class Oracle(Phases):
    def __init__(self, players: int, collectors: str = "AAAAAA", leader: int = 0) -> None:
        super().__init__(players, collectors, leader)
        self._begin_round()
        self.settle()

    @property
    def actor(self) -> int | Literal["chance", "over"]:
        if self.debt:
            return self.debt.seat
        if not self.agenda:
            return "over"
        step = self.agenda[0]
        return "chance" if step.kind in PURPOSE else step.seat

    # Decisions.

    def legal(self, seat: int | None = None) -> set[Action]:
        """The actor's decisions; another seat's actions out of turn (R9.1). Empty at chance nodes."""
        actor = self.actor
        if isinstance(actor, str):
            return set()
        if seat is None or seat == actor:
            return self._flips(self.debt) if self.debt else self._decisions(self.agenda[0])
        between = self.debt is None and not self.placing and self.agenda[0].kind in ("pottery", "turn")
        return self._any_time(seat) if between else set()

    def _decisions(self, step: Step) -> set[Action]:
        match step.kind:
            case "pottery":
                takes: set[Action] = {("take", slot) for slot in self.hidden_slots()}
                return takes | {("decline",)} | self._any_time(step.seat)
            case "turn" if self.placing:
                return self._placements(step.seat) | {("done",)}
            case "turn":
                return self._placements(step.seat) | {("recover",)} | self._any_time(step.seat)
            case "window":  # Idol A
                rerolls: set[Action] = {("reroll", slot) for slot, _ in self.failed}
                return rerolls | {("decline",)}
            case _:  # the last chance to use Remains A (R9.2)
                return {("mend",), ("decline",)}

    def _any_time(self, seat: int) -> set[Action]:
        actions: set[Action] = set()
        if self.can_peek(seat):
            actions.add(("peek",))
        if self.can_mend(seat):
            actions.add(("mend",))
        return actions

    def _placements(self, seat: int) -> set[Action]:
        after = self.placing[-1]["slot"] if self.placing else -1
        return {
            ("place", slot, dice, effort)
            for slot in range(after + 1, len(self.row))
            for dice in range(1, self.ready[seat] + 1)
            for effort in range(1, 7)
            if self.can_claim(seat, slot, dice * effort)
        }

    def _flips(self, debt: Debt) -> set[Action]:
        values = sorted(c.value for c in self.unflipped(debt.seat, debt.type) if c.value >= debt.least)
        # Before the last flip, a card at least as high must remain for the next one.
        return {("flip", value) for value in values[: len(values) - (debt.owed - 1)]}

    def apply(self, seat: int | str, action: Action) -> None:
        if seat == "chance":
            if self.actor != "chance" or action not in self.chance():
                raise Illegal(f"{action} cannot happen here")
            self._happen(self.agenda.pop(0), action)
        elif isinstance(seat, str) or action not in self.legal(seat):
            raise Illegal(f"{action} is not open to seat {seat}")
        else:
            self._decide(seat, action)
        self.settle()

    def _decide(self, seat: int, action: Action) -> None:
        match action:
            case ("place", int(slot), int(dice), int(effort)):
                self._place(seat, slot, dice, effort)
                self.placing.append({"slot": slot, "dice": dice, "effort": effort})
                self.placed.add(seat)
                if self.ready[seat] == 0 or self.agenda[0].last:  # R5.6
                    self._end_claim()
            case ("done",):
                self._end_claim()
            case ("recover",):
                self.agenda.pop(0)
                self._write("recover", seat=seat, dice=self._recover(seat))  # R5.5
            case ("decline",):
                self.agenda.pop(0)
            case ("flip", int(value)):
                self._flip(value)
            case (("peek" | "mend" | "take" | "reroll") as reward, *rest):
                letter, cards = PRICE[str(reward)]
                self.debt = Debt(str(reward), seat, letter, cards, slot=int(rest[0]) if rest else 0)
            case _:
                raise Illegal(str(action))

    def _end_claim(self) -> None:
        step = self.agenda.pop(0)
        self._write("claim", seat=step.seat, place=self.placing, last=step.last)
        self.placing = []

    # Flips and what they buy.

    def _flip(self, value: int) -> None:
        debt = self.debt
        assert debt is not None
        same = [card for card in self.unflipped(debt.seat, debt.type) if card.value == value]
        known = [card for card in same if card.public]
        debt.paid.append(self._turn_up((known or same)[0]))
        debt.owed -= 1
        debt.least = value
        if debt.owed == 0:
            self.debt = None
            self._reward(debt)

    def _reward(self, debt: Debt) -> None:
        seat, slot = debt.seat, debt.slot
        if debt.reward == "reroll":
            effort = next(effort for where, effort in self.failed if where == slot)
            self.agenda.insert(0, Step("redie", seat, slot, effort))
            self.paid = debt.paid
        elif debt.reward == "peek":
            self.peeked.add(seat)
            for hidden in self.hidden_slots():
                self._show(self.row[hidden], seat)
            self._write("peek", seat=seat, flip=debt.paid)
        elif debt.reward == "mend":
            self.exhausted[seat] -= 1
            self.ready[seat] += 1
            self._write("mend", seat=seat, flip=debt.paid)
        else:
            self._write("take", seat=seat, slot=slot, flip=debt.paid)
            self._collect(self.row[slot], seat)
            self._check_idols()  # at once (R8.4B)

    def _show(self, spot: Spot, seat: int) -> None:
        assert spot.card is not None
        spot.card.knowers.add(seat)

    # Chance.

    def outcomes(self) -> list[Action]:
        """Outcomes of equal weight, in the order of RECORD.md."""
        kind = self.agenda[0].kind
        if kind == "card":
            return [("card", *card) for card in self.unseen if self.top in (None, card[0])]
        if kind == "top":
            return [("top", letter) for letter, _ in self.unseen]
        return [("die", face) for face in range(1, 7)]

    def chance(self) -> dict[Action, int]:
        return dict(Counter(self.outcomes()))

    def address(self) -> Address:
        step = self.agenda[0]
        key = (PURPOSE[step.kind], self.round, step.seat)
        return (*key, self.drawn.get(key, 0))

    def _happen(self, step: Step, outcome: Action) -> None:
        key = (PURPOSE[step.kind], self.round, step.seat)
        self.drawn[key] = self.drawn.get(key, 0) + 1
        match outcome:
            case ("card", str(letter), int(value)):
                self.unseen.remove((letter, value))
                self.top = None
                down = len(self.row) >= FACE_UP[self.players]
                self.row.append(Spot(Card(letter, value, public=not down), down))
            case ("top", str(letter)):
                self.top = letter
            case (_, int(face)):
                self._roll(step, face)
            case _:
                raise Illegal(str(outcome))

    def _roll(self, step: Step, face: int) -> None:
        seat, failed = step.seat, face < step.effort  # R6.3
        if step.kind == "redie":
            spent = {"slot": step.slot, "effort": step.effort, "flip": self.paid}
            self._write("reroll", seat=seat, **spent, rolled=face)
            if not failed:
                self.failed.remove((step.slot, step.effort))
                self.exhausted[seat] -= 1
                self.ready[seat] += 1
        elif step.kind == "tiedie":
            self.tie_rolls[seat].append(face)
        else:
            self.rolled.append(face)
        if step.kind == "die":
            self.row[step.slot].dice -= 1
            (self.exhausted if failed else self.ready)[seat] += 1
            if failed:
                self.failed.append((step.slot, step.effort))
