"""Playing over days: orders for one's next turn, notes to self, and from one game to the next."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.arriving import introduce, two_at_a_table, waiting_for
from tests.e2e.player import Player
from tests.e2e.visiting import SIZES, Visitor


def tab(visitor: Visitor, name: str) -> Locator:
    return visitor.page.get_by_role("tab", name=visitor.words.say(f"page.table.tab.{name}"))


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_an_order_is_carried_out_when_the_other_moves_and_only_its_giver_knows(
    visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    ada, bo = visit(size=size), visit()
    two_at_a_table(ada, bo)
    player, other = Player(ada, seed=3), Player(bo, seed=4)
    player.await_turn()
    tab(ada, "orders").click()
    expect(ada.page.get_by_text(ada.words.say("orders.your_turn"))).to_be_visible()
    expect(player.button("orders.add")).to_have_count(0)
    player.recover_or_pass()

    page, say = ada.page, ada.words.say
    player.button("orders.add").click()
    page.get_by_role("combobox", name=say("orders.form.when")).select_option(say("orders.case.held"))
    page.get_by_role("radio", name=say("orders.verb.recover")).check()
    player.button("orders.form.add").click()
    player.button("orders.add").click()
    page.get_by_role("radio", name=ada.words.any_of("orders.effort_of")).nth(5).check()
    expect(page.get_by_text(say("orders.form.fine"))).to_be_visible()
    player.button("orders.form.add").click()
    orders = page.get_by_role("region", name=say("orders.title")).get_by_role("listitem")
    expect(orders).to_have_count(2)
    earlier = page.get_by_role("button", name=say("orders.up", number=2))
    earlier.focus()
    page.keyboard.press("Enter")
    expect(orders.first).to_contain_text("× 6")
    expect(page.get_by_role("button", name=say("orders.down", number=1))).to_be_focused()

    other.await_turn()
    other.move()
    deed = page.get_by_role("region", name=say("orders.title")).get_by_role("listitem")
    expect(page.get_by_role("heading", name=say("orders.done"))).to_be_visible()
    expect(deed).to_have_count(1)
    truth = ada.house.truth(ada.table)
    assert truth
    moved = [event for event in truth["events"] if event["type"] in ("claim", "recover")]
    assert [event["seat"] for event in moved] == [0, 1, 0]
    assert moved[-1]["place"][0]["effort"] == 6
    assert all("order" not in message and "by_bot" not in message for message in bo.heard)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_notes_stay_and_another_game_that_waits_is_one_key_away(
    visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    ada = introduce(visit(size=size), "Ada")
    first, second = waiting_for(ada, is_mine=True), waiting_for(ada)
    page, say = ada.page, ada.words.say
    ada.go("/games")
    links = page.get_by_role("region", name=say("page.games.running")).get_by_role("link")
    expect(links).to_have_count(2)
    expect(links.first).to_contain_text(say("page.games.your_turn"))
    expect(page.get_by_role("link", name=ada.words.any_of("page.nav.games", is_whole=False))).to_contain_text(
        "1"
    )
    expect(page).to_have_title("(1) " + say("page.tab", title=say("page.games.title")))

    ada.go(f"/table/{second}")
    tab(ada, "memo").click()
    notes = page.get_by_role("textbox", name=say("orders.memo.label"))
    notes.fill("Bo bluffs.")
    expect(page.get_by_text(say("orders.memo.state.saved"))).to_be_visible()
    notes.fill("Bo bluffs. Twice.")
    page.reload()
    tab(ada, "memo").click()
    expect(notes).to_have_value("Bo bluffs. Twice.")
    expect(page.get_by_text(say("orders.memo.state.saved"))).to_be_visible()

    expect(page.get_by_role("link", name=ada.words.any_of("page.next.go"))).to_be_visible()
    tab(ada, "log").click()
    page.get_by_role("main").press("n")
    Player(ada).await_turn()
    assert ada.table == first
    expect(page.get_by_role("link", name=ada.words.any_of("page.next.go"))).to_have_count(0)
