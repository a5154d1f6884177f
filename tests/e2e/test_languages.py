"""Every language, on every screen: no raw keys, nothing left in English, refusals too."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from royalcrypt.locales import PAGE, catalogue
from tests.e2e.screens import SCREENS, heading
from tests.e2e.visiting import Visitor
from tests.e2e.wording import LANGUAGES, Words

RAW_KEY = re.compile(rf"\b(?:{'|'.join(PAGE)})\.[a-z_]+[a-z_.]*\b")
READ = ("home", "new-table", "table", "rules", "settings", "end", "waiting-room", "keys", "reference")
LATER = ("daily", "duplicate-set-up", "history", "lesson", "open-record", "orders", "settings-of-somebody")
"""Screens that bring words of their own."""
ALL_WORDS = """() => [
  document.body.innerText,
  document.title,
  ...Array.from(document.querySelectorAll("[aria-label], [title], [placeholder], [alt]"), (element) =>
    ["aria-label", "title", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? "").join(" ")),
].join("\\n")"""
FOREIGN = tuple(language for language in LANGUAGES if language != "en")


def words_on(visitor: Visitor) -> str:
    return visitor.page.evaluate(ALL_WORDS)


def english_only(language: str) -> list[str]:
    """Sentences that no other language would use by chance."""
    own = json.dumps(catalogue(language), ensure_ascii=False)
    return [
        message
        for message in catalogue("en").values()
        if isinstance(message, str) and "{" not in message and len(message.split()) > 2 and message not in own
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("screen", [*READ, *LATER])
def test_a_screen_speaks_one_language_only(screen: str, language: str, visit: Callable[..., Visitor]) -> None:
    visitor = visit(language=language)
    SCREENS[screen](visitor)
    said = words_on(visitor)
    assert RAW_KEY.findall(said) == []
    assert "undefined" not in said
    assert visitor.page.evaluate("() => document.documentElement.lang") == language
    if language != "en":
        assert [text for text in english_only(language) if text in said] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_speak_the_readers_language(language: str, visit: Callable[..., Visitor]) -> None:
    visitor = visit(language=language)
    SCREENS["wrong-link"](visitor)
    expect(visitor.page.get_by_text(visitor.words.any_of("reason.no_such_table"))).to_be_visible()


def test_another_language_is_spoken_at_once_and_remembered(visitor: Visitor) -> None:
    SCREENS["home"](visitor)
    for language in (*FOREIGN, "en"):
        chooser = visitor.page.get_by_role("combobox", name=visitor.words.say("page.language"))
        chooser.select_option(language)
        visitor.words = Words(language)
        expect(heading(visitor, "page.home.headline")).to_be_visible()
        visitor.page.reload()
        expect(heading(visitor, "page.home.headline")).to_be_visible()
