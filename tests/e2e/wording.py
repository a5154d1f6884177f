"""The words on the page, to find things by: the same catalogues that the page is built with."""

import re
from functools import cache
from pathlib import Path

from royalcrypt import locales
from royalcrypt.locales import catalogue

FOLDER = Path(locales.__file__).parent
LANGUAGES = tuple(
    language for language in ("en", "pl", "fr", "el") if (FOLDER / language / "page.json").exists()
)
ANYTHING = r"[\s\S]+?"


class Words:
    """What is said in one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def forms(self, key: str) -> list[str]:
        message = catalogue(self.language)[key]
        return [message] if isinstance(message, str) else list(message.values())

    def say(self, key: str, **details: object) -> str:
        """A message with one form only."""
        [form] = self.forms(key)
        return form.format(**details)

    def any_of(self, *keys: str, is_whole: bool = True) -> re.Pattern[str]:
        """What matches these messages, whatever their details are; or only how they begin."""
        forms = [form for key in keys for form in self.forms(key)]
        return matching(tuple(forms), is_whole=is_whole)


@cache
def matching(forms: tuple[str, ...], *, is_whole: bool) -> re.Pattern[str]:
    patterns = [
        "".join(ANYTHING if part.startswith("{") else escaped(part) for part in re.split(r"(\{\w+\})", form))
        for form in forms
    ]
    return re.compile(f"^(?:{'|'.join(patterns)}){'$' if is_whole else ''}")


def escaped(text: str) -> str:
    """Spaces match any space: accessible names have plain ones where the text has some that do not break."""
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", text))
