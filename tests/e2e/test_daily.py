"""The day's crypt: one try, its end, a text to share, and how everybody did."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from royalcrypt.locales import say
from tests.e2e.hosting import House
from tests.e2e.player import Player
from tests.e2e.visiting import SIZES, Visitor
from tests.server.harness import Host, person
from tests.server.sealed import play_alone


def somebody_tries(visitor: Visitor) -> str:
    """Another person's try; tells the day."""

    async def try_it(host: Host) -> str:
        async with person(host, "Bo") as bo:
            day = host.service.operations.daily.today
            await play_alone(bo, (await bo.post(f"/api/daily/{day}"))["info"]["table"], 1)
            return day

    return visitor.house.ask(try_it)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_day_is_tried_once_shared_without_a_card_and_compared(
    fragile: House, visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(house=fragile, size=size, permissions=["clipboard-read", "clipboard-write"])
    words, page = visitor.words, visitor.page
    day = somebody_tries(visitor)
    visitor.go()
    page.get_by_role("link", name=words.say("page.home.daily_go")).click()
    page.get_by_role("button", name=words.say("daily.begin")).click()
    player = Player(visitor)
    player.play(most=2)
    table = visitor.table
    expect(page.get_by_role("link", name=words.say("page.seal.daily"))).to_be_visible()

    # Neither a reload nor another tab begins anew.
    visitor.go("/daily")
    page.reload()
    page.get_by_role("link", name=words.say("daily.go_on")).click()
    player.play()
    assert visitor.table == table
    expect(page.get_by_text(words.say("page.fair.sealed.daily"))).to_be_visible()
    expect(player.button("page.fair.check")).to_have_count(0)
    expect(player.button("page.end.rematch.solo")).to_have_count(0)

    page.get_by_role("link", name=words.say("page.seal.daily_end")).click()
    truth = visitor.house.truth(table)
    assert truth
    score = truth["result"]["scores"][0]
    expect(page.get_by_text(say("daily.coins", count=score), exact=True).first).to_be_visible()
    expect(page.get_by_role("button", name=words.say("daily.begin"))).to_have_count(0)
    page.get_by_role("button", name=words.say("daily.copy")).click()
    expect(page.get_by_text(words.say("daily.copied"))).to_be_visible()
    shared = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert [len(shared), shared[3]] == [4, f"{visitor.house.url}/#/daily/{day}"]
    assert (
        len(shared[1].split()) == len([event for event in truth["events"] if event["type"] == "reveal"]) == 8
    )
    assert str(score) in shared[2]
    assert not any(card in "".join(shared[:3]) for event in truth["events"] for card in event.get("row", []))

    page.get_by_text(words.say("daily.everybody.table")).click()
    chart = page.get_by_role("table", name=words.say("daily.everybody.chart"))
    own = words.say("daily.range.own", **{"from": score // 5 * 5, "to": score // 5 * 5 + 4})
    expect(chart.get_by_role("row", name=own)).to_be_visible()
    counts = [int(cell.inner_text()) for cell in chart.get_by_role("cell").all()]
    assert sum(counts) == 2
    assert not any(truth["fairness"]["seed"] in heard for heard in visitor.heard)
    answer = visitor.context.request.get(f"/api/tables/{table}/record")
    assert "seed" not in json.loads(answer.text())["fairness"]
