"""Reasons of refusals: codes with parameters. ``royalcrypt.locales`` contains their texts."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any, ClassVar

Reason = StrEnum(
    "Reason",
    [
        # Text that could not be read.
        "NOT_A_MOVE", "NOT_A_POSITION", "NOT_A_RECORD", "WRONG_VERSION", "WRONG_RULES",
        # Set-up.
        "WRONG_PLAYERS", "WRONG_COLLECTORS", "WRONG_LEADER", "WRONG_SEED", "GHOST_LEADS", "WRONG_SEAT",
        "NO_SUCH_BOT", "BROKEN_BOT", "NO_SUCH_STUDY", "NOT_A_TRAINING", "OTHER_PLAN", "NOT_A_TOURNAMENT",
        "TOO_FEW_BOTS", "BOT_TWICE",
        # The command line.
        "WRONG_NUMBER", "NUMBER_OUT_OF_RANGE", "WRONG_CHOICE", "OPTION_WITHOUT", "WRONG_BOTS", "NOT_ALONE",
        "NO_SUCH_CARRIER", "NO_COMPILER", "NO_PLOTS", "NO_DATA_FRAMES", "NOT_A_DATASET", "NOT_A_PICTURE",
        "CANNOT_WRITE", "CANNOT_READ",
        # Work on a cluster.
        "NO_RAY", "NOT_A_CLUSTER", "NO_CLUSTER", "NO_CLUSTER_TOKEN", "CLUSTER_FAILED", "OTHER_SOURCES",
        "RAY_OR_JOBS",
        # Settings and keys of a server.
        "UNKNOWN_SETTING", "WRONG_SETTING", "MISSING_SETTING", "NO_CHANNEL", "MISPLACED_SETTING",
        "NOT_TOML", "NO_REDIS", "BROKEN_KEY",
        # Starting a server.
        "PORT_TAKEN", "PORTS_TAKEN", "CANNOT_LISTEN", "ALREADY_SERVED", "MIXED_OPTIONS",
        # A program on somebody's server.
        "NO_TOKEN", "NOT_A_SERVER", "NO_ANSWER", "SERVER_REFUSED", "NO_FREE_SEAT",
        # When.
        "GAME_OVER", "NOT_YOUR_TURN", "NOT_NOW", "TURN_HAS_ENDED", "NOTHING_TO_UNDO",
        # Live tables.
        "NO_SUCH_TABLE", "NO_SPECTATORS", "NO_SUCH_DAY", "NO_SUCH_DUPLICATE", "SITS_ELSEWHERE", "BOTS_ONLY",
        "SEAT_TAKEN", "SEAT_KEPT", "PROGRAM_SEATED", "SEATS_EMPTY", "NOT_YOUR_SEAT", "NOT_SEATED",
        "NOT_OWNER", "NOT_STARTED", "ALREADY_STARTED", "TABLE_CLOSED", "SEAT_WITH_BOT", "ALREADY_AWAY",
        "NOT_AWAY", "BOT_DECIDES", "STILL_THERE", "STALE", "PLY_AHEAD", "ALREADY_DONE", "WRONG_NAME",
        "WRONG_CHAT", "WRONG_MEMO", "MEMO_CHANGED", "WRONG_ORDER", "ORDERS_AT_TURN", "OTHER_ROUND",
        "TURNS_OVER", "NEVER_SO", "MUTED",
        # The server.
        "NOT_A_MESSAGE", "MESSAGE_TOO_LONG", "NOT_SIGNED_IN", "ALREADY_SIGNED_IN", "BANNED", "INVITE_ONLY",
        "WRONG_CODE", "WRONG_PHRASE", "OTHER_NAME", "WRONG_TOKEN", "NO_SUCH_PROGRAM", "NOT_FOR_PROGRAMS",
        "NO_MAIL", "WRONG_ADDRESS", "MAIL_FAILED", "TOO_FAST", "TOO_MANY", "FOREIGN_ORIGIN", "NOT_HOST",
        "NO_SUCH_PERSON", "NO_RECORD", "NOT_OVER", "NO_ANALYSIS", "ANALYSIS_UNREADY", "ANALYSIS_UNDER_WAY",
        "ANALYSIS_FAILED", "NO_SUCH_PAGE", "SERVER_FAILED", "NOT_WATCHING", "WRONG_PROTOCOL",
        # Claims.
        "NO_SUCH_CARD", "CARD_GONE", "CARD_TWICE", "WRONG_EFFORT", "WRONG_DICE", "NO_READY_DICE",
        "TOO_FEW_DICE", "OWN_CARD", "EFFORT_TOO_LOW", "CANNOT_PUSH_OUT", "ONE_CARD_ONLY",
        # Collectors.
        "WRONG_SIDE", "TOO_FEW_TO_FLIP", "CHOOSE_FLIPS", "CANNOT_FLIP", "ALREADY_PEEKED",
        "NOTHING_FACE_DOWN", "NOT_FACE_DOWN", "NOBODY_EXHAUSTED", "NO_FAILED_DIE",
        # Records.
        "VIEWERS_RECORD", "HIDDEN_VALUE", "NO_HISTORY", "IMPOSSIBLE_CHANCE", "BROKEN_RULE", "BROKEN_EVENT",
        "MISSING_EVENT", "SUPERFLUOUS_EVENT", "WRONG_RESULT",
        # Storage.
        "STORAGE_BUSY", "STORAGE_CLOSED", "STORAGE_FAILED", "STORAGE_SILENT", "DISK_FULL", "DATABASE_BUSY",
        "DATABASE_IN_USE", "DATABASE_UNREACHABLE", "CLUSTER_NOT_INSTALLED", "ONLY_WITH_A_FILE",
        "DATABASE_NEWER", "DATABASE_DAMAGED", "NOT_A_DATABASE", "MIGRATION_FAILED", "FILE_EXISTS",
        "DATABASE_MISSING", "UNFINISHED_RESTORE", "RESTORE_BACKUP", "NOTHING_TO_RESTORE",
        # A database that is moved to another place.
        "UNFINISHED_MOVE", "OTHER_MOVE", "NOT_EMPTY", "NOT_TAKEN", "MOVED_WRONGLY", "NOT_A_BACKUP",
    ],
)  # fmt: skip
"""The reason of a refusal; the value of each member is its name in lower case."""

Detail = str | int
HEAD = -1
"""The event number that stands for the part of a record before its events."""


def seat_number(seat: int | None) -> Detail:
    """A seat's number as shown to people, from 1; a dash for no seat."""
    return "–" if seat is None else seat + 1


def _code(reason: Reason, details: dict[str, Detail]) -> str:
    return f"{reason}({', '.join(f'{name}={value}' for name, value in details.items())})"


class Refusal(ValueError):  # noqa: N818 (bad input is no error of ours)
    """Invalid input: the reason, with parameters that describe what would be valid."""

    wording: ClassVar[Callable[[Reason, dict[str, Detail]], str]] = staticmethod(_code)
    """Converts a reason to text; ``royalcrypt.play`` replaces it with a function that uses the catalogue."""

    def __init__(self, reason: Reason, **details: Detail) -> None:
        super().__init__(reason, details)
        self.reason = reason
        self.details = details

    def __str__(self) -> str:
        return Refusal.wording(self.reason, self.details)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **self.details), (self.reason,)
