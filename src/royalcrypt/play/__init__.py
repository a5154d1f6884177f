"""The friendly floor: games, views, errors with reasons, and where chance comes from."""

from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.reasons import HEAD, Detail, Reason, Refusal


def _in_words(reason: Reason, details: dict[str, Detail]) -> str:
    words: dict[str, Any] = {**details}
    key = f"reason.{reason}.head" if details.get("n") == HEAD else f"reason.{reason}"
    return say(key, **words)


Refusal.wording = staticmethod(_in_words)
