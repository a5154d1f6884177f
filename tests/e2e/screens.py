"""Every screen there is, and the shortest way to each."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.e2e.arriving import (
    bots,
    finished_game,
    introduce,
    link_of,
    open_table,
    play_bots,
    table_of,
)
from tests.e2e.player import Player
from tests.e2e.visiting import Visitor

Way = Callable[[Visitor], None]


def heading(visitor: Visitor, key: str) -> Locator:
    return visitor.page.get_by_role("heading", name=visitor.words.any_of(key), level=1)


def see(visitor: Visitor, path: str, key: str) -> None:
    visitor.go(path)
    expect(heading(visitor, key)).to_be_visible()


def home(visitor: Visitor) -> None:
    see(visitor, "/", "page.home.headline")
    expect(visitor.page.get_by_role("heading", name=visitor.words.say("page.home.how"))).to_be_visible()


def home_with_games(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    open_table(visitor, start=True, players=1)
    home(visitor)
    title = visitor.words.say("page.home.continue")
    expect(visitor.page.get_by_role("heading", name=title, exact=True)).to_be_visible()


def bots_dialog(visitor: Visitor) -> None:
    home(visitor)
    Player(visitor).button("page.home.bots").click()
    dialog = visitor.page.get_by_role("dialog", name=visitor.words.say("page.home.bots"))
    expect(dialog.get_by_role("radio", name=visitor.words.say("page.bot.greedy"))).to_be_visible()


def new_table(visitor: Visitor) -> None:
    see(visitor, "/new", "page.new.title")
    visitor.page.get_by_role("radio", name="4", exact=True).check()
    expect(
        visitor.page.get_by_role("combobox", name=visitor.words.any_of("page.new.seat_label"))
    ).to_have_count(3)


def lobby(visitor: Visitor) -> None:
    table_of(visitor.house, players=3, is_listed=True)
    introduce(visitor, "Ada")
    see(visitor, "/lobby", "page.lobby.title")
    expect(visitor.page.get_by_role("article").first).to_be_visible()


def waiting_room(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    answer = open_table(visitor, players=3, collectors="ABABAB")
    see(visitor, link_of(answer), "page.wait.title")


def invited(visitor: Visitor) -> None:
    see(visitor, link_of(table_of(visitor.house, players=2)), "page.name.title")


def games(visitor: Visitor) -> None:
    finished_game(visitor, **bots(3))
    open_table(visitor, start=True, players=1)
    see(visitor, "/games", "page.games.title")
    expect(visitor.page.get_by_role("link", name=visitor.words.say("page.games.look"))).to_be_visible()


def settings(visitor: Visitor) -> None:
    see(visitor, "/settings", "page.settings.title")
    title = visitor.words.say("app.sound.title")
    expect(visitor.page.get_by_role("heading", name=title, exact=True)).to_be_visible()


def keys(visitor: Visitor) -> None:
    settings(visitor)
    Player(visitor).button("page.settings.keys_show").click()
    expect(visitor.page.get_by_role("dialog", name=visitor.words.say("page.pick.keys"))).to_be_visible()


def rules(visitor: Visitor) -> None:
    see(visitor, "/rules", "rules.title")


def solo(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    answer = open_table(visitor, start=True, players=1)
    visitor.go(f"/table/{answer['info']['table']}")
    Player(visitor).await_turn()


def table(visitor: Visitor) -> None:
    """Four heirs, six cards, and dice on one of them that can still be taken back."""
    introduce(visitor, "Ada")
    play_bots(visitor)
    player = Player(visitor)
    player.play(most=4)
    player.await_turn()
    while player.refuse.is_visible():
        player.move()
        player.await_turn()
    player.stage()


def reference(visitor: Visitor) -> None:
    solo(visitor)
    Player(visitor).button("page.table.reference").click()
    expect(visitor.page.get_by_role("dialog")).to_be_visible()


def end(visitor: Visitor) -> None:
    table = finished_game(visitor, **bots(3))
    visitor.go(f"/table/{table}")
    Player(visitor).score_sheet.wait_for()


def solo_end(visitor: Visitor) -> None:
    table = finished_game(visitor, players=1)
    visitor.go(f"/table/{table}")
    Player(visitor).score_sheet.wait_for()


def wrong_link(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    see(visitor, "/table/nowhere", "page.failed.title.no_such_table")


SCREENS: dict[str, Way] = {
    "home": home,
    "home-with-games": home_with_games,
    "bots": bots_dialog,
    "new-table": new_table,
    "lobby": lobby,
    "waiting-room": waiting_room,
    "invited": invited,
    "games": games,
    "settings": settings,
    "keys": keys,
    "rules": rules,
    "solo": solo,
    "table": table,
    "reference": reference,
    "end": end,
    "solo-end": solo_end,
    "wrong-link": wrong_link,
}
