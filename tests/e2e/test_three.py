"""Three people at one table, each with a browser of their own."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.player import Player, play_together
from tests.e2e.visiting import Visitor


def sit_down(host: Player, guests: list[Player]) -> None:
    """From home to a full table, by its link."""
    host.visitor.go("/new")
    host.page.get_by_role("radio", name="3", exact=True).check()
    host.button("page.new.open").click()
    link = host.page.get_by_role("textbox", name=host.words.say("page.wait.link")).input_value()
    for number, guest in enumerate(guests, 2):
        guest.page.goto(link)
        guest.page.get_by_role("textbox", name=guest.words.say("page.name.label")).fill(f"Guest {number}")
        guest.button("page.name.enter").click()
        guest.page.get_by_role("button", name=guest.words.say("page.wait.sit_at", number=number)).click()


def test_three_people_play_to_the_end_see_the_same_and_meet_again(visit: Callable[..., Visitor]) -> None:
    players = [Player(visit(), seed) for seed in range(3)]
    host, *guests = players
    sit_down(host, guests)
    host.button("page.wait.start").click()
    for player in players:
        expect(player.crypt).to_be_visible()
    play_together(players)

    [first, *others] = [player.score_sheet.get_by_role("row").last.inner_text() for player in players]
    truth = host.visitor.house.truth(host.visitor.table)
    assert truth
    assert others == [first] * 2
    totals = host.score_sheet.get_by_role("row", name=host.words.say("page.end.sheet.total"))
    assert totals.get_by_role("cell").all_inner_texts() == [str(score) for score in truth["result"]["scores"]]

    before = host.visitor.table
    host.button("page.end.rematch").click()
    for guest in guests:
        guest.button("page.end.rematch.join").click()
    host.button("page.wait.start").click()
    for player in players:
        expect(player.crypt).to_be_visible()
    tables = {player.visitor.table for player in players}
    assert len(tables) == 1
    assert before not in tables
