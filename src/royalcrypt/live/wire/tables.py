"""Wire types of requests about tables, and of their answers."""

from typing import Annotated

import msgspec
from msgspec import Meta

from royalcrypt.live.wire.messages import EventOnTheWire, You
from royalcrypt.tables.listings import TableInfo
from royalcrypt.tables.settings import BotName, SeatNumber, TableSettings

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Entropy = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}$(?!\n)")]
"""Random text from the player's browser, in characters that RECORD.md's messages need not escape."""


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    settings: TableSettings = TableSettings()
    sit: Annotated[tuple[SeatNumber, ...], Meta(max_length=4)] = ()
    """Seats to take immediately; several if people share a screen."""
    names: Annotated[tuple[Name | None, ...], Meta(max_length=4)] = ()
    """Names in the order of ``sit``; None means the caller."""
    entropy: Entropy = ""
    start: bool = False


class Sitting(msgspec.Struct, forbid_unknown_fields=True):
    entropy: Entropy = ""
    name: Name | None = None
    """Name of another person who shares the caller's screen; None for the caller."""


class Entering(msgspec.Struct, forbid_unknown_fields=True):
    entropy: Entropy = ""


class BotSitting(msgspec.Struct, forbid_unknown_fields=True):
    level: BotName


class TableAnswer(msgspec.Struct):
    info: TableInfo
    you: You
    ply: int


class Recap(msgspec.Struct):
    """What happened while a bot played for the caller."""

    table: TableAnswer
    events: list[EventOnTheWire]
