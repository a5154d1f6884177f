"""Two tables with the same cards: set up, played, and compared when both are done."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from royalcrypt.locales import say
from tests.e2e.player import Player
from tests.e2e.visiting import SIZES, Visitor
from tests.server.harness import Host, person
from tests.server.sealed import outcomes, play_alone


def somebody_plays(visitor: Visitor, link: str) -> None:
    """Follows a table's link, sits down there, and plays to the end."""
    table, invite = link.partition("#/table/")[2].split("/")

    async def play(host: Host) -> None:
        async with person(host, "Bo") as bo:
            path = f"/api/tables/{table}"
            await bo.post(f"{path}/seats/0", {}, headers={"X-Table-Invite": invite})
            await bo.post(f"{path}/start")
            await play_alone(bo, table, 5)

    visitor.house.ask(play)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_two_tables_meet_the_same_cards_and_are_compared_when_both_are_done(
    visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(size=size)
    words, page = visitor.words, visitor.page
    visitor.go("/new")
    page.get_by_role("link", name=words.say("page.new.duplicate")).click()
    page.get_by_role("radio", name="1", exact=True).click()
    page.get_by_role("button", name=words.say("duplicate.open")).click()
    second = page.get_by_role("textbox", name=words.say("duplicate.link", number=2)).input_value()
    page.get_by_role("link", name=words.say("duplicate.sit", number=1)).click()
    page.get_by_role("button", name=words.say("page.wait.sit_at", number=1)).click()
    page.get_by_role("button", name=words.say("page.wait.start")).click()
    player = Player(visitor)
    player.play()
    first = visitor.table
    expect(page.get_by_text(words.say("page.fair.sealed.duplicate"))).to_be_visible()

    page.get_by_role("link", name=words.say("page.seal.duplicate_end")).click()
    expect(page.get_by_text(say("duplicate.progress", done=1, count=2))).to_be_visible()
    expect(page.get_by_role("heading", name=words.say("duplicate.result"))).to_have_count(0)

    somebody_plays(visitor, second)
    ranking = page.get_by_role("table", name=words.say("duplicate.ranking"))
    expect(ranking.get_by_role("row")).to_have_count(3)  # the page asks by itself
    one, other = (visitor.house.truth(table) for table in (first, re.split("[/#]+", second)[-2]))
    assert one
    assert other
    scores = [one["result"]["scores"][0], other["result"]["scores"][0]]
    whole = page.get_by_role("region", name=words.say("duplicate.result"), exact=True).get_by_role("table")
    for number, score in enumerate(scores, 1):
        expect(whole.get_by_role("row").nth(number)).to_contain_text(str(score))
    told = outcomes(one), outcomes(other)
    assert all(told[0][address] == told[1][address] for address in told[0].keys() & told[1])

    visitor.go(f"/table/{first}")
    player.button("page.fair.check").click()
    expect(page.get_by_text(words.say("page.fair.fair"))).to_be_visible()
