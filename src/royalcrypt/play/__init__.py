"""The friendly floor: games, views, errors with reasons, and where chance comes from."""

from typing import Any

from royalcrypt.locales import catalogue, say
from royalcrypt.notation.reasons import HEAD, Detail, Reason, Refusal


def _in_words(reason: Reason, details: dict[str, Detail]) -> str:
    words: dict[str, Any] = {**details}
    kind = "head" if details.get("n") == HEAD else details.get("why")
    key = f"reason.{reason}.{kind}"
    return say(key if key in catalogue() else f"reason.{reason}", **words)


Refusal.wording = staticmethod(_in_words)
