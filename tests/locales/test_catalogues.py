"""The words: every language says everything the page says, in its own words and with all its plural forms."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from royalcrypt.locales import COINS, LANGUAGES, NUMBERS, PAGE, TRANSLATED, plural_form, say

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "src" / "royalcrypt" / "locales"
OTHERS = [language for language in LANGUAGES if language != "en"]
FORMS = {
    "en": {"one", "other"},
    "pl": {"one", "few", "many", "other"},
    "fr": {"one", "many", "other"},
    "el": {"one", "other"},
}
Messages = dict[str, Any]


@cache
def messages(language: str, subject: str) -> Messages:
    return json.loads((FOLDER / language / f"{subject}.json").read_text("utf-8"))


def texts(message: Any) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())


def parameters(message: Any) -> set[str]:
    """Without the numbers of Collectors, which nobody passes."""
    named = {name for text in texts(message) for name in re.findall(r"\{(\w+)\}", text)}
    return {name for name in named if name.removesuffix(COINS) not in NUMBERS}


@pytest.mark.parametrize("subject", TRANSLATED)
@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_missing_and_none_is_left_over(language: str, subject: str) -> None:
    assert set(messages(language, subject)) == set(messages("en", subject))


@pytest.mark.parametrize("subject", TRANSLATED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_that_depends_on_a_number_has_every_form_of_its_language(
    language: str, subject: str
) -> None:
    for key, message in messages(language, subject).items():
        if not isinstance(message, str):
            assert set(message) == FORMS[language], key


@pytest.mark.parametrize("subject", TRANSLATED)
@pytest.mark.parametrize("language", OTHERS)
def test_the_same_parameters_are_filled_in(language: str, subject: str) -> None:
    for key, message in messages(language, subject).items():
        assert parameters(message) - {"count"} == parameters(messages("en", subject)[key]) - {"count"}, key


@pytest.mark.parametrize("subject", TRANSLATED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_to_somebody_does_not_call_them_by_a_name(language: str, subject: str) -> None:
    told = [key for key in messages(language, subject) if key.endswith(".you")]
    assert [key for key in told if "name" in parameters(messages(language, subject)[key])] == []


SAME_WORDS = re.compile(r"^[\W\d_]*$|^(\W*\{\w+\}\W*)+$")
"""Signs, figures and parameters only: nothing to translate."""


@pytest.mark.parametrize("subject", TRANSLATED)
@pytest.mark.parametrize("language", OTHERS)
def test_nothing_longer_than_a_word_or_two_is_left_in_english(language: str, subject: str) -> None:
    left = [
        key
        for key, message in messages(language, subject).items()
        for text in texts(message)
        if text in texts(messages("en", subject)[key])
        and not SAME_WORDS.match(text)
        and len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{\w+\}", "", text))) > 2
    ]
    assert left == []


@pytest.mark.parametrize(
    ("language", "count", "form"),
    [
        ("en", 1, "one"), ("en", 0, "other"), ("en", 2, "other"),
        ("pl", 1, "one"), ("pl", 2, "few"), ("pl", 5, "many"), ("pl", 12, "many"), ("pl", 22, "few"),
        ("pl", 0, "many"), ("fr", 0, "one"), ("fr", 1, "one"), ("fr", 2, "other"), ("fr", 1_000_000, "many"),
        ("el", 1, "one"), ("el", 0, "other"),
    ],
)  # fmt: skip
def test_plural_forms_follow_the_language(language: str, count: int, form: str) -> None:
    assert plural_form(language, count) == form


def test_what_a_language_does_not_have_yet_is_said_in_english() -> None:
    assert say("serve.stopped", "pl") == say("serve.stopped")


@cache
def page_sources() -> str:
    found = [*(ROOT / "web" / "src").rglob("*.svelte"), *(ROOT / "web" / "src").rglob("*.ts")]
    return "\n".join(path.read_text("utf-8") for path in found)


@cache
def server_sources() -> str:
    """Letters, and the pages behind their links, are the server's."""
    found = (ROOT / "src" / "royalcrypt" / "server").rglob("*.py")
    return "\n".join(path.read_text("utf-8") for path in found)


@cache
def used_patterns() -> list[re.Pattern[str]]:
    """Keys that the page puts together: a template with something filled in."""
    made = re.findall(r"`((?:[a-z_]+\.)+[^`]*?\$\{[^`]*)`", page_sources())
    return [
        re.compile(".+".join(map(re.escape, re.split(r"\$\{[^}]*\}", template))) + "$") for template in made
    ]


def test_no_message_of_letters_is_unused() -> None:
    """The pages behind links leave out the subject."""
    for key in messages("en", "mail"):
        spelled = (f'"{key}"', f'"{key.removeprefix("mail.")}"')
        assert key.endswith(".title") or any(text in server_sources() for text in spelled), key


@pytest.mark.parametrize("subject", [subject for subject in PAGE if subject not in ("mail", "reason")])
def test_no_message_of_the_page_is_unused(subject: str) -> None:
    unused = [
        key
        for key in messages("en", subject)
        if f'"{key}"' not in page_sources() and not any(made.match(key) for made in used_patterns())
    ]
    assert unused == []


def test_every_message_that_the_page_asks_for_is_there() -> None:
    there = {key for subject in PAGE for key in messages("en", subject)}
    asked = re.findall(rf'"((?:{"|".join(PAGE)})\.[a-z0-9_.]+)"', page_sources())
    assert sorted({key for key in asked if key not in there and not key.endswith(".")}) == []
