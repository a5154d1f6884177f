"""The API for playing: games, views, refusals with reasons, sources of chance."""

from typing import Any

from royalcrypt.locales import catalogue, say
from royalcrypt.notation.reasons import HEAD, Detail, Reason, Refusal
from royalcrypt.notation.records import Record

KINDS = ("why", "what", "needed")
"""Details that may be codes with their own text for each reason."""


def _in_words(reason: Reason, details: dict[str, Detail]) -> str:
    words: dict[str, Any] = {**details}
    kinds = ["head"] if details.get("n") == HEAD else [details[name] for name in KINDS if name in details]
    keys = [f"reason.{reason}.{kind}" for kind in kinds]
    return say(next((key for key in keys if key in catalogue()), f"reason.{reason}"), **words)


def _as_sheet(record: Record) -> str:
    from royalcrypt.play.picture import record_sheet  # noqa: PLC0415 (imported only by notebooks)

    return record_sheet(record)


Refusal.wording = staticmethod(_in_words)
Record.sheet = staticmethod(_as_sheet)
