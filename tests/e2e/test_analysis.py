"""A finished game looked back on: its mistakes, and what would have been."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.arriving import analysed
from tests.e2e.hosting import House
from tests.e2e.player import GAME, Player
from tests.e2e.screens import bring
from tests.e2e.visiting import SIZES, Visitor
from tests.golden.games import GAMES


class AnalysisProcess(Player):
    """Somebody who wonders what went wrong."""

    @property
    def moment(self) -> Locator:
        return self.page.get_by_role("slider", name=self.words.say("replay.moment"))

    @property
    def curve(self) -> Locator:
        return self.page.get_by_role("slider", name=self.words.say("analysis.curve"))

    @property
    def verdict(self) -> Locator:
        return self.page.get_by_role("article").filter(has_text=self.words.say("analysis.played"))


@pytest.mark.parametrize("size", SIZES)
def test_a_game_is_analysed_its_mistakes_are_found_and_another_line_is_tried(
    size: str, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(size=SIZES[size])
    analysed(visitor.house)
    bring(visitor, GAMES[1].path)
    one, words, page = AnalysisProcess(visitor), visitor.words, visitor.page
    page.get_by_role("combobox", name=words.say("replay.eyes")).select_option(label="Ada")

    # From mistake to mistake, by buttons and by keys.
    one.button("replay.analyse").click()
    one.button("analysis.mistake.next").click(timeout=GAME)
    expect(
        one.verdict.get_by_text(words.any_of("analysis.grade.mistake", "analysis.grade.blunder"))
    ).to_be_visible()
    expect(one.verdict.get_by_role("listitem").first).to_be_visible()
    first = one.moment.input_value()
    page.keyboard.press("m")
    expect(one.moment).not_to_have_value(first)
    page.keyboard.press("Shift+M")
    expect(one.moment).to_have_value(first)
    one.curve.press("ArrowRight")
    expect(one.moment).not_to_have_value(first)
    one.curve.press("PageUp")
    expect(one.moment).to_have_value(first)
    expect(page.locator("[data-announcer=polite]")).to_contain_text(words.say("analysis.done"))

    # Another line: somebody moves, everybody answers, and it is taken back.
    one.button("replay.what_if").click()
    one.button("analysis.what_if.begin").click()
    one.await_turn()
    undo = one.button("analysis.line.undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    one.play(most=1)
    expect(undo).to_have_attribute("aria-disabled", "false")
    undo.click()
    expect(undo).to_have_attribute("aria-disabled", "true")
    one.button("analysis.line.fresh").click()
    expect(page.get_by_text(words.say("analysis.line.new")).first).to_be_visible()
    one.play(most=1)
    one.await_turn()
    one.button("analysis.line.back").click()
    expect(one.moment).to_have_value(first)
    expect(one.curve).to_be_visible()


def test_where_games_cannot_be_analysed_the_page_says_so(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    house = House(tmp_path).open()
    visitor = visit(house=house)
    bring(visitor, GAMES[0].path)
    one = Player(visitor)
    one.button("replay.analyse").click()
    expect(visitor.page.get_by_text(visitor.words.say("reason.no_analysis"))).to_be_visible()
    one.button("replay.analyse").click()
    expect(visitor.page.get_by_text(visitor.words.say("reason.no_analysis"))).to_have_count(0)
    house.close()
