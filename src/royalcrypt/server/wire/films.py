"""Finished games on the wire: as they were, and as they could have gone on."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from royalcrypt.play.playback import Frame
from royalcrypt.play.views import View
from royalcrypt.server.wire.commands import WireAction
from royalcrypt.server.wire.events import EventOnTheWire
from royalcrypt.server.wire.messages import written
from royalcrypt.tables.settings import BotName, SeatNumber

MOST_EVENTS = 500
"""The longest games have some 120. A tie could be broken for ever (R7.3), and each event costs a view."""
MOST_MOVES = 200
"""Of a line; the longest games have some 100."""
LONGEST_MOVE = 100
LARGEST_SEED = 2**53 - 1
"""That a browser can count up to."""


class RecordedFrame(msgspec.Struct, frozen=True):
    """What happened in one breath, and the table after it."""

    move: int
    """The first Reveal is 0, what the first move brings about is 1."""
    events: list[EventOnTheWire]
    view: View


def written_frame(frame: Frame) -> RecordedFrame:
    return RecordedFrame(frame.move, written(frame.events), written(frame.view))


class LineMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move of a line, as the notation writes it."""

    seat: SeatNumber
    move: Annotated[str, Meta(max_length=LONGEST_MOVE)]


class LineSoFar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line from the moment after ``move``, in which the asker plays ``seat``, and what they do next."""

    move: Annotated[int, Meta(ge=0, le=MOST_EVENTS)]
    seat: SeatNumber
    level: BotName
    """Of the bots at all other seats."""
    chance: Literal["same", "new"] = "same"
    """Whether cards and dice beyond the moment are those of the game, as far as they are known."""
    seed: Annotated[int, Meta(ge=0, le=LARGEST_SEED)] = 0
    """Of all that chance brings besides."""
    line: Annotated[tuple[LineMove, ...], Meta(max_length=MOST_MOVES)] = ()
    """All moves since the moment, everybody's."""
    actions: Annotated[tuple[WireAction, ...], Meta(max_length=4)] = ()
    """The next move; without it, only bots move."""
    since: Annotated[int, Meta(ge=0, le=10 * MOST_EVENTS)] = 0
    """How many events the asker has already."""


class LinePlayed(msgspec.Struct, frozen=True):
    """A line up to the next decision of whoever plays it, or to the end of the game."""

    line: list[LineMove]
    frames: list[RecordedFrame]
    """What their seat was told, and how the table stood: of events from ``since`` on."""
    view: View
    """How the table stands now; an offer that was declined is no event."""
    result: dict[str, Any] | None
