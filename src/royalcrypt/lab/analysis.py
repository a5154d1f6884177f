"""A recorded game looked back on: every decision judged, and the result split into decisions and luck.

>>> from royalcrypt.lab.analysis import analyse
>>> from royalcrypt.notation.records import Record
>>> from pathlib import Path
>>> analysis = analyse(Record.parse(Path("game.json").read_text()))  # doctest: +SKIP

A decision is judged by what its seat knew then (R11), never by cards that it could not know. How, and how far
that can be trusted, says docs/analysis.md. Needs NumPy and Numba.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from itertools import pairwise
from typing import Any

from royalcrypt.bots.facts import Fact
from royalcrypt.bots.wording import fact_in_words, move_on_row
from royalcrypt.lab.crew import Alone, Crew
from royalcrypt.lab.futures import go_on
from royalcrypt.lab.ledger import CAUSES, Change, Piece, RoundAccount, Verdict, keep_account
from royalcrypt.lab.reckoning import Effort, Hope
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay
from royalcrypt.search.candidates import list_candidates
from royalcrypt.search.compilation import is_compiled
from royalcrypt.search.network import predict
from royalcrypt.search.rollouts import compare


class Grade(StrEnum):
    BEST = "best"
    GOOD = "good"
    SLIP = "slip"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


ENTRIES = (go_on, predict, list_candidates, compare)
"""The functions whose compiled twins it uses."""
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
    row: tuple[str, ...]
    """The cards of the Crypt as the seat knew them; nothing where one is gone."""
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
    seats: tuple[int, ...]
    """Those it is about: all, or one of them."""
    names: tuple[str, ...]
    """By these seats, as all that follows."""
    is_over: bool
    """Whether the record tells the game to its end."""
    decisions: tuple[Decision, ...]
    moments: tuple[Moment, ...]
    """The first one is that after the first Reveal, before any move."""
    wins: tuple[Split, ...]
    """By seat: shares of the win; alone the chance to be The Magnificent."""
    coins: tuple[Split, ...]

    def of_seat(self, seat: int) -> "Analysis":
        """With this seat's decisions alone, and its own curve and splits."""
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
        """Plain JSON. Seats count from 0, as in records."""
        return {
            "players": self.players,
            "seats": list(self.seats),
            "names": list(self.names),
            "is_over": self.is_over,
            "decisions": [_decision_json(decision, language) for decision in self.decisions],
            "moments": [_moment_json(moment) for moment in self.moments],
            "wins": [asdict(split) for split in self.wins],
            "coins": [asdict(split) for split in self.coins],
        }


def _moment_json(moment: Moment) -> dict[str, Any]:
    return asdict(moment) | {"wins": list(moment.wins), "scores": list(moment.scores)}


def _decision_json(decision: Decision, language: str) -> dict[str, Any]:
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
    """Whether the first analysis on this machine will take a while longer."""
    return not all(is_compiled(entry) for entry in ENTRIES)


def analyse(
    record: Record,
    *,
    effort: Effort = Effort(),  # noqa: B008 (nobody can change it)
    crew: Crew | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> Analysis:
    """The same for the same record and effort, whoever does the work.

    Each round is a piece of work; ``tell`` hears of each that is done. Records that ``replay`` refuses are
    refused.
    """
    rounds = replay(record).round
    text = record.to_json()
    pieces = [Piece(text, number, effort) for number in range(1, rounds + 1)]
    accounts: list[RoundAccount] = []
    for account in (crew or Alone()).do(keep_account, pieces):
        accounts.append(account)
        tell(1)
    return _put_together(record, accounts)


def _put_together(record: Record, accounts: list[RoundAccount]) -> Analysis:
    is_solo = record.players == 1
    verdicts = [verdict for account in accounts for verdict in account.verdicts]
    by_seat = [
        [change for account in accounts for change in account.changes[seat]] for seat in range(record.players)
    ]
    return Analysis(
        players=record.players,
        seats=tuple(range(record.players)),
        names=tuple(seat.name for seat in record.seats),
        is_over=accounts[-1].is_over,
        decisions=tuple(_decision(verdict, is_solo=is_solo) for verdict in verdicts),
        moments=_moments(by_seat),
        wins=tuple(_split(changes, lambda hope: hope.win) for changes in by_seat),
        coins=tuple(_split(changes, lambda hope: hope.score) for changes in by_seat),
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
        row=verdict.row,
        facts=verdict.facts,
    )


def _moments(by_seat: list[list[Change]]) -> tuple[Moment, ...]:
    """The last change that each move brought about."""
    last = [{change.move: change for change in changes} for changes in by_seat]
    return tuple(
        Moment(
            move=move,
            round=change.round,
            wins=tuple(found[move].hope.win for found in last),
            scores=tuple(found[move].hope.score for found in last),
        )
        for move, change in last[0].items()
    )


def _split(changes: list[Change], part: Callable[[Hope], float]) -> Split:
    sums: dict[str, float] = dict.fromkeys(CAUSES, 0.0)
    for before, after in pairwise(changes):
        sums[after.cause] += part(after.hope) - part(before.hope)
    return Split(expected=part(changes[0].hope), final=part(changes[-1].hope), **sums)
