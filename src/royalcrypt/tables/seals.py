"""Secrets that several tables share: under which seal, and what follows from a day.

At a sealed table all meet the same cards and dice, so nobody learns the secret before all have played.
"""

import hashlib
from datetime import UTC, date, datetime
from typing import Literal, NamedTuple

import msgspec

from royalcrypt.rules.layout import TYPES
from royalcrypt.tables.settings import DAY, TableSettings
from royalcrypt.tables.times import timestamp

Kind = Literal["daily", "duplicate"]


class Seal(NamedTuple):
    """As text, ``daily:2026-11-17`` or ``duplicate:ID``."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> "Seal":
        kind, _, name = text.partition(":")
        return cls("daily" if kind == "daily" else "duplicate", name)


def day_at(now: int) -> str:
    """The day it is everywhere at once (UTC), as 2026-11-17."""
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
    """The midnight at which its secret is told."""
    return begin_of(day) + DAY


def sides_of(day: str) -> str:
    """The day's Collectors: the first bits of SHA-256 of its date in the order I J M P R T, 1 for side B."""
    digest = hashlib.sha256(day.encode("ascii")).digest()
    return "".join("AB"[digest[0] >> (7 - kind) & 1] for kind in range(TYPES))


def sealed(settings: TableSettings, *, collectors: str, leader: int) -> TableSettings:
    """As all tables under one seal are set up; nobody who plays elsewhere may look."""
    return msgspec.structs.replace(
        settings, collectors=collectors, leader=leader, is_listed=False, spectators=False
    )
