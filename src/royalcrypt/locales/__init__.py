"""The words people read: one catalogue a language, shared by command line, server and page.

A catalogue is a folder of JSON files, one a subject; keys begin with the subject. A message may hold
``{names}`` of parameters; one whose words depend on a number is a table of plural forms, chosen by the
parameter ``count``.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en",)


def plural_form(language: str, count: int) -> str:
    """The plural category of a whole number (Unicode's rules for this language)."""
    forms = {"en": "one" if count == 1 else "other"}
    return forms[language]


@cache
def catalogue(language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for source in files(__name__).joinpath(language).iterdir():
        found |= json.loads(source.read_text("utf-8"))
    return found


def say(key: str, language: str = "en", **details: Any) -> str:
    """The message under a key, with its parameters filled in."""
    message: Any = catalogue(language)[key]
    if not isinstance(message, str):
        message = message[plural_form(language, details["count"])]
    return str(message).format(**details)
