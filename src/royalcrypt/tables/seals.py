"""Seals: a seal names the secret that several tables share. Here are also the rules of daily games.

Tables under one seal have the same cards and dice, so the secret is published only after all have played.
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
    """Written as ``daily:2026-11-17`` or ``duplicate:ID``."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Seal":
        kind, _, name = text.partition(":")
        return cls("daily" if kind == "daily" else "duplicate", name)


def day_at(now: int) -> str:
    """The day in UTC, as 2026-11-17."""
    return timestamp(now)[:10]


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def begin_of(day: str) -> int:
    """Its midnight, in milliseconds since 1970."""
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1000


def end_of(day: str) -> int:
    """The midnight at which its secret is published."""
    return begin_of(day) + DAY


def sides_of(day: str) -> str:
    """The day's Collectors: the first bits of SHA-256 of its date in the order I J M P R T, 1 for side B."""
    digest = hashlib.sha256(day.encode("ascii")).digest()
    return "".join("AB"[digest[0] >> (7 - kind) & 1] for kind in range(TYPES))


def sealed(settings: TableSettings, *, collectors: str, leader: int) -> TableSettings:
    """Settings for a table under a seal: private and without spectators, who might play at another table."""
    return msgspec.structs.replace(
        settings, collectors=collectors, leader=leader, is_listed=False, spectators=False
    )
