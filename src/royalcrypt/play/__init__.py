"""The friendly floor: games, views, errors with reasons, and where chance comes from."""

from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Detail, Reason, Refusal


def _in_words(reason: Reason, details: dict[str, Detail]) -> str:
    words: dict[str, Any] = {**details}
    return say(f"reason.{reason}", **words)


Refusal.wording = staticmethod(_in_words)
