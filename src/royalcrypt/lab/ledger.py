"""One seat's account of a recorded game: what it could expect at each moment, and what changed that."""

from dataclasses import dataclass, field

from royalcrypt.bots.facts import Fact, facts_about
from royalcrypt.lab.reckoning import Effort, Hope, Reckoner
from royalcrypt.lab.retracing import Cause, Step, steps_of
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import recorded_chance, replay
from royalcrypt.play.views import view_of
from royalcrypt.rules import phases
from royalcrypt.rules.layout import EVERYONE, State, copy_of
from royalcrypt.rules.views import conceal, hide, knows, unveil

DECISIONS, DICE, REVEALS, RIVALS, DOUBT = CAUSES = ("decisions", "dice", "reveals", "rivals", "doubt")
CLOSE = 1e-6
"""What differs by less is as good: the learned values are of 32 bits."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one of a crew: one seat of a record."""

    record: str
    seat: int
    effort: Effort


@dataclass(frozen=True, slots=True)
class Verdict:
    """On one whole action."""

    step: int
    move: int
    round: int
    seat: int
    played: Move
    best: Move
    hope: Hope
    """With what was played."""
    best_hope: Hope
    facts: tuple[Fact, ...]


@dataclass
class Account:
    expected: Hope
    final: Hope
    is_over: bool
    verdicts: list[Verdict] = field(default_factory=list[Verdict])
    changes: dict[str, list[tuple[Hope, Hope]]] = field(
        default_factory=lambda: {cause: list[tuple[Hope, Hope]]() for cause in CAUSES}
    )
    curve: list[Hope] = field(default_factory=list[Hope])
    """After each move and its chance."""
    rounds: list[int] = field(default_factory=list[int])


def keep_account(piece: Piece) -> Account:
    record = Record.parse(piece.record)
    game = replay(record)
    book = Ledger(piece.seat, piece.effort, game.start)
    for number, step in enumerate(steps_of(game.start, game.moves, recorded_chance(record))):
        book.note(number, step)
    return book.account


class Ledger:
    """Whatever changes what the seat expects is put down to one cause, so that all changes add up."""

    def __init__(self, seat: int, effort: Effort, start: State) -> None:
        self.seat = seat
        self._reckoner = Reckoner(seat, effort)
        self._now = self._reckoner.before_reveal(start)
        self.account = Account(self._now, self._now, is_over=False)

    def note(self, number: int, step: Step) -> None:
        if step.before.phase == phases.REVEAL and step.before.drawn > 0:
            self._becomes(self._reckoner.before_reveal(step.before), DOUBT)
        if step.cause is Cause.REVEAL:
            self._becomes(self._reckoner.of(step.after), REVEALS)
        elif step.cause is Cause.DICE:
            self._roll(step)
        elif step.seat == self.seat:
            self._choose(number, step)
        else:
            self._becomes(self._unlearned(step), RIVALS)
            self._becomes(self._reckoner.of(step.after), REVEALS)
        self._keep(step)

    def _becomes(self, hope: Hope, cause: str) -> None:
        self.account.changes[cause].append((self._now, hope))
        self._now = hope

    def _keep(self, step: Step) -> None:
        account = self.account
        account.final = self._now
        account.is_over = step.after.phase == phases.OVER
        while len(account.curve) <= step.move:
            account.curve.append(self._now)
            account.rounds.append(step.after.round_number)
        account.curve[step.move], account.rounds[step.move] = self._now, step.after.round_number

    def _roll(self, step: Step) -> None:
        """Who rolls for a tie knows by then what the cards are worth."""
        if step.before.phase == phases.TIE:
            seen = copy_of(step.before)
            unveil(seen, EVERYONE)
            self._becomes(self._reckoner.of(seen), REVEALS)
            self._becomes(self._reckoner.of(step.after), DICE)
        else:
            self._becomes(self._unlearned(step), DICE)
            self._becomes(self._reckoner.of(step.after), REVEALS)

    def _choose(self, number: int, step: Step) -> None:
        if step.is_asked:
            verdict = self._judge(number, step)
            self.account.verdicts.append(verdict)
            self._becomes(verdict.best_hope, DOUBT)
            self._becomes(verdict.hope, DECISIONS)
        else:
            self._becomes(self._unlearned(step), DOUBT)
        has_learned = any(True for _ in self._learned(step))
        self._becomes(self._reckoner.of(step.after), REVEALS if has_learned else DOUBT)

    def _judge(self, number: int, step: Step) -> Verdict:
        is_solo = bool(step.before.is_solo)
        hopes = self._reckoner.choices(step.before, step.codes)
        best = max(hopes, key=lambda action: hopes[action].value(is_solo=is_solo))
        if hopes[best].value(is_solo=is_solo)[0] - hopes[step.codes].value(is_solo=is_solo)[0] < CLOSE:
            best = step.codes
        move = Move.from_codes(list(best))
        return Verdict(
            step=number,
            move=step.move,
            round=step.before.round_number,
            seat=self.seat,
            played=Move.from_codes(list(step.codes)),
            best=move,
            hope=hopes[step.codes],
            best_hope=hopes[best],
            facts=facts_about(view_of(copy_of(step.before), self.seat), self.seat, move),
        )

    def _learned(self, step: Step) -> list[int]:
        """Cards whose value the seat knows since this step."""
        return [
            card
            for card in range(step.before.drawn)
            if knows(step.after, self.seat, card) and not knows(step.before, self.seat, card)
        ]

    def _unlearned(self, step: Step) -> Hope:
        """What to expect after the step without what the seat saw by it."""
        after = copy_of(step.after)
        conceal(after, self.seat)
        for card in self._learned(step):
            hide(after, card)
        return self._reckoner.of(after)
