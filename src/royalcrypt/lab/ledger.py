"""The accounts of one round of a recorded game: what each seat could expect, and what changed that."""

from dataclasses import dataclass

from royalcrypt.bots.facts import Fact, facts_about
from royalcrypt.lab.reckoning import Effort, Hope, Reckoner
from royalcrypt.lab.retracing import Cause, Step, steps_of
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import recorded_chance, replay
from royalcrypt.play.views import view_of
from royalcrypt.rules import phases
from royalcrypt.rules.layout import EVERYONE, copy_of
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.views import conceal, hide, knows, unveil

DECISIONS, DICE, REVEALS, RIVALS, DOUBT = CAUSES = ("decisions", "dice", "reveals", "rivals", "doubt")


@dataclass(frozen=True, slots=True)
class Piece:
    """Work for one of a crew: one round of a record."""

    record: str
    round: int
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
    row: tuple[str, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What a seat expects since something happened."""

    cause: str
    move: int
    round: int
    hope: Hope


@dataclass(slots=True)
class RoundAccount:
    verdicts: list[Verdict]
    changes: list[list[Change]]
    """By seat, in their order. The first one of a round is doubt."""
    is_over: bool = False


def keep_account(piece: Piece) -> RoundAccount:
    record = Record.parse(piece.record)
    game = replay(record)
    steps = steps_of(game.start, game.moves, recorded_chance(record))
    book = Ledger(record.players, piece.effort)
    for number, step in enumerate(steps):
        if step.before.round_number == piece.round:
            book.note(number, step)
    return book.account


class Ledger:
    """Whatever changes what a seat expects is put down to one cause, so that all changes add up."""

    def __init__(self, players: int, effort: Effort) -> None:
        self._reckoner = Reckoner(effort)
        self.account = RoundAccount([], [[] for _ in range(players)])

    def note(self, number: int, step: Step) -> None:
        seats = range(scoring_seats(step.before))
        if step.before.phase == phases.REVEAL:
            for seat, drift in enumerate(self._reckoner.drift(step.before)):
                here = self._reckoner.of(step.before, seat)
                self._becomes(step, seat, here.plus(drift.win, drift.score), DOUBT, is_before=True)
        for seat in seats:
            if step.cause is Cause.REVEAL:
                self._becomes(step, seat, self._reckoner.of(step.after, seat), REVEALS)
            elif step.cause is Cause.DICE:
                self._roll(step, seat)
            elif step.seat == seat:
                self._choose(number, step)
            else:
                self._happen(step, seat, RIVALS)
        self.account.is_over = step.after.phase == phases.OVER

    def _becomes(self, step: Step, seat: int, hope: Hope, cause: str, *, is_before: bool = False) -> None:
        state = step.before if is_before else step.after
        self.account.changes[seat].append(Change(cause, step.move, state.round_number, hope))

    def _happen(self, step: Step, seat: int, cause: str) -> None:
        """First what it brought about, then what the seat saw by it."""
        if self._learned(step, seat):
            self._becomes(step, seat, self._unlearned(step, seat), cause)
            cause = REVEALS
        self._becomes(step, seat, self._reckoner.of(step.after, seat), cause)

    def _roll(self, step: Step, seat: int) -> None:
        """Who rolls for a tie knows by then what the cards are worth."""
        if step.before.phase != phases.TIE:
            self._happen(step, seat, DICE)
            return
        seen = copy_of(step.before)
        unveil(seen, EVERYONE)
        self._becomes(step, seat, self._reckoner.of(seen, seat), REVEALS)
        self._becomes(step, seat, self._reckoner.of(step.after, seat), DICE)

    def _choose(self, number: int, step: Step) -> None:
        """A judgement, unless it was done out of turn; then what was seen by it."""
        if not step.is_asked:
            self._happen(step, step.seat, DOUBT)
            return
        verdict = self._judged(number, step)
        self.account.verdicts.append(verdict)
        self._becomes(step, step.seat, verdict.best_hope, DOUBT)
        self._becomes(step, step.seat, verdict.hope, DECISIONS)
        now = self._reckoner.of(step.after, step.seat)
        self._becomes(step, step.seat, now, REVEALS if self._learned(step, step.seat) else DOUBT)

    def _judged(self, number: int, step: Step) -> Verdict:
        found = self._reckoner.compare(step.before, step.seat, step.codes)
        best = Move.from_codes(list(found.best))
        view = view_of(copy_of(step.before), step.seat)
        return Verdict(
            step=number,
            move=step.move,
            round=step.before.round_number,
            seat=step.seat,
            played=Move.from_codes(list(step.codes)),
            best=best,
            hope=found.played_hope,
            best_hope=found.best_hope,
            row=tuple("" if slot.card is None else str(slot.card) for slot in view.row),
            facts=facts_about(view, step.seat, best),
        )

    def _learned(self, step: Step, seat: int) -> list[int]:
        """Cards whose value the seat knows since this step."""
        return [
            card
            for card in range(step.before.drawn)
            if knows(step.after, seat, card) and not knows(step.before, seat, card)
        ]

    def _unlearned(self, step: Step, seat: int) -> Hope:
        """What to expect after the step without what the seat saw by it."""
        after = copy_of(step.after)
        conceal(after, seat)
        for card in self._learned(step, seat):
            hide(after, card)
        return self._reckoner.of(after, seat)
