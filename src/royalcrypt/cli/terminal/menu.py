"""Menu that builds a move step by step (card, dice, effort) and asks for confirmation."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from rich.text import Text

from royalcrypt.cli.terminal.labels import BAD, DIM, EMBER, SeatLabels, begin, type_name
from royalcrypt.cli.terminal.sentences import card_words
from royalcrypt.locales import say
from royalcrypt.notation.moves import Action, Move, Placement, Verb
from royalcrypt.notation.reasons import Refusal
from royalcrypt.play.views import ClaimForm, View
from royalcrypt.rules.layout import FACES

Show = Callable[[list[Placement], list[Text]], None]
"""Function that draws the table with staged dice and lines of text below it."""
Ask = Callable[[str], str]
Judge = Callable[[Move], str]
"""Function that returns why a move would be refused; empty if it is legal."""
BACK, ABANDON = "u", "x"
CLAIM = Move(())
"""Placeholder for a claim that is still to be built."""


class Abandoned(Exception):  # noqa: N818 (the player's choice, no error)
    """Raised when the player leaves the menu without a move."""


@dataclass(slots=True)
class MoveMenu:
    """The menu for one move of one player."""

    view: View
    people: SeatLabels
    show: Show
    ask: Ask
    judge: Judge
    staged: list[Placement] = field(default_factory=list[Placement])
    slot: int | None = None
    dice: int | None = None
    complaint: str = ""

    def run(self) -> Move | None:
        """Run the menu; returns the confirmed move, None if the player left the menu."""
        others = [move for move in self.view.moves() if move.actions[0].verb is not Verb.CLAIM]
        form = self.view.form
        try:
            if form is None or all(least is None for least in form.least):
                return self._choose(others)
            while True:
                chosen = self._choose([CLAIM, *others]) if others else CLAIM
                if chosen is not CLAIM or self._build_claim(form):
                    return Move.claim(*self.staged) if chosen is CLAIM else chosen
        except Abandoned:
            return None

    def _answer(self, lines: list[Text], prompt: str) -> str:
        if self.complaint:
            lines.append(Text(self.complaint, BAD))
            self.complaint = ""
        lines.append(Text(say("terminal.menu.keys"), DIM))
        self.show(self.staged, lines)
        answer = self.ask(prompt + " ").lower()
        if answer == ABANDON:
            raise Abandoned
        return answer

    def _choose(self, choices: list[Move]) -> Move | None:
        """Let the player choose one of several complete moves; None means going back."""
        while True:
            lines = [
                begin(f"{number} ", "bold").append(self._words(move))
                for number, move in enumerate(choices, 1)
            ]
            answer = self._answer(_in_columns(lines), say("terminal.menu.choose"))
            if answer == BACK:
                return None
            if _is_between(answer, 1, len(choices)):
                return choices[int(answer) - 1]
            self.complaint = say("terminal.menu.no_choice", answer=answer, last=len(choices))

    def _words(self, move: Move) -> str:
        if move is CLAIM:
            return say("terminal.menu.claim")
        action = move.actions[0]
        exhausted = self.view.seats[self.view.seat or 0].exhausted
        if action.verb is Verb.RECOVER and not exhausted:
            return say("terminal.menu.wait")
        if action.verb in (Verb.RECOVER, Verb.DECLINE):
            return say(f"terminal.menu.{action.verb}", count=exhausted)
        card = "" if action.slot is None else self._card_words(action.slot)
        words = say(f"terminal.menu.{action.verb}", card=card)
        return say("terminal.menu.reward", action=action, words=words)

    def _card_words(self, slot: int, missing: str = "") -> str:
        card = self.view.row[slot].card
        return missing if card is None else card_words(str(card), lies_there=True)

    def _build_claim(self, form: ClaimForm) -> bool:
        """Stage placements until confirmed; returns False if the player goes back to the first choice."""
        while True:
            left = form.ready - sum(place.dice for place in self.staged)
            if self.slot is None:
                is_confirmed = self._ask_card(form, left)
                if is_confirmed is not None:
                    return is_confirmed
            elif self.dice is None:
                self._ask_dice(form, self.slot, left)
            else:
                self._ask_effort(form, self.slot, self.dice, left)

    def _ask_card(self, form: ClaimForm, left: int) -> bool | None:
        """Ask for a card; returns True if the claim is confirmed, False to leave it, None to continue."""
        is_full = left == 0 or (form.one_card_only and bool(self.staged))
        lines = self._summary(form)
        if not is_full:
            lines += [self._card_line(form, slot, left) for slot in range(len(self.view.row))]
        key = "confirm" if is_full else "card_or_confirm" if self.staged else "card"
        answer = self._answer(lines, say(f"terminal.menu.{key}", count=left))
        if answer == BACK and not self.staged:
            return False
        if answer in ("", "y", "ok") and self.staged:
            return True
        if answer == BACK:
            self.staged.pop()
        elif ":" in answer:
            self._stage_notation(answer)
        elif is_full:
            self.complaint = say("terminal.menu.only_confirm")
        elif not _is_between(answer, 1, len(self.view.row)):
            self.complaint = say("terminal.menu.not_a_card", answer=answer, last=len(self.view.row))
        elif reason := self._why_closed(form, int(answer) - 1, left):
            self.complaint = say("terminal.menu.closed", card=answer, reason=reason)
        else:
            self.slot = int(answer) - 1
            self.dice = 1 if left == 1 else None
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

    def _why_closed(self, form: ClaimForm, slot: int, left: int) -> str:
        """Return why a card cannot be claimed now; empty if it can."""
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
        name = self._card_words(slot, say("terminal.row.taken"))
        if reason := self._why_closed(form, slot, left):
            return text.append(f"{name}: {reason}", DIM)
        text.append(name)
        least = form.least[slot] or 0
        if least > 1:
            text.append(": " + say("terminal.menu.least", total=least), EMBER)
        return text

    def _ask_dice(self, form: ClaimForm, slot: int, left: int) -> None:
        fewest = -(-(form.least[slot] or 1) // FACES)
        lines = [*self._summary(form), self._chosen_card(slot)]
        answer = self._answer(lines, say("terminal.menu.dice", fewest=fewest, most=left))
        if answer == BACK:
            self.slot = None
        elif _is_between(answer, fewest, left):
            self.dice = int(answer)
        else:
            self.complaint = say("terminal.menu.wrong_dice", fewest=fewest, most=left)

    def _chosen_card(self, slot: int) -> Text:
        card = self.view.row[slot].card
        letter = "" if card is None else type_name(card.type)
        return Text(say("terminal.menu.on", card=self._card_words(slot), type=letter))

    def _ask_effort(self, form: ClaimForm, slot: int, dice: int, left: int) -> None:
        least = form.least[slot] or 1
        lines = [*self._summary(form), self._chosen_card(slot)]
        lines += [_effort_line(form, dice, effort, least) for effort in range(1, FACES + 1)]
        answer = self._answer(lines, say("terminal.menu.effort"))
        if answer == BACK:
            self.dice = None
            if left == 1:
                self.slot = None
        elif not _is_between(answer, 1, FACES):
            self.complaint = say("terminal.menu.wrong_effort")
        elif dice * int(answer) < least:
            self.complaint = say("terminal.menu.too_low", total=dice * int(answer), least=least)
        else:
            self.staged.append(Placement(slot, dice, int(answer)))
            self.slot = self.dice = None

    def _summary(self, form: ClaimForm) -> list[Text]:
        if not self.staged:
            return []
        claim = " ".join(map(str, sorted(self.staged)))
        text = begin(say("terminal.menu.staged") + " ", EMBER).append(claim, f"bold {EMBER}")
        text.append("  " + claim_words(form, self.staged))
        return [text, *(Text(words, DIM) for words in rival_words(form, self.staged, self.people))]


def _is_between(answer: str, least: int, most: int) -> bool:
    return answer.isdecimal() and least <= int(answer) <= most


def _in_columns(lines: list[Text]) -> list[Text]:
    """Arrange lines in two columns if there are more than four."""
    if len(lines) <= 4:
        return lines
    half = (len(lines) + 1) // 2
    wide = max(len(line) for line in lines[:half]) + 3
    for left, right in zip(lines, lines[half:], strict=False):
        left.append(" " * (wide - len(left))).append(right)
    return lines[:half]


def _effort_line(form: ClaimForm, dice: int, effort: int, least: int) -> Text:
    total, risk = dice * effort, form.risk(effort)
    text = begin(f"{effort} ", "bold")
    if total < least:
        return text.append(say("terminal.menu.too_low", total=total, least=least), DIM)
    kept = _one_place(dice * (1 - risk))
    return text.append(
        say("terminal.menu.effort_line", total=total, risk=_percent(risk), kept=kept, dice=dice)
    )


def _percent(chance: Fraction) -> str:
    return say("terminal.risk.percent", number=round(100 * chance))


def _one_place(number: Fraction) -> str:
    return f"{float(number):.1f}".removesuffix(".0")


def claim_words(form: ClaimForm, staged: Sequence[Placement]) -> str:
    """Describe how many dice stay ready on average, and the chance that all do, if none are pushed out."""
    kept = sum((place.dice * (1 - form.risk(place.effort)) for place in staged), Fraction(0))
    all_kept = prod(((1 - form.risk(place.effort)) ** place.dice for place in staged), start=Fraction(1))
    placed = sum(place.dice for place in staged)
    return say("terminal.risk.keep", count=placed, kept=_one_place(kept), chance=_percent(all_kept))


def rival_words(form: ClaimForm, staged: Sequence[Placement], people: SeatLabels) -> list[str]:
    """Describe which players can still push these dice out, and the totals they need."""
    found: list[str] = []
    for rival, ready in form.rivals:
        beaten = [place for place in staged if place.total < FACES * ready]
        if beaten and not people.is_ghost(rival):
            needs = ", ".join(
                say("terminal.risk.need", card=place.slot + 1, total=place.total + 1) for place in beaten
            )
            found.append(say("terminal.risk.rival", name=people.name(rival), count=ready, needs=needs))
    return found
