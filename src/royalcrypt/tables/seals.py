"""Seals, which identify a secret shared by several tables, and the rules of daily games.

Tables with the same seal have the same cards and dice, so the secret is published only after all have played.
"""

import hashlib
from datetime import UTC, date, datetime
from typing import Literal, NamedTuple

import msgspec

from royalcrypt.rules.layout import TYPES
from royalcrypt.tables.clocks import timestamp
from royalcrypt.tables.settings import DAY, TableSettings

Kind = Literal["daily", "duplicate"]


class Seal(NamedTuple):
    """Kind and name of a shared secret, written as ``daily:2026-11-17`` or ``duplicate:ID``."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Seal":
        kind, _, name = text.partition(":")
        return cls("daily" if kind == "daily" else "duplicate", name)


def day_at(now: int) -> str:
    """Return the UTC day of a time in ms since 1970, in the form 2026-11-17."""
    return timestamp(now)[:10]


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def begin_of(day: str) -> int:
    """Return the start of a day in ms since 1970."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1000


def end_of(day: str) -> int:
    """Return the end of a day, when its secret is published, in ms since 1970."""
    return begin_of(day) + DAY


def sides_of(day: str) -> str:
    """Return the day's Collector sides: the first bits of its date's SHA-256, order I J M P R T, 1 for B."""
    digest = hashlib.sha256(day.encode("ascii")).digest()
    return "".join("AB"[digest[0] >> (7 - kind) & 1] for kind in range(TYPES))


def sealed(settings: TableSettings, *, collectors: str, leader: int) -> TableSettings:
    """Return settings for a sealed table: private, without spectators, who might play at another table."""
    return msgspec.structs.replace(
        settings, collectors=collectors, leader=leader, is_listed=False, spectators=False
    )
