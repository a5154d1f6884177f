"""A recorded game looked back on: every decision judged, and the result split into decisions and luck.

>>> from royalcrypt.lab.analysis import analyse
>>> from royalcrypt.notation.records import Record
>>> from pathlib import Path
>>> analysis = analyse(Record.parse(Path("game.json").read_text()))  # doctest: +SKIP

A decision is judged by what its seat knew then (R11), never by cards that it could not know. How, and how far
that can be trusted, says docs/analysis.md. Needs NumPy and Numba.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

from royalcrypt.bots.facts import Fact
from royalcrypt.bots.wording import fact_in_words
from royalcrypt.lab.crew import Alone, Crew
from royalcrypt.lab.ledger import Account, Piece, Verdict, keep_account
from royalcrypt.lab.reckoning import Effort, Hope
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record


class Grade(StrEnum):
    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


BOUNDS = ((0.005, Grade.BEST), (0.02, Grade.GOOD), (0.05, Grade.SLIP), (0.1, Grade.MISTAKE))
"""Up to which loss of the win a decision has this grade; beyond the last it is a blunder."""
BOUNDS_ALONE = ((0.1, Grade.BEST), (0.5, Grade.GOOD), (1.25, Grade.SLIP), (2.5, Grade.MISTAKE))
"""The same alone, in coins."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One whole action of a seat, when it was that seat's decision."""

    move: int
    """As ``play.film`` counts: the first is 1. A move of several actions is judged action by action."""
    round: int
    seat: int
    played: Move
    best: Move
    """Equal if nothing better was found."""
    wins: float
    """The chance to win (alone: to be The Magnificent) that the seat had with the best action."""
    score: float
    lost: float
    """Of the win (alone: coins) by what was played; 0 if it was the best."""
    lost_coins: float
    """Below 0 where coins were gained at the cost of the win."""
    grade: Grade
    facts: tuple[Fact, ...]
    """What speaks for the best action."""


@dataclass(frozen=True, slots=True)
class Moment:
    """After a move and the chance that it met: what each seat may expect, by what that seat knows.

    As they know different cards, their chances need not add up to one.
    """

    move: int
    round: int
    wins: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Where a seat's result comes from: ``expected`` and all that was added on the way make ``final``."""

    expected: float
    """Before the first card."""
    decisions: float
    """What its own decisions cost: never above 0 for the win."""
    dice: float
    reveals: float
    """Cards turned up, drawn face-down, seen, flipped by others, and unveiled at the end."""
    rivals: float
    """What others did better or worse than they were expected to."""
    doubt: float
    """By how much the evaluation changed where nothing happened: its own error, as far as it shows."""
    final: float
    """How it ended; of an unfinished game, what may be expected now."""


@dataclass(frozen=True, slots=True)
class Analysis:
    players: int
    names: tuple[str, ...]
    is_over: bool
    """Whether the record tells the game to its end."""
    decisions: tuple[Decision, ...]
    moments: tuple[Moment, ...]
    """The first one is that after the first Reveal, before any move."""
    wins: tuple[Split, ...]
    """By seat: shares of the win; alone the chance to be The Magnificent."""
    coins: tuple[Split, ...]

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """Plain JSON. Seats count from 0, as in records."""
        return {
            "players": self.players,
            "names": list(self.names),
            "over": self.is_over,
            "decisions": [_decision_json(decision, language) for decision in self.decisions],
            "moments": [asdict(moment) for moment in self.moments],
            "wins": [asdict(split) for split in self.wins],
            "coins": [asdict(split) for split in self.coins],
        }


def _decision_json(decision: Decision, language: str) -> dict[str, Any]:
    found = {field.name: getattr(decision, field.name) for field in fields(decision)}
    facts = [
        {"fact": fact.key, **fact.details, "words": fact_in_words(fact, language)} for fact in decision.facts
    ]
    return found | {
        "played": str(decision.played),
        "best": str(decision.best),
        "grade": decision.grade.value,
        "facts": facts,
    }


def analyse(
    record: Record,
    *,
    effort: Effort = Effort(),  # noqa: B008 (nobody can change it)
    crew: Crew | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> Analysis:
    """The same for the same record and effort, whoever does the work.

    Each seat's account is a piece of work; ``tell`` hears of each that is done. Records that ``replay``
    refuses are refused.
    """
    pieces = [Piece(record.to_json(), seat, effort) for seat in range(record.players)]
    accounts: list[Account] = []
    for account in (crew or Alone()).do(keep_account, pieces):
        accounts.append(account)
        tell(1)
    return _put_together(record, accounts)


def _put_together(record: Record, accounts: list[Account]) -> Analysis:
    is_solo = record.players == 1
    verdicts = sorted(
        (verdict for account in accounts for verdict in account.verdicts), key=lambda verdict: verdict.step
    )
    return Analysis(
        players=record.players,
        names=tuple(seat.name for seat in record.seats),
        is_over=accounts[0].is_over,
        decisions=tuple(_decision(verdict, is_solo=is_solo) for verdict in verdicts),
        moments=_moments(accounts),
        wins=tuple(_split(account, lambda hope: hope.win) for account in accounts),
        coins=tuple(_split(account, lambda hope: hope.score) for account in accounts),
    )


def _decision(verdict: Verdict, *, is_solo: bool) -> Decision:
    lost_coins = verdict.best_hope.score - verdict.hope.score
    lost = max(0.0, lost_coins if is_solo else verdict.best_hope.win - verdict.hope.win)
    bounds = BOUNDS_ALONE if is_solo else BOUNDS
    return Decision(
        move=verdict.move,
        round=verdict.round,
        seat=verdict.seat,
        played=verdict.played,
        best=verdict.best,
        wins=verdict.best_hope.win,
        score=verdict.best_hope.score,
        lost=lost,
        lost_coins=lost_coins,
        grade=next((grade for most, grade in bounds if lost < most), Grade.BLUNDER),
        facts=verdict.facts,
    )


def _moments(accounts: list[Account]) -> tuple[Moment, ...]:
    return tuple(
        Moment(
            move=move,
            round=round_number,
            wins=tuple(account.curve[move].win for account in accounts),
            scores=tuple(account.curve[move].score for account in accounts),
        )
        for move, round_number in enumerate(accounts[0].rounds)
    )


def _split(account: Account, part: Callable[[Hope], float]) -> Split:
    """What is left after rounding is doubt as well, so that the sum is exact."""
    sums = {
        name: sum(part(after) - part(before) for before, after in changes)
        for name, changes in account.changes.items()
    }
    expected, final = part(account.expected), part(account.final)
    return Split(expected=expected, final=final, **sums)
