"""Wire types for finished games: replays, what-if lines and analyses."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from royalcrypt.live.wire.commands import WireAction
from royalcrypt.live.wire.messages import EventOnTheWire, raw_json
from royalcrypt.play.playback import Frame
from royalcrypt.play.views import View
from royalcrypt.tables.settings import BotName, SeatNumber

MAX_EVENTS = 500
"""Maximum events per record; long games have 120, but tie-breaks are unbounded (R7.3) and events costly."""
MAX_MOVES = 200
"""Maximum moves in a what-if line; the longest games have about 100."""
MAX_MOVE_LENGTH = 100
MAX_SEED = 2**53 - 1
"""Largest integer that JavaScript represents exactly."""


class RecordedFrame(msgspec.Struct, frozen=True):
    """Events that are shown together, and the view after them."""

    move: int
    """Index of the frame: 0 is the first Reveal, 1 the result of the first move."""
    events: list[EventOnTheWire]
    view: View


def recorded_frame(frame: Frame) -> RecordedFrame:
    return RecordedFrame(frame.move, raw_json(frame.events), raw_json(frame.view))


class RecordedSeat(msgspec.Struct, frozen=True):
    name: str
    kind: str
    """Kind of player: ``human``, or ``bot:`` followed by the bot's name."""


class Replay(msgspec.Struct, frozen=True):
    """A finished game, frame by frame, as one viewer knew it or with all cards open."""

    viewer: int | Literal["all", "spectator"]
    players: int
    collectors: str
    seats: list[RecordedSeat]
    frames: list[RecordedFrame]
    result: dict[str, Any] | None
    created: str | None
    invite: str | None
    """Last part of a private table's link, for people who may share it."""


class LineMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One move of a what-if line, in move notation."""

    seat: SeatNumber
    move: Annotated[str, Meta(max_length=MAX_MOVE_LENGTH)]


class LineSoFar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A what-if line that starts after ``move``, with the next move of the person, who plays ``seat``."""

    move: Annotated[int, Meta(ge=0, le=MAX_EVENTS)]
    seat: SeatNumber
    level: BotName
    """Name of the bot that plays all other seats."""
    chance: Literal["same", "new"] = "same"
    """Whether later cards and dice are the same as in the game (as far as known) or new."""
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] = 0
    """Random seed for chance outcomes that are not taken from the game."""
    line: Annotated[tuple[LineMove, ...], Meta(max_length=MAX_MOVES)] = ()
    """All seats' moves since the start of the line."""
    actions: Annotated[tuple[WireAction, ...], Meta(max_length=4)] = ()
    """Actions of the person's next move; if empty, only bots move."""
    since: Annotated[int, Meta(ge=0, le=10 * MAX_EVENTS)] = 0
    """Number of events that the client already has."""


class LineOfRecord(LineSoFar, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A *What if?* line that starts at one moment of an uploaded record."""

    record: dict[str, Any]


class LinePlayed(msgspec.Struct, frozen=True):
    """A what-if line up to the person's next decision or the end of the game."""

    line: list[LineMove]
    frames: list[RecordedFrame]
    """Events from ``since`` on, with the views after them, as the person's seat sees them."""
    view: View
    """Current view; it may differ from the last frame's, because a declined offer is no event."""
    result: dict[str, Any] | None


class JudgedFact(msgspec.Struct, frozen=True):
    """An advantage of a move: key of a text under ``advice.fact.…``, with its parameters."""

    fact: str
    details: dict[str, Any]


class JudgedDecision(msgspec.Struct, frozen=True):
    """One action of a seat, evaluated with the knowledge that the seat had at that time."""

    move: int
    """Index of the frame with its result."""
    round: int
    seat: int
    played: WireAction
    best: WireAction
    """Best action found; equals the played action if none was better."""
    wins: float
    """Chance to win (solo: to reach the highest title) with the best action."""
    score: float
    lost: float
    """Winning chance (solo: coins) lost by the played action."""
    lost_coins: float
    grade: Literal["best", "good", "slip", "mistake", "blunder"]
    facts: list[JudgedFact]
    """Advantages of the best action."""


class JudgedMoment(msgspec.Struct, frozen=True):
    """Expected results of all seats after a move and its chance outcomes."""

    move: int
    round: int
    wins: list[float]
    scores: list[float]


class ResultSplit(msgspec.Struct, frozen=True):
    """A seat's result split by source: ``final`` is the sum of all other fields."""

    expected: float
    decisions: float
    dice: float
    reveals: float
    rivals: float
    doubt: float
    """Changes of the evaluation that no event explains."""
    final: float


class GameAnalysis(msgspec.Struct, frozen=True):
    """Analysis of a finished game, decision by decision."""

    decisions: list[JudgedDecision]
    moments: list[JudgedMoment]
    """Evaluations over time; the first is after the first Reveal."""
    wins: list[ResultSplit]
    """Split of each seat's chance to win (solo: to reach the highest title)."""
    coins: list[ResultSplit]
