"""The phases of a round and the end of the game: what happens without anybody deciding."""

from typing import Any

from tests.oracle.cards import FACE_DOWN, FACE_UP, Card, Spot
from tests.oracle.ghost import GHOST, first_fit, from_high_to_low, groups
from tests.oracle.table import Step, Table

# The steps that only chance can take, and the purpose of their addresses.
PURPOSE = {"card": "card", "top": "top", "die": "die", "redie": "die", "ghostdie": "ghost", "tiedie": "tie"}


class Phases(Table):
    # The agenda.

    def settle(self) -> None:
        """Carry out steps until somebody, or chance, has to decide."""
        while self.agenda and not self.debt and not self._waits(self.agenda[0]):
            step = self.agenda.pop(0)
            getattr(self, "_do_" + step.kind, self._skip)(step)

    def _waits(self, step: Step) -> bool:
        """Windows open only for seats that can pay."""
        match step.kind:
            case "pottery":
                return self.can_take(step.seat)
            case "window":
                return self.can_reroll(step.seat)
            case "lastmend":
                return self.can_mend(step.seat)
            case kind:
                return kind == "turn" or kind in PURPOSE

    def _skip(self, _: Step) -> None:
        """A window that does not open, or no longer."""

    def _begin_round(self) -> None:
        self.row, self.peeked, self.placed, self.pushed_off_ghost = [], set(), set(), 0
        cards = FACE_UP[self.players] + FACE_DOWN[self.players]
        order = self.turn_order()
        if self.seats == 2:
            order.append(self.leader)  # R5.6
        turns = [Step("turn", seat) for seat in order[:-1]] + [Step("turn", order[-1], last=True)]
        self.agenda = [
            *[Step("card")] * cards,
            Step("revealed"),
            *[Step("pottery", seat) for seat in self.turn_order()],
            *[Step("ghost", s.seat, last=s.last) if self.is_ghost(s.seat) else s for s in turns],
            Step("collect"),
        ]

    def _do_revealed(self, _: Step) -> None:
        if self.solo:
            self.row = from_high_to_low(self.row)
        row = [spot.card.name for spot in self.row if spot.card]
        self._write("reveal", round=self.round, leader=self.leader, row=row, down=self.hidden_slots())
        if self.unseen:
            self.agenda.insert(0, Step("top"))

    def _do_ghost(self, step: Step) -> None:
        dice = self.pushed_off_ghost if step.last else 3  # R10.5, R10.4
        if dice:
            roll = [Step("ghostdie", GHOST)] * dice
            self.agenda[:0] = [*roll, Step("ghostplace", GHOST, last=step.last)]

    def _do_ghostplace(self, step: Step) -> None:
        rolled, self.rolled = self.rolled, []
        place: list[dict[str, int]] = []
        for dice, effort in groups(rolled)[: 1 if step.last else 3]:
            slot = first_fit(self.row, dice, effort)
            if slot is not None:
                self._place(GHOST, slot, dice, effort)
                place.append({"slot": slot, "dice": dice, "effort": effort})
        self._write("ghost", rolled=rolled, place=place, last=step.last)

    def _do_collect(self, _: Step) -> None:
        for spot in self.row:
            if spot.card and (spot.holder is None or self.is_ghost(spot.holder)):  # R6.1, R10.6
                self.discards.append(spot.card)
                spot.card = None
        seats = [seat for seat in self.turn_order() if not self.is_ghost(seat)]
        if self.solo:
            self.ready[GHOST] = 3  # R10.1
        for seat in seats:
            held = any(spot.card and spot.holder == seat for spot in self.row)
            if seat in self.placed and not held and self.exhausted[seat]:  # R6.2
                self._write("rally", seat=seat, dice=self._recover(seat))
        for seat in seats:
            for slot, spot in enumerate(self.row):
                if spot.card and spot.holder == seat:
                    if spot.effort > 1:
                        self.agenda += [Step("die", seat, slot, spot.effort)] * spot.dice
                    self.agenda.append(Step("rolled", seat, slot, spot.effort))
            self.agenda += [Step("gather", seat), Step("window", seat), Step("collected", seat)]
        self.agenda += [Step("idols"), Step("pass")]

    def _do_rolled(self, step: Step) -> None:
        rolled, self.rolled = self.rolled, []
        self.ready[step.seat] += self.row[step.slot].dice  # those with effort 1 were not rolled
        self.row[step.slot].dice = 0
        self._write("roll", seat=step.seat, slot=step.slot, effort=step.effort, rolled=rolled)

    def _do_gather(self, step: Step) -> None:
        mine = [spot for spot in self.row if spot.card and spot.holder == step.seat]
        self.gathered = [self._collect(spot, step.seat) for spot in mine]

    def _do_collected(self, step: Step) -> None:
        self.failed = []
        if self.gathered:
            self._write("collect", seat=step.seat, cards=self.gathered)

    def _do_idols(self, _: Step) -> None:
        self._check_idols()  # R6.7

    def _do_pass(self, _: Step) -> None:
        if self.unseen:
            self.round += 1
            self.leader = (self.leader + 1) % self.seats
            self._begin_round()
        else:  # R7.1, R9.2
            self.agenda = [*[Step("lastmend", seat) for seat in self.turn_order()], Step("score")]

    def _do_score(self, _: Step) -> None:
        best = max(self.scores())
        self.contenders = [seat for seat in self.collectors() if self.scores()[seat] == best]
        self.agenda = [Step("tie")]

    def _do_tie(self, _: Step) -> None:
        dice = [seat for seat in self.contenders for _ in range(self.ready[seat])]
        if len(self.contenders) == 1 or not dice:
            self._write("end", scores=self.scores(), winners=list(self.contenders))
            return
        self.tie_rolls = {seat: [] for seat in self.contenders}
        self.agenda = [*[Step("tiedie", seat) for seat in dice], Step("tied")]

    def _do_tied(self, _: Step) -> None:
        self._write("tiebreak", rolled={str(seat): rolls for seat, rolls in self.tie_rolls.items()})
        best = max(map(sum, self.tie_rolls.values()))
        self.contenders = [seat for seat, rolls in self.tie_rolls.items() if sum(rolls) == best]
        self.agenda = [Step("tie")]

    def _write(self, kind: str, **fields: Any) -> None:
        self.log.append({"n": len(self.log), "type": kind, **fields})

    # What players and the Ghost, or several phases, do alike.

    def _place(self, seat: int, slot: int, dice: int, effort: int) -> None:
        spot = self.row[slot]
        if spot.holder is not None:  # pushed out (R5.4)
            self.ready[spot.holder] += spot.dice
            if self.is_ghost(spot.holder):
                self.pushed_off_ghost += spot.dice
        self.ready[seat] -= dice
        spot.holder, spot.dice, spot.effort = seat, dice, effort

    def _recover(self, seat: int) -> int:
        back = self.exhausted[seat]
        self.ready[seat] += back
        self.exhausted[seat] = 0
        return back

    def _turn_up(self, card: Card) -> str:
        card.flipped = card.public = True
        return card.name

    def _collect(self, spot: Spot, seat: int) -> str:
        """The card moves to the seat's collection; its owner may look at it (R6.4, R6.6)."""
        assert spot.card is not None
        card, spot.card = spot.card, None
        card.knowers.add(seat)
        self.collections[seat].append(card)
        return card.name

    def _check_idols(self) -> None:
        """R8.1B: all who own two at the first check at which anybody does."""
        idols = {seat: self.unflipped(seat, "I") for seat in self.collectors()}
        first = [seat for seat in idols if len(idols[seat]) >= 2]
        if self.sides["I"] == "A" or self.first_idols is not None or not first:
            return
        self.first_idols = set(first)
        flips: dict[str, list[str]] = {}
        for seat in first:
            known_first = sorted(idols[seat], key=lambda card: not card.public)
            flips[str(seat)] = [self._turn_up(card) for card in known_first[:2]]
        self._write("idols", flips=flips)
