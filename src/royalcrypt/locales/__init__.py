"""User-visible texts: one catalogue per language, shared by command line, server and web page.

A catalogue is a folder of JSON files, one per subject; keys begin with the subject. A message may contain
``{names}`` of parameters; one that depends on a number is a mapping of plural forms, chosen by the
parameter ``count``. Numbers of the Collector catalogue are inserted on loading (``NUMBERS``).
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from royalcrypt.rules.cards import Side, Type
from royalcrypt.rules.catalogue import COLLECTORS

LANGUAGES = ("en", "pl", "fr", "el")
PAGE = (
    "analysis", "app", "collector", "daily", "duplicate", "history", "identity", "log", "mail", "orders",
    "page", "program", "reason", "replay", "rules", "term", "tutorial",
)  # fmt: skip
"""Subjects of the web page and of e-mails, which every language has."""
TRANSLATED = (*PAGE, "advice")
"""All subjects that every language has; the command line's other subjects are English only."""
MILLION = 1_000_000
COINS = "_coins"


def _numbers() -> Iterator[tuple[str, int]]:
    for card_type in Type:
        for side in Side:
            entry = COLLECTORS[card_type][side]
            name = f"{card_type.name}_{side.name}".lower()
            for number, (cards, amount) in enumerate(entry.pays, 1):
                suffix = f"_{number}" if number > 1 else ""
                yield f"{name}_cards{suffix}", cards
                yield f"{name}_pays{suffix}", amount
            if entry.otherwise:
                yield f"{name}_else", entry.otherwise[-1][1]
            if entry.flips:
                yield f"{name}_flips", entry.flips


NUMBERS = dict(_numbers())
"""Maps the parameter names used in texts to the numbers of the Collector catalogue.

``{pottery_a_pays_3}`` is the pay of Pottery A's third step: 8. ``{pottery_a_pays_3_coins}`` is the same
with the word for coins in its plural form: 8 coins. The page inserts them from a generated file.
"""


def plural_form(language: str, count: float) -> str:
    """Return the plural category of a number by Unicode's rules for the language."""
    if count != int(count):
        return "one" if language == "fr" and count < 2 else "other"
    if language == "pl" and count != 1:
        return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "many"
    if language == "fr" and count and count % MILLION == 0:
        return "many"
    is_one = count in (0, 1) if language == "fr" else count == 1
    return "one" if is_one else "other"


@cache
def catalogue(language: str = "en") -> dict[str, Any]:
    """Return all messages of a language; those without a translation are in English."""
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
    """Insert the numbers of the Collector catalogue into a message; other parameters stay."""
    if not isinstance(message, str):
        return {form: _filled(text, said) for form, text in message.items()}
    return re.sub(r"\{(\w+)\}", lambda found: said.get(found[1], found[0]), message)


def language_in(header: str) -> str:
    """Return the first supported language in an Accept-Language header."""
    for offer in header.split(","):
        language = offer.strip()[:2].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def say(key: str, language: str = "en", **details: Any) -> str:
    """Return the message of a key with its parameters inserted."""
    message: Any = catalogue(language)[key]
    if not isinstance(message, str):
        message = message[plural_form(language, details["count"])]
    return str(message).format(**details)
