"""Building a turn step by step: card, dice, effort. Nothing counts before it is confirmed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.text import Text

from royalcrypt.cli.terminal.palette import BAD, DIM, EMBER, begin, type_name
from royalcrypt.cli.terminal.people import People
from royalcrypt.cli.terminal.risks import claim_words, one_place, percent, rival_words
from royalcrypt.cli.terminal.story import card_words
from royalcrypt.locales import say
from royalcrypt.notation.moves import Action, Move, Placement, Verb
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.views import ClaimForm, View
from royalcrypt.rules.layout import FACES

Show = Callable[[list[Placement], list[Text]], None]
"""Draws the table with staged dice and these lines below."""
Ask = Callable[[str], str]
Judge = Callable[[Move], str]
"""Why a move would be refused; empty if it is legal."""
BACK, ABANDON = "u", "x"


@dataclass(slots=True)
class Menu:
    """One visit to the menu. ``run`` gives the confirmed move, or None if it was abandoned."""

    view: View
    people: People
    show: Show
    ask: Ask
    judge: Judge
    staged: list[Placement] = field(default_factory=list[Placement])
    slot: int | None = None
    dice: int | None = None
    complaint: str = ""

    def run(self) -> Move | None:
        others = [move for move in self.view.moves() if move.actions[0].verb is not Verb.CLAIM]
        form = self.view.form
        has_claim = form is not None and any(least is not None for least in form.least)
        while True:
            if not has_claim or form is None:
                return self._choose(others, can_claim=False)
            if others:
                chosen = self._choose(others, can_claim=True)
                if chosen is None or chosen.actions:
                    return chosen
            built = self._build(form)
            if built is None or built.actions:
                return built

    def _answer(self, lines: list[Text], prompt: str) -> str:
        if self.complaint:
            lines.append(Text(self.complaint, BAD))
            self.complaint = ""
        lines.append(Text(say("terminal.menu.keys"), DIM))
        self.show(self.staged, lines)
        return self.ask(prompt + " ").lower()

    def _choose(self, others: list[Move], *, can_claim: bool) -> Move | None:
        """One of some whole moves; a move without actions stands for "claim"."""
        choices = [Move(())] * can_claim + others
        while True:
            lines = [
                begin(f"{number} ", "bold").append(self._words(move))
                for number, move in enumerate(choices, 1)
            ]
            answer = self._answer(_in_columns(lines), say("terminal.menu.choose"))
            if answer in (BACK, ABANDON):
                return None
            if answer.isdecimal() and 1 <= int(answer) <= len(choices):
                return choices[int(answer) - 1]
            self.complaint = say("terminal.menu.no_choice", answer=answer, last=len(choices))

    def _words(self, move: Move) -> str:
        if not move.actions:
            return say("terminal.menu.claim")
        action = move.actions[0]
        exhausted = self.view.seats[self.view.seat or 0].exhausted
        if action.verb is Verb.RECOVER:
            return say("terminal.menu.recover", count=exhausted) if exhausted else say("terminal.menu.wait")
        if action.verb is Verb.DECLINE:
            return say("terminal.menu.decline")
        return say("terminal.menu.reward", action=action, words=self._reward(action))

    def _reward(self, action: Action) -> str:
        card = self.view.row[action.slot].card if action.slot is not None else None
        return say(
            f"terminal.menu.{action.verb}",
            card=card_words(str(card), lies_there=True) if card is not None else "",
        )

    def _build(self, form: ClaimForm) -> Move | None:
        """Stage placements until they are confirmed. A move without actions goes back to the first choice."""
        while True:
            left = form.ready - sum(place.dice for place in self.staged)
            is_full = left == 0 or (form.one_card_only and bool(self.staged))
            if self.slot is None:
                done = self._ask_card(form, left, is_full=is_full)
                if done is not None:
                    return None if done == ABANDON else Move(()) if done == BACK else Move.claim(*self.staged)
            elif self.dice is None:
                if self._ask_dice(form, left) == ABANDON:
                    return None
            elif self._ask_effort(form) == ABANDON:
                return None

    def _ask_card(self, form: ClaimForm, left: int, *, is_full: bool) -> str | None:
        """Choose a card, or confirm; the answer says how the visit ends, None that it goes on."""
        lines = self._summary(form)
        if not is_full:
            lines += [self._card_line(form, slot, left) for slot in range(len(self.view.row))]
        key = "confirm" if is_full else "card_or_confirm" if self.staged else "card"
        answer = self._answer(lines, say(f"terminal.menu.{key}", count=left))
        if answer == ABANDON:
            return ABANDON
        if answer == BACK:
            return self._take_back()
        if answer in ("", "y", "ok") and self.staged:
            return "done"
        if ":" in answer:
            self._stage_notation(answer)
        elif is_full:
            self.complaint = say("terminal.menu.only_confirm")
        elif not answer.isdecimal() or not 1 <= int(answer) <= len(self.view.row):
            self.complaint = say("terminal.menu.not_a_card", answer=answer, last=len(self.view.row))
        elif reason := self._closed(form, int(answer) - 1, left):
            self.complaint = say("terminal.menu.closed", card=answer, reason=reason)
        else:
            self.slot = int(answer) - 1
            if left == 1:
                self.dice = 1
        return None

    def _take_back(self) -> str | None:
        if not self.staged:
            return BACK
        self.staged.pop()
        return None

    def _stage_notation(self, text: str) -> None:
        try:
            place = Action.parse(text).place
        except Refusal as refusal:
            self.complaint = str(refusal)
            return
        self.complaint = self.judge(Move.claim(*self.staged, *place))
        if not self.complaint:
            self.staged += place

    def _closed(self, form: ClaimForm, slot: int, left: int) -> str:
        """Why a card cannot be claimed now; empty if it can."""
        least = form.least[slot]
        if slot in (place.slot for place in self.staged):
            return say("terminal.menu.staged_already")
        if self.view.row[slot].card is None:
            return say("terminal.row.taken")
        if self.view.row[slot].holder == self.view.seat:
            return say("terminal.menu.yours")
        if least is None or least > FACES * left:
            return say("terminal.menu.too_strong", total=self.view.row[slot].total)
        return ""

    def _card_line(self, form: ClaimForm, slot: int, left: int) -> Text:
        text = begin(f"{slot + 1} ", "bold")
        card = self.view.row[slot].card
        name = card_words(str(card), lies_there=True) if card is not None else say("terminal.row.taken")
        if reason := self._closed(form, slot, left):
            return text.append(f"{name}: {reason}", DIM)
        text.append(name)
        least = form.least[slot] or 0
        if least > 1:
            text.append(": " + say("terminal.menu.least", total=least), EMBER)
        return text

    def _ask_dice(self, form: ClaimForm, left: int) -> str | None:
        least = form.least[self.slot or 0] or 1
        fewest = -(-least // FACES)
        lines = [*self._summary(form), Text(self._head())]
        answer = self._answer(lines, say("terminal.menu.dice", fewest=fewest, most=left))
        if answer == ABANDON:
            return ABANDON
        if answer == BACK:
            self.slot = None
        elif answer.isdecimal() and fewest <= int(answer) <= left:
            self.dice = int(answer)
        else:
            self.complaint = say("terminal.menu.wrong_dice", fewest=fewest, most=left)
        return None

    def _head(self) -> str:
        card = self.view.row[self.slot or 0].card
        return (
            say("terminal.menu.on", card=card_words(str(card), lies_there=True), type=type_name(card.type))
            if card
            else ""
        )

    def _ask_effort(self, form: ClaimForm) -> str | None:
        slot, dice = self.slot or 0, self.dice or 1
        least = form.least[slot] or 1
        lines = [*self._summary(form), Text(self._head())]
        lines += [self._effort_line(form, dice, effort, least) for effort in range(1, FACES + 1)]
        answer = self._answer(lines, say("terminal.menu.effort"))
        if answer == ABANDON:
            return ABANDON
        if answer == BACK:
            self.dice = None
            if form.ready - sum(place.dice for place in self.staged) == 1:
                self.slot = None
        elif not answer.isdecimal() or not 1 <= int(answer) <= FACES:
            self.complaint = say("terminal.menu.wrong_effort")
        elif dice * int(answer) < least:
            self.complaint = say("terminal.menu.too_low", total=dice * int(answer), least=least)
        else:
            self.staged.append(Placement(slot, dice, int(answer)))
            self.slot = self.dice = None
        return None

    def _effort_line(self, form: ClaimForm, dice: int, effort: int, least: int) -> Text:
        total = dice * effort
        text = begin(f"{effort} ", "bold")
        if total < least:
            return text.append(say("terminal.menu.too_low", total=total, least=least), DIM)
        risk = form.risk(effort)
        return text.append(
            say(
                "terminal.menu.effort_line",
                total=total,
                risk=percent(risk),
                kept=one_place(dice * (1 - risk)),
                dice=dice,
            ),
        )

    def _summary(self, form: ClaimForm) -> list[Text]:
        if not self.staged:
            return []
        claim = " ".join(map(str, sorted(self.staged)))
        text = begin(say("terminal.menu.staged") + " ", EMBER).append(claim, f"bold {EMBER}")
        text.append("  " + claim_words(form, self.staged))
        return [text, *(Text(words, DIM) for words in rival_words(form, self.staged, self.people))]


def _in_columns(lines: list[Text]) -> list[Text]:
    """Two abreast where there are many."""
    if len(lines) <= 4:
        return lines
    half = (len(lines) + 1) // 2
    wide = max(len(line) for line in lines[:half]) + 3
    rows: list[Text] = []
    for at, left in enumerate(lines[:half]):
        row = left.copy()
        if at + half < len(lines):
            row.append(" " * (wide - len(left))).append(lines[at + half])
        rows.append(row)
    return rows
