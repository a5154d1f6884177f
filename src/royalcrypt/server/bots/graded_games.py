"""Conversion of analyses into wire structs; imported by worker processes only (needs NumPy and Numba)."""

from typing import Any

import msgspec

from royalcrypt.lab.analysis import GradedDecision, GradedMoment, Split, analyse
from royalcrypt.lab.evaluation import EvaluationBudget
from royalcrypt.live.wire.commands import WireAction
from royalcrypt.live.wire.finished_games import (
    GameAnalysis,
    JudgedDecision,
    JudgedFact,
    JudgedMoment,
    ResultSplit,
)
from royalcrypt.notation.records import Record

REQUEST_BUDGET = EvaluationBudget(candidates=8, rows=12)
"""Search budget per decision: small because people wait; a larger one changes few grades."""
DIGITS = 4


def analysis_json(record: Record) -> bytes:
    found = analyse(record, budget=REQUEST_BUDGET)
    return msgspec.json.encode(
        GameAnalysis(
            decisions=[_decision(decision) for decision in found.decisions],
            moments=[_moment(moment) for moment in found.moments],
            wins=[_split(split) for split in found.wins],
            coins=[_split(split) for split in found.coins],
        )
    )


def _decision(decision: GradedDecision) -> JudgedDecision:
    return JudgedDecision(
        move=decision.move,
        round=decision.round,
        seat=decision.seat,
        played=WireAction.of(decision.played.actions[0]),
        best=WireAction.of(decision.best.actions[0]),
        wins=_short(decision.wins),
        score=_short(decision.score),
        lost=_short(decision.lost),
        lost_coins=_short(decision.lost_coins),
        grade=decision.grade.value,
        facts=[JudgedFact(fact.key, _rounded(fact.details)) for fact in decision.facts],
    )


def _moment(moment: GradedMoment) -> JudgedMoment:
    return JudgedMoment(
        moment.move, moment.round, list(map(_short, moment.wins)), list(map(_short, moment.scores))
    )


def _split(split: Split) -> ResultSplit:
    names = ResultSplit.__struct_fields__
    return ResultSplit(**{name: _short(getattr(split, name)) for name in names})


def _rounded(details: dict[str, Any]) -> dict[str, Any]:
    return {name: _short(value) if isinstance(value, float) else value for name, value in details.items()}


def _short(number: float) -> float:
    return round(number, DIGITS)
