"""Attributes each change of a seat's expectation in a recorded game to a cause, and grades decisions.

The unit of work is one round. The sum of a seat's changes is the difference between its last and its first
expectation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from royalcrypt.bots.facts import Fact, facts_about
from royalcrypt.lab.evaluation import EvaluationBudget, Expectation, PositionEvaluator
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record
from royalcrypt.play.chance import Chance
from royalcrypt.play.replay import recorded_chance, replay
from royalcrypt.play.rulings import carry_out
from royalcrypt.play.views import view_of
from royalcrypt.rules import phases
from royalcrypt.rules.layout import CHANCE, EVERYONE, State, copy_of
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal, hide, knows, unveil

DECISIONS, DICE, REVEALS, RIVALS, DOUBT = CAUSES = ("decisions", "dice", "reveals", "rivals", "doubt")


class Grade(StrEnum):
    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BOUNDS = ((0.005, Grade.BEST), (0.02, Grade.GOOD), (0.05, Grade.SLIP), (0.1, Grade.MISTAKE))
"""Upper bounds of the loss of win chance for each grade; a greater loss than the last is a blunder."""
SOLO_BOUNDS = ((0.1, Grade.BEST), (0.5, Grade.GOOD), (1.25, Grade.SLIP), (2.5, Grade.MISTAKE))
"""Upper bounds of the loss of coins for each grade in solo games."""


@dataclass(frozen=True, slots=True)
class GradedDecision:
    """A whole action with its grade, made by a seat that had to decide."""

    move: int
    """The number of the move, from 1. Each action of a move is graded separately."""
    round: int
    seat: int
    played: Move
    best: Move
    """The best action; equal to ``played`` if no better one was found."""
    wins: float
    """The win chance after the best action; in solo games, the chance of the best title."""
    score: float
    """The expected score after the best action."""
    lost: float
    """The loss of win chance (solo: of coins) by the action played; 0 if it was the best."""
    lost_coins: float
    """The loss of coins by the action played; negative if it gained coins at the cost of win chance."""
    grade: Grade
    row: tuple[str, ...]
    """The cards of the Crypt as known to the seat; an empty string for a missing card."""
    facts: tuple[Fact, ...]
    """Facts that explain the best action."""


class StepCause(StrEnum):
    CHOICE = "choice"
    DICE = "dice"
    REVEAL = "reveal"


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a seat, or one group of chance outcomes, with the full state before and after it."""

    move: int
    """The number of the move that contains or causes the step; 0 before the first move."""
    cause: StepCause
    before: State
    after: State
    seat: int = CHANCE
    codes: tuple[int, ...] = ()
    """The small decisions of the action; empty for chance."""
    is_turn: bool = False
    """Whether the seat had to decide; False for an action out of turn (R9.1)."""


@dataclass(frozen=True, slots=True)
class ExpectationChange:
    """A seat's expectation after a step, with the cause of the change."""

    cause: str
    move: int
    round: int
    expectation: Expectation


@dataclass(slots=True)
class RoundReport:
    decisions: list[GradedDecision]
    changes: list[list[ExpectationChange]]
    """The changes for each seat, in chronological order. The cause of a round's first change is doubt."""
    is_over: bool = False


def steps_of(start: State, moves: list[tuple[int, Move]], chance: Chance) -> Iterator[Step]:
    """All steps of a game, beginning before the first card. The moves must be legal."""
    state = copy_of(start)
    for step in _chance_steps(state, chance, 0):
        yield step
        state = step.after
    for number, (seat, move) in enumerate(moves, 1):
        for action in move.actions:
            after = copy_of(state)
            codes = tuple(carry_out(after, seat, action))
            yield Step(number, StepCause.CHOICE, state, after, seat, codes, is_turn=state.actor == seat)
            state = after
        for step in _chance_steps(state, chance, number):
            yield step
            state = step.after


def _chance_steps(state: State, chance: Chance, move: int) -> Iterator[Step]:
    """The chance outcomes up to the next decision, grouped by row and by one seat's simultaneous rolls."""
    while state.actor == CHANCE:
        after = copy_of(state)
        group = _group(state)
        while after.actor == CHANCE and _group(after) == group:
            apply(after, CHANCE, chance.outcome(after))
        cause = StepCause.REVEAL if state.phase in (phases.REVEAL, phases.TOP) else StepCause.DICE
        yield Step(move, cause, state, after)
        state = after


def _group(state: State) -> tuple[int, int, int]:
    """A key that is equal for chance outcomes of the same step."""
    is_row = state.phase in (phases.REVEAL, phases.TOP)
    return state.round_number, phases.REVEAL if is_row else state.phase, 0 if is_row else state.chance_seat


def report_round(text: str, budget: EvaluationBudget, number: int) -> RoundReport:
    """Evaluate round ``number`` of the record with this text."""
    record = Record.parse(text)
    game = replay(record)
    attribution = RoundAttribution(record.players, budget)
    for step in steps_of(game.start, game.moves, recorded_chance(record)):
        if step.before.round_number == number:
            attribution.add(step)
    return attribution.report


class RoundAttribution:
    """Builds the report on a round, step by step."""

    def __init__(self, players: int, budget: EvaluationBudget) -> None:
        self._evaluator = PositionEvaluator(budget)
        self.report = RoundReport([], [[] for _ in range(players)])

    def add(self, step: Step) -> None:
        if step.before.phase == phases.REVEAL:
            for seat, drift in enumerate(self._evaluator.drift(step.before)):
                here = self._evaluator.of(step.before, seat)
                self._change(step, seat, here.plus(drift.win, drift.score), DOUBT, is_before=True)
        for seat in range(scoring_seats(step.before)):
            if step.cause is StepCause.REVEAL:
                self._change(step, seat, self._evaluator.of(step.after, seat), REVEALS)
            elif step.cause is StepCause.DICE:
                self._add_roll(step, seat)
            elif step.seat == seat:
                self._add_choice(step)
            else:
                self._add_effect(step, seat, RIVALS)
        self.report.is_over = step.after.phase == phases.OVER

    def _change(
        self, step: Step, seat: int, expectation: Expectation, cause: str, *, is_before: bool = False
    ) -> None:
        number = (step.before if is_before else step.after).round_number
        self.report.changes[seat].append(ExpectationChange(cause, step.move, number, expectation))

    def _add_effect(self, step: Step, seat: int, cause: str) -> None:
        """Add the effect of the step itself, then that of the cards that the seat has learned by it."""
        if self._learned(step, seat):
            self._change(step, seat, self._without_learned(step, seat), cause)
            cause = REVEALS
        self._change(step, seat, self._evaluator.of(step.after, seat), cause)

    def _add_roll(self, step: Step, seat: int) -> None:
        """Add the effect of a roll; before a tie-break roll, all cards are known."""
        if step.before.phase != phases.TIE:
            self._add_effect(step, seat, DICE)
            return
        seen = copy_of(step.before)
        unveil(seen, EVERYONE)
        self._change(step, seat, self._evaluator.of(seen, seat), REVEALS)
        self._change(step, seat, self._evaluator.of(step.after, seat), DICE)

    def _add_choice(self, step: Step) -> None:
        """Add a graded decision and its effects; an action out of turn has only effects."""
        if not step.is_turn:
            self._add_effect(step, step.seat, DOUBT)
            return
        seat = step.seat
        found = self._evaluator.compare(step.before, seat, step.codes)
        played, best = found.played_expectation, found.best_expectation
        is_solo = bool(step.before.is_solo)
        lost_coins = best.score - played.score
        lost = max(0.0, lost_coins if is_solo else best.win - played.win)
        bounds = SOLO_BOUNDS if is_solo else BOUNDS
        best_move = Move.from_codes(list(found.best))
        view = view_of(copy_of(step.before), seat)
        self.report.decisions.append(
            GradedDecision(
                move=step.move,
                round=step.before.round_number,
                seat=seat,
                played=Move.from_codes(list(step.codes)),
                best=best_move,
                wins=best.win,
                score=best.score,
                lost=lost,
                lost_coins=lost_coins,
                grade=next((grade for most, grade in bounds if lost < most), Grade.BLUNDER),
                row=tuple("" if slot.card is None else str(slot.card) for slot in view.row),
                facts=facts_about(view, seat, best_move),
            )
        )
        self._change(step, seat, best, DOUBT)
        self._change(step, seat, played, DECISIONS)
        now = self._evaluator.of(step.after, seat)
        self._change(step, seat, now, REVEALS if self._learned(step, seat) else DOUBT)

    def _learned(self, step: Step, seat: int) -> list[int]:
        """The cards whose values the seat has learned by this step."""
        return [
            card
            for card in range(step.before.drawn)
            if knows(step.after, seat, card) and not knows(step.before, seat, card)
        ]

    def _without_learned(self, step: Step, seat: int) -> Expectation:
        """The expectation after the step without the values of cards that the seat has learned by it."""
        after = copy_of(step.after)
        conceal(after, seat)
        for card in self._learned(step, seat):
            hide(after, card)
        return self._evaluator.of(after, seat)
