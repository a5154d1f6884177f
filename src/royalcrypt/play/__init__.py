"""The friendly floor: games, views, errors with reasons, and where chance comes from."""

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Detail, Reason, Refusal


def _in_words(reason: Reason, details: dict[str, Detail]) -> str:
    return say(f"reason.{reason}", **details)


Refusal.wording = staticmethod(_in_words)
