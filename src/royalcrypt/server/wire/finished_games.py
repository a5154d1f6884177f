"""Finished games: replays, what-if lines and analyses."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from royalcrypt.play.playback import Frame
from royalcrypt.play.views import View
from royalcrypt.server.wire.commands import WireAction
from royalcrypt.server.wire.messages import EventOnTheWire, raw_json
from royalcrypt.tables.settings import BotName, SeatNumber

MAX_EVENTS = 500
"""The longest games have about 120. Tie-breaks are unbounded (R7.3), and each event costs a view."""
MAX_MOVES = 200
"""In a line; the longest games have about 100."""
MAX_MOVE_LENGTH = 100
MAX_SEED = 2**53 - 1
"""The largest integer that browsers represent exactly."""


class RecordedFrame(msgspec.Struct, frozen=True):
    """Events that are shown together, and the table after them."""

    move: int
    """The first Reveal is 0, the result of the first move is 1."""
    events: list[EventOnTheWire]
    view: View


def recorded_frame(frame: Frame) -> RecordedFrame:
    return RecordedFrame(frame.move, raw_json(frame.events), raw_json(frame.view))


class LineMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a line, in the notation."""

    seat: SeatNumber
    move: Annotated[str, Meta(max_length=MAX_MOVE_LENGTH)]


class LineSoFar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line from the moment after ``move``, in which the person plays ``seat``, and their next move."""

    move: Annotated[int, Meta(ge=0, le=MAX_EVENTS)]
    seat: SeatNumber
    level: BotName
    """The bot at all other seats."""
    chance: Literal["same", "new"] = "same"
    """Whether later cards and dice are those of the game, as far as these are known."""
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0
    """For all other chance outcomes."""
    line: Annotated[tuple[LineMove, ...], Meta(max_length=MAX_MOVES)] = ()
    """All moves of all seats since the moment."""
    actions: Annotated[tuple[WireAction, ...], Meta(max_length=4)] = ()
    """The next move; without it, only bots move."""
    since: Annotated[int, Meta(ge=0, le=10 * MAX_EVENTS)] = 0
    """Number of events that the client has already."""


class LinePlayed(msgspec.Struct, frozen=True):
    """A line up to the person's next decision, or to the end of the game."""

    line: list[LineMove]
    frames: list[RecordedFrame]
    """Events from ``since`` on with the table after them, as the person's seat sees them."""
    view: View
    """The table now; it may differ from the last frame, because a declined offer is no event."""
    result: dict[str, Any] | None


class JudgedFact(msgspec.Struct, frozen=True):
    """An advantage of a move: the key of a text under ``advice.fact.…``, and its parameters."""

    fact: str
    details: dict[str, Any]


class JudgedDecision(msgspec.Struct, frozen=True):
    """One action of a seat, evaluated with what that seat knew then."""

    move: int
    """The number of the frame with its result."""
    round: int
    seat: int
    played: WireAction
    best: WireAction
    """Equal if nothing better was found."""
    wins: float
    """The chance to win (alone: of the highest title) with the best action."""
    score: float
    lost: float
    """Loss of winning chance (solo: of coins) by the played action."""
    lost_coins: float
    grade: Literal["best", "good", "slip", "mistake", "blunder"]
    facts: list[JudgedFact]
    """Advantages of the best action."""


class JudgedMoment(msgspec.Struct, frozen=True):
    """The expected results of all seats after a move and its chance outcomes."""

    move: int
    round: int
    wins: list[float]
    scores: list[float]


class ResultSplit(msgspec.Struct, frozen=True):
    """The sources of a seat's result: ``final`` is ``expected`` plus all others."""

    expected: float
    decisions: float
    dice: float
    reveals: float
    rivals: float
    doubt: float
    """Changes of the evaluation without an event."""
    final: float


class GameAnalysis(msgspec.Struct, frozen=True):
    """A finished game, decision by decision."""

    decisions: list[JudgedDecision]
    moments: list[JudgedMoment]
    """The first one is that after the first Reveal."""
    wins: list[ResultSplit]
    """By seat: chances to win; solo, to reach the highest title."""
    coins: list[ResultSplit]
