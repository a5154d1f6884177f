"""What people come back to: their history, their own phrase, and the way out."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.arriving import finished_game, introduce, play_bots
from tests.e2e.player import Player
from tests.e2e.test_screens import SMALL, WIDTHS
from tests.e2e.visiting import SIZES, Visitor


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_finished_game_is_in_history_and_statistics(
    size: tuple[int, int], visit: Callable[..., Visitor]
) -> None:
    visitor = visit(size=size)
    table = finished_game(visitor, players=1)
    truth = visitor.house.truth(table)
    assert truth
    score = str(truth["result"]["scores"][0])
    page, words = visitor.page, visitor.words
    visitor.go("/games")
    page.get_by_role("link", name=words.say("page.games.history")).click()
    expect(page.get_by_role("heading", name=words.say("history.title"), level=1)).to_be_visible()
    alone = page.get_by_role("region", name=words.say("term.only_child"))
    expect(alone).to_contain_text(words.say("history.alone.best", score=score))
    page.get_by_text(words.say("history.chart.table")).click()
    scores = page.get_by_role("region", name=words.say("history.scores.title"))
    expect(scores.get_by_role("cell", name=score, exact=True)).to_be_visible()
    if size[0] < 900:
        page.get_by_role("radio", name=words.say("history.part.games")).check()
    games = page.get_by_role("region", name=words.say("history.games.title"))
    expect(games.get_by_role("link", name=re.compile("Record of"))).to_have_count(1)
    expect(games).to_contain_text(score)
    wide, room = page.evaluate(WIDTHS)
    assert wide <= room
    games.get_by_role("link", name=re.compile("Look at")).click()
    Player(visitor).score_sheet.wait_for()


def test_a_phrase_brings_somebody_back_on_another_device_and_deletion_takes_them_away(
    visit: Callable[..., Visitor],
) -> None:
    ada = introduce(visit(), "Ada")
    words = ada.words
    ada.go("/settings")
    Player(ada).button("identity.phrase.make").click()
    shown = ada.page.get_by_role("region", name=words.say("identity.phrase.title")).locator("[translate=no]")
    phrase = " ".join(shown.inner_text().split())
    assert len(phrase.split()) == 7

    phone = visit(size=SMALL["upright"])
    phone.go("/settings")
    Player(phone).button("page.name.phrase").click()
    field = phone.page.get_by_label(words.say("identity.phrase.label"))
    expect(field).to_be_focused()
    field.fill(phrase[:-3])
    Player(phone).button("identity.phrase.enter").click()
    expect(phone.page.get_by_text(words.say("reason.wrong_phrase.spelling", words=7))).to_be_visible()
    field.fill(phrase.upper().replace(" ", "-"))
    Player(phone).button("identity.phrase.enter").click()
    expect(phone.page.get_by_text(words.say("page.settings.signed_in", name="Ada"))).to_be_visible()

    table = play_bots(phone)
    Player(phone).await_turn()
    ada.go("/settings")
    Player(ada).button("identity.delete.open").click()
    name = ada.page.get_by_label(words.say("identity.delete.label", name="Ada"))
    name.fill("Bo")
    Player(ada).button("identity.delete.confirm").click()
    expect(ada.page.get_by_text(words.say("identity.delete.other", name="Ada"))).to_be_visible()
    name.fill("ada")
    Player(ada).button("identity.delete.confirm").click()
    expect(ada.page.get_by_text(words.say("identity.delete.done"))).to_be_visible()
    assert ada.context.request.get("/api/me").json() is None
    assert phone.context.request.get("/api/me").json() is None
    truth = ada.house.truth(table)
    assert truth
    assert truth["game"]["seats"][0]["name"] == ""
