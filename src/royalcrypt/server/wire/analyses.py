"""An analysed game on the wire: in numbers and codes, which the page puts into words."""

from typing import Any, Literal

import msgspec

from royalcrypt.server.wire.commands import WireAction


class JudgedFact(msgspec.Struct, frozen=True):
    """What speaks for a move: words under ``advice.fact.…``, and what is to be filled in."""

    fact: str
    details: dict[str, Any]


class JudgedDecision(msgspec.Struct, frozen=True):
    """One whole action of a seat, judged by what that seat knew then."""

    move: int
    """As frames count: what it brought about has this number."""
    round: int
    seat: int
    played: WireAction
    best: WireAction
    """Equal if nothing better was found."""
    wins: float
    """The chance to win (alone: of the highest title) with the best action."""
    score: float
    lost: float
    """Of the win (alone: coins) by what was played."""
    lost_coins: float
    grade: Literal["best", "good", "slip", "mistake", "blunder"]
    facts: list[JudgedFact]
    """What speaks for the best action."""


class JudgedMoment(msgspec.Struct, frozen=True):
    """After a move and the chance that it met: what each seat could expect."""

    move: int
    round: int
    wins: list[float]
    scores: list[float]


class ResultSplit(msgspec.Struct, frozen=True):
    """Where a seat's result comes from: all that was added to what was expected makes what became of it."""

    expected: float
    decisions: float
    dice: float
    reveals: float
    rivals: float
    doubt: float
    """By how much the evaluation changed where nothing happened."""
    final: float


class GameAnalysis(msgspec.Struct, frozen=True):
    """A finished game, decision by decision."""

    decisions: list[JudgedDecision]
    moments: list[JudgedMoment]
    """The first one is that after the first Reveal."""
    wins: list[ResultSplit]
    """By seat: shares of the win; alone, of the highest title."""
    coins: list[ResultSplit]
