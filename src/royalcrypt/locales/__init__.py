"""The words people read: one catalogue a language, shared by command line, server and page.

A catalogue is a folder of JSON files, one a subject; keys begin with the subject. A message may hold
``{names}`` of parameters; one whose words depend on a number is a table of plural forms, chosen by the
parameter ``count``. Numbers of the Collector catalogue are filled in on loading (``numbers``).
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from royalcrypt.locales.numbers import COINS, NUMBERS

LANGUAGES = ("en", "pl", "fr", "el")
PAGE = (
    "analysis", "app", "collector", "daily", "duplicate", "history", "identity", "log", "mail", "orders",
    "page", "program", "reason", "replay", "rules", "term", "tutorial",
)  # fmt: skip
"""Subjects that every language has: what the page says, and letters."""
TRANSLATED = (*PAGE, "advice")
"""All that every language has. The rest, of the command line, is English so far."""
MILLION = 1_000_000


def plural_form(language: str, count: float) -> str:
    """The plural category of a number (Unicode's rules for this language)."""
    if count != int(count):
        return "one" if language == "fr" and count < 2 else "other"
    if language == "pl":
        return _polish_form(count)
    if language == "fr" and count and count % MILLION == 0:
        return "many"
    is_one = count in (0, 1) if language == "fr" else count == 1
    return "one" if is_one else "other"


def _polish_form(count: float) -> str:
    if count == 1:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"


@cache
def catalogue(language: str = "en") -> dict[str, Any]:
    """All messages; those that a language does not have yet in English."""
    found: dict[str, Any] = {}
    for source in files(__name__).joinpath(language).iterdir():
        found |= json.loads(source.read_text("utf-8"))
    coins: dict[str, str] = found["collector.coins"]
    said = {name: str(number) for name, number in NUMBERS.items()}
    for name, number in NUMBERS.items():
        said[name + COINS] = coins[plural_form(language, number)].format(count=number)
    filled = {key: _filled(message, said) for key, message in found.items()}
    return filled if language == "en" else catalogue("en") | filled


def _filled(message: Any, said: dict[str, str]) -> Any:
    """The message with the numbers of the Collector catalogue; other parameters stay as they are."""
    if not isinstance(message, str):
        return {form: _filled(text, said) for form, text in message.items()}
    return re.sub(r"\{(\w+)\}", lambda found: said.get(found[1], found[0]), message)


def say(key: str, language: str = "en", **details: Any) -> str:
    """The message under a key, with its parameters filled in."""
    message: Any = catalogue(language)[key]
    if not isinstance(message, str):
        message = message[plural_form(language, details["count"])]
    return str(message).format(**details)
