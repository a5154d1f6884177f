"""The tutorial's lessons are what the rules make of their deals, and say nothing else."""

import json
from typing import Any

import pytest

from royalcrypt.locales import LANGUAGES, catalogue
from tests.golden import lessons

TOLD: list[dict[str, Any]] = json.loads(lessons.PATH.read_text("utf-8"))
every_language = pytest.mark.parametrize("language", LANGUAGES)


def lesson(name: str) -> dict[str, Any]:
    return next(told for told in TOLD if told["name"] == name)


def last_view(told: dict[str, Any]) -> dict[str, Any]:
    view = dict(told["start"])
    for step in told["steps"]:
        for frame in step["then"]:
            view |= frame["view"]
    return view


def test_the_page_shows_lessons_as_the_rules_play_them() -> None:
    """If this is meant to change, run ``make golden`` and read the diff."""
    assert lessons.text() == lessons.PATH.read_text("utf-8")


def test_every_step_has_its_words_and_every_move_a_way_to_ask_for_it() -> None:
    wanted: set[str] = set()
    for told in TOLD:
        wanted.add(f"tutorial.{told['name']}.title")
        for number, step in enumerate(told["steps"], 1):
            wanted.add(f"tutorial.{told['name']}.{number}")
            if "do" in step:
                wanted.add(f"tutorial.{told['name']}.{number}.todo")
    prefixes = tuple(f"tutorial.{told['name']}." for told in TOLD)
    assert {key for key in catalogue() if key.startswith(prefixes)} == wanted


def test_events_are_numbered_without_a_gap_and_hide_what_lies_face_down() -> None:
    for told in TOLD:
        frames = [frame for step in told["steps"] for frame in step["then"]]
        events = [*told["events"], *(event for frame in frames for event in frame["events"])]
        assert [event["n"] for event in events] == list(range(len(events)))
        for event in events:
            if event["type"] == "reveal":
                assert all(event["row"][slot].endswith("?") for slot in event["down"])


def test_a_lesson_asks_for_a_move_and_ends_with_why_it_was_good() -> None:
    for told in TOLD:
        assert any("do" in step for step in told["steps"])
        assert "light" in told["steps"][-1]
        assert told["steps"][-1]["then"] == []


@every_language
def test_the_words_name_the_figures_that_the_rules_give(language: str) -> None:
    words = catalogue(language)
    result = lesson("end")["result"]
    mine, hers = result["breakdown"]
    figures = [*result["scores"], mine["treasure"], hers["treasure"], mine["collectors"]["manuscript"]]
    assert mine["treasure"] < hers["treasure"]
    assert result["winners"] == [0]
    assert [figure for figure in figures if str(figure) not in words["tutorial.end.3"]] == []
    assert str(last_view(lesson("claim"))["scores"][0]) in words["tutorial.claim.3"]


@every_language
def test_the_words_ask_for_the_very_move(language: str) -> None:
    """Efforts are written as figures; numbers of dice in words."""
    for told in TOLD:
        for number, step in enumerate(told["steps"], 1):
            for action in step.get("do", []):
                todo = catalogue(language)[f"tutorial.{told['name']}.{number}.todo"]
                assert all(str(put["effort"]) in todo for put in action.get("place", []))
