"""Settings of a new table, and their validation."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from royalcrypt.bots.registry import known_names
from royalcrypt.notation.reasons import Reason, Refusal

SECOND = 1000
DAY = 24 * 60 * 60 * SECOND

Players = Annotated[int, Meta(ge=1, le=4)]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
BotName = Annotated[str, Meta(min_length=1, max_length=40)]


class LiveClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="live"):
    """A live clock: ``move`` seconds per decision; extra time is taken from the seat's bank."""

    move: Annotated[int, Meta(ge=5, le=3600)] = 45
    bank: Annotated[int, Meta(ge=0, le=7200)] = 180


class DaysClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="days"):
    """A correspondence clock: a number of days per decision."""

    days: Annotated[int, Meta(ge=1, le=14)] = 2


ClockChoice = LiveClock | DaysClock | None


class BotChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat that gets a bot when the table is opened."""

    seat: SeatNumber
    level: BotName


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a table, chosen by its owner."""

    players: Players = 2
    collectors: Annotated[str, Meta(pattern=r"^[AB?]{6}$(?!\n)")] = "AAAAAA"
    """Side of each Collector in the order I J M P R T; ``?`` is drawn at random at the start."""
    leader: SeatNumber | Literal["random"] = "random"
    bots: Annotated[tuple[BotChoice, ...], Meta(max_length=4)] = ()
    clock: ClockChoice = None
    is_listed: bool = False
    spectators: bool = True
    remembers: bool = True
    """Whether views show facts that everyone has seen once; otherwise players must remember them."""


def check_settings(settings: TableSettings) -> None:
    """Raise Refusal for seats and bots that do not exist, which types cannot check."""
    if isinstance(settings.leader, int) and settings.leader >= settings.players:
        raise Refusal(Reason.WRONG_LEADER, leader=settings.leader, players=settings.players)
    taken: set[int] = set()
    for bot in settings.bots:
        if bot.seat >= settings.players or bot.seat in taken:
            raise Refusal(Reason.WRONG_SEAT, seat=bot.seat + 1, seats=settings.players)
        taken.add(bot.seat)
        check_bot(bot.level)
    if len(taken) == settings.players:
        raise Refusal(Reason.BOTS_ONLY)


def check_bot(level: str) -> None:
    """Raise Refusal for unknown bots; a worker or a simpler bot plays for a known but unavailable one."""
    if level not in known_names():
        raise Refusal(Reason.NO_SUCH_BOT, name=level, names=", ".join(known_names()))
