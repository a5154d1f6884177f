"""Analysis of a recorded game: every decision graded, and the result split into decisions and luck.

>>> from royalcrypt.lab.analysis import analyse
>>> from royalcrypt.notation.records import Record
>>> from pathlib import Path
>>> analysis = analyse(Record.parse(Path("game.json").read_text()))  # doctest: +SKIP

A decision is graded by the seat's knowledge at that time (R11), not by hidden cards. docs/analysis.md
describes the method and its accuracy. The module needs NumPy and Numba.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from itertools import pairwise
from typing import Any

from royalcrypt.bots.wording import fact_in_words, move_on_row
from royalcrypt.lab.attribution import CAUSES, ExpectationChange, GradedDecision, RoundReport, report_round
from royalcrypt.lab.evaluation import EvaluationBudget, Expectation
from royalcrypt.lab.round_rollouts import roll_out_round
from royalcrypt.lab.worker_pools import SerialPool, WorkerPool
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.compilation import is_compiled
from royalcrypt.search.network import predict
from royalcrypt.search.rollouts import compare

ENTRIES = (roll_out_round, predict, list_candidates, compare)
"""The functions that the analysis needs compiled."""


@dataclass(frozen=True, slots=True)
class GradedMoment:
    """Each seat's expectation after a move and the chance outcomes after it, by that seat's knowledge.

    The seats know different cards, so the sum of their win chances may differ from 1.
    """

    move: int
    round: int
    wins: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """The causes of a seat's result: the sum of ``expected`` and all contributions is ``final``."""

    expected: float
    """The expectation before the first card."""
    decisions: float
    """The total loss by the seat's own decisions; never above 0 for the win."""
    dice: float
    reveals: float
    """The effect of cards that were revealed, drawn face-down, seen, flipped by others or shown last."""
    rivals: float
    """The effect of other seats' decisions that differed from the expected ones."""
    doubt: float
    """Changes of the evaluation without any event, which are errors of the evaluation."""
    final: float
    """The result; for an unfinished game, the current expectation."""


@dataclass(frozen=True, slots=True)
class Analysis:
    players: int
    seats: tuple[int, ...]
    """The analysed seats: all seats, or one."""
    names: tuple[str, ...]
    """The names of players by analysed seat, in the order of ``seats``."""
    is_over: bool
    """Whether the record contains the complete game."""
    decisions: tuple[GradedDecision, ...]
    moments: tuple[GradedMoment, ...]
    """The moments of the game; the first one is after the first Reveal, before any move."""
    wins: tuple[Split, ...]
    """Win chances by seat; in solo games, the chance of the best title."""
    coins: tuple[Split, ...]

    def of_seat(self, seat: int) -> "Analysis":
        """The part of the analysis about one seat."""
        return replace(
            self,
            names=self.names[seat : seat + 1],
            seats=(seat,),
            decisions=tuple(decision for decision in self.decisions if decision.seat == seat),
            moments=tuple(
                replace(moment, wins=(moment.wins[seat],), scores=(moment.scores[seat],))
                for moment in self.moments
            ),
            wins=self.wins[seat : seat + 1],
            coins=self.coins[seat : seat + 1],
        )

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """The analysis as plain JSON values. Seats are numbered from 0, as in records."""
        return {
            "players": self.players,
            "seats": list(self.seats),
            "names": list(self.names),
            "is_over": self.is_over,
            "decisions": [_decision_json(decision, language) for decision in self.decisions],
            "moments": [
                asdict(moment) | {"wins": list(moment.wins), "scores": list(moment.scores)}
                for moment in self.moments
            ],
            "wins": [asdict(split) for split in self.wins],
            "coins": [asdict(split) for split in self.coins],
        }


def _decision_json(decision: GradedDecision, language: str) -> dict[str, Any]:
    found = {field.name: getattr(decision, field.name) for field in fields(decision)}
    facts = [
        {"fact": fact.key, **fact.details, "words": fact_in_words(fact, language)} for fact in decision.facts
    ]
    return found | {
        "played": str(decision.played),
        "played_words": move_on_row(decision.row, decision.played, language),
        "best": str(decision.best),
        "best_words": move_on_row(decision.row, decision.best, language),
        "grade": decision.grade.value,
        "row": list(decision.row),
        "facts": facts,
    }


def must_compile() -> bool:
    """Whether the first analysis will wait for the compiler."""
    return not all(map(is_compiled, ENTRIES))


def analyse(
    record: Record,
    *,
    budget: EvaluationBudget = EvaluationBudget(),  # noqa: B008 (immutable)
    pool: WorkerPool | None = None,
    on_round: Callable[[int], None] = lambda _: None,
) -> Analysis:
    """Analyse a record; the result depends on the record and the budget, not on the pool.

    Each round is a task of the pool; ``on_round`` is called with 1 after each. Raises Refusal for records
    that ``replay`` refuses.
    """
    report = partial(report_round, record.to_json(), budget)
    reports: list[RoundReport] = []
    for found in (pool or SerialPool()).map(report, range(1, replay(record).round + 1)):
        reports.append(found)
        on_round(1)
    by_seat = [
        [change for found in reports for change in found.changes[seat]] for seat in range(record.players)
    ]
    return Analysis(
        players=record.players,
        seats=tuple(range(record.players)),
        names=tuple(seat.name for seat in record.seats),
        is_over=reports[-1].is_over,
        decisions=tuple(decision for found in reports for decision in found.decisions),
        moments=_moments(by_seat),
        wins=tuple(_split(changes, lambda expectation: expectation.win) for changes in by_seat),
        coins=tuple(_split(changes, lambda expectation: expectation.score) for changes in by_seat),
    )


def _moments(by_seat: list[list[ExpectationChange]]) -> tuple[GradedMoment, ...]:
    """The moment after each move, from the last change that belongs to the move."""
    last = [{change.move: change for change in changes} for changes in by_seat]
    return tuple(
        GradedMoment(
            move=move,
            round=change.round,
            wins=tuple(found[move].expectation.win for found in last),
            scores=tuple(found[move].expectation.score for found in last),
        )
        for move, change in last[0].items()
    )


def _split(changes: list[ExpectationChange], part: Callable[[Expectation], float]) -> Split:
    sums: dict[str, float] = dict.fromkeys(CAUSES, 0.0)
    for before, after in pairwise(changes):
        sums[after.cause] += part(after.expectation) - part(before.expectation)
    return Split(expected=part(changes[0].expectation), final=part(changes[-1].expectation), **sums)
