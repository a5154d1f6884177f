"""Lines break, pages are loaded anew, servers come and go: the game goes on."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from royalcrypt.server.sockets import endpoint
from tests.e2e.arriving import introduce, open_table, play_bots
from tests.e2e.hosting import House
from tests.e2e.lines import Line
from tests.e2e.player import Player
from tests.e2e.visiting import Visitor


def sight(player: Player) -> str:
    """What listeners are told of the cards there and of their own things; not what happened lately."""
    row = player.crypt.get_by_role("list").first
    mine = player.page.get_by_role("region", name=player.words.any_of("page.table.you_named"))
    return f"{row.aria_snapshot()}\n{mine.aria_snapshot()}"


def in_the_middle(visitor: Visitor) -> Player:
    introduce(visitor, "Ada")
    play_bots(visitor, 1)
    player = Player(visitor)
    player.play(most=5)
    player.await_turn()
    return player


def test_who_loads_the_page_anew_sees_what_they_saw_and_plays_on(visitor: Visitor) -> None:
    player = in_the_middle(visitor)
    before = sight(player)
    visitor.page.reload()
    player.await_turn()
    assert sight(player) == before
    player.play(most=3)


def test_a_line_that_breaks_comes_back_without_a_sign_of_it(visitor: Visitor) -> None:
    line = Line(visitor)
    player = in_the_middle(visitor)
    before = sight(player)
    line.cut()
    line.await_welcome(2)
    assert sight(player) == before
    expect(
        visitor.page.get_by_role("alert").filter(has_text=visitor.words.say("page.failed.offline"))
    ).to_have_count(0)
    player.play(most=3)


def test_a_server_that_is_gone_is_told_of_and_when_it_is_back_the_game_goes_on(
    fragile: House, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house=fragile)
    player = in_the_middle(visitor)
    before = sight(player)
    fragile.close()
    notice = visitor.page.get_by_role("alert").filter(has_text=visitor.words.say("page.failed.offline"))
    expect(notice).to_be_visible(timeout=30_000)
    fragile.open()
    player.button("page.failed.retry", within=notice).click()
    expect(notice).to_be_hidden(timeout=30_000)
    assert sight(player) == before
    player.play(most=3)


def test_a_move_made_while_the_line_is_cut_is_not_lost_on_the_player(
    fragile: House, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house=fragile)
    player = in_the_middle(visitor)
    while player.refuse.is_visible():
        player.move()
        player.await_turn()
    fragile.close()
    notice = visitor.page.get_by_role("alert").filter(has_text=visitor.words.say("page.failed.offline"))
    expect(notice).to_be_visible(timeout=30_000)
    player.take_turn()
    expect(player.picker.get_by_text(visitor.words.say("page.pick.lost"))).to_be_visible()
    fragile.open()
    expect(notice).to_be_hidden(timeout=30_000)
    player.play(most=2)


def test_after_an_upgrade_an_old_page_asks_to_be_loaded_anew(
    fragile: House, visit: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = visit(house=fragile)
    introduce(visitor, "Ada")
    table = open_table(visitor, start=True, players=1)["info"]["table"]
    player = Player(visitor.go(f"/table/{table}"))
    player.await_turn()
    fragile.close()
    monkeypatch.setattr(endpoint, "VERSION", "99.0.0")
    fragile.open()
    outdated = visitor.page.get_by_role("status").filter(has_text=visitor.words.say("page.failed.outdated"))
    expect(outdated).to_be_visible(timeout=30_000)
    player.button("page.reload", within=outdated).click()
    player.await_turn()
    expect(outdated).to_be_hidden()
    player.play(most=1)


def test_a_page_whose_protocol_the_server_no_longer_speaks_asks_to_be_loaded_anew(
    fragile: House, visit: Callable[..., Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = visit(house=fragile, language="pl")
    introduce(visitor, "Ada")
    table = open_table(visitor, start=True, players=1)["info"]["table"]
    player = Player(visitor.go(f"/table/{table}"))
    player.await_turn()
    fragile.close()
    monkeypatch.setattr(endpoint, "PROTOCOLS", (3, 4))
    fragile.open()
    outdated = visitor.page.get_by_role("status").filter(has_text=visitor.words.say("page.failed.outdated"))
    expect(outdated).to_be_visible(timeout=30_000)
    expect(visitor.page.get_by_role("alert").filter(has=player.button("page.failed.retry"))).to_have_count(0)
    monkeypatch.undo()
    player.button("page.reload", within=outdated).click()
    player.await_turn()
    expect(outdated).to_be_hidden()
    player.play(most=1)


def test_the_view_held_after_many_changes_is_the_one_that_a_newcomer_gets(
    visit: Callable[..., Visitor],
) -> None:
    visitor = visit()
    introduce(visitor, "Ada")
    table = play_bots(visitor)
    player = Player(visitor, seed=5)
    player.play(most=6)
    player.await_turn()
    held, seen = visitor.view(), sight(player)
    updates = [each for raw in visitor.heard if (each := json.loads(raw)).get("table") == table]
    updates = [each for each in updates if each["type"] == "update"]
    assert sum("changes" in each for each in updates) > 12
    assert not [each for each in updates if "view" in each]
    visitor.heard.clear()
    visitor.page.reload()
    player.await_turn()
    assert visitor.view() == held
    assert sight(player) == seen
