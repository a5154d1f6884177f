"""Every screen there is, and the shortest way to each."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.e2e.arriving import (
    analysed,
    ask,
    bots,
    daily_tried,
    duplicate_played,
    finished_game,
    introduce,
    link_of,
    open_table,
    play_bots,
    table_of,
    waiting_for,
)
from tests.e2e.player import GAME, Player
from tests.e2e.visiting import Visitor
from tests.golden.games import GAMES

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


def settings_of_somebody(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    settings(visitor)
    Player(visitor).button("identity.phrase.make").click()
    expect(Player(visitor).button("identity.phrase.done")).to_be_visible()


def farewell(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    settings(visitor)
    Player(visitor).button("identity.delete.open").click()
    title = visitor.words.say("identity.delete.title")
    expect(visitor.page.get_by_role("dialog", name=title)).to_be_visible()


def history(visitor: Visitor) -> None:
    finished_game(visitor, **bots(3))
    see(visitor, "/history", "history.title")
    expect(visitor.page.get_by_role("table", name=visitor.words.say("history.sides.title"))).to_be_visible()


def keys(visitor: Visitor) -> None:
    settings(visitor)
    Player(visitor).button("page.settings.keys_show").click()
    expect(visitor.page.get_by_role("dialog", name=visitor.words.say("page.pick.keys"))).to_be_visible()


def programs(visitor: Visitor) -> None:
    """A list of them, and the token of the newest above it."""
    introduce(visitor, "Ada")
    ask(visitor, "/me/programs", {"name": "Deep Crypt"})
    settings(visitor)
    title = visitor.words.say("program.title")
    expect(visitor.page.get_by_role("heading", name=title)).to_be_visible()
    visitor.page.get_by_role("textbox", name=visitor.words.say("program.name"), exact=True).fill("Digger")
    Player(visitor).button("program.make").click()
    title = visitor.words.say("program.token_title", name="Digger")
    expect(visitor.page.get_by_role("dialog", name=title)).to_be_visible()


def rules(visitor: Visitor) -> None:
    see(visitor, "/rules", "rules.title")


def tutorial(visitor: Visitor) -> None:
    see(visitor, "/tutorial", "tutorial.title")


def lesson(visitor: Visitor) -> None:
    """With a card chosen, and the hint that another move brings."""
    see(visitor, "/tutorial/push", "tutorial.push.title")
    player = Player(visitor)
    player.cards.first.click()
    player.claim.click()
    hint = visitor.words.any_of("tutorial.hint.claim")
    expect(visitor.page.get_by_role("main").get_by_text(hint)).to_be_visible()


def lesson_with_collectors(visitor: Visitor) -> None:
    see(visitor, "/tutorial/reward", "tutorial.reward.title")


def tutorial_done(visitor: Visitor) -> None:
    see(visitor, "/tutorial/done", "tutorial.finish.title")


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


def side(visitor: Visitor, tab: str) -> None:
    """At a table where one waits, with another game that waits for one."""
    introduce(visitor, "Ada")
    waiting_for(visitor, is_mine=True)
    visitor.go(f"/table/{waiting_for(visitor)}")
    visitor.page.get_by_role("tab", name=visitor.words.say(f"page.table.tab.{tab}")).click()


def orders(visitor: Visitor) -> None:
    side(visitor, "orders")
    player = Player(visitor)
    for case in ("always", "held"):
        player.button("orders.add").click()
        form = visitor.page.get_by_role("combobox", name=visitor.words.say("orders.form.when"))
        form.select_option(visitor.words.say(f"orders.case.{case}"))
        player.button("orders.form.add").click()
    player.button("orders.add").click()
    expect(visitor.page.get_by_text(visitor.words.say("orders.form.fine"))).to_be_visible()


def memo(visitor: Visitor) -> None:
    side(visitor, "memo")
    notes = visitor.page.get_by_role("textbox", name=visitor.words.say("orders.memo.label"))
    notes.fill("Bo likes Idols.\nKeep the third die at home.")
    expect(visitor.page.get_by_text(visitor.words.say("orders.memo.state.saved"))).to_be_visible()


def hand_over(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    body = {"settings": {"players": 2}, "sit": [0, 1], "names": ["Ada", "Bo"], "start": True}
    visitor.go(f"/table/{ask(visitor, '/tables', body)['info']['table']}")
    expect(Player(visitor).button("page.share.i_am")).to_be_visible()


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


def daily(visitor: Visitor) -> None:
    daily_tried(visitor)
    visitor.go("/daily")
    visitor.page.get_by_text(visitor.words.say("daily.everybody.table")).click()
    expect(visitor.page.get_by_role("table")).to_be_visible()


def duplicate_set_up(visitor: Visitor) -> None:
    see(visitor, "/duplicate", "duplicate.new")


def duplicate(visitor: Visitor) -> None:
    visitor.go(f"/duplicate/{duplicate_played(visitor)}")
    expect(visitor.page.get_by_role("table", name=visitor.words.say("duplicate.ranking"))).to_be_visible()


def replay(visitor: Visitor) -> None:
    """In the middle of a game of four, through one's own eyes."""
    table = finished_game(visitor, **bots(3))
    see(visitor, f"/replay/{table}/40/0", "replay.title")


def replay_end(visitor: Visitor) -> None:
    table = finished_game(visitor, players=1)
    see(visitor, f"/replay/{table}/999/all", "replay.title")
    Player(visitor).score_sheet.wait_for()


def analysis(visitor: Visitor) -> None:
    """At the first mistake of a game of two."""
    analysed(visitor.house)
    bring(visitor, GAMES[1].path)
    player = Player(visitor)
    player.button("replay.analyse").click()
    player.button("analysis.mistake.next").click(timeout=GAME)
    visitor.page.get_by_text(visitor.words.say("analysis.why")).wait_for()
    visitor.page.get_by_text(visitor.words.say("analysis.table")).click()


def line(visitor: Visitor) -> None:
    bring(visitor, GAMES[1].path)
    player = Player(visitor)
    player.button("replay.next.round").click()
    player.button("replay.what_if").click()
    player.button("analysis.what_if.begin").click()
    player.await_turn()
    player.play(most=1)
    player.await_turn()


def bring(visitor: Visitor, path: Path) -> None:
    """A record, as text."""
    see(visitor, "/replay", "replay.open")
    words, page = visitor.words, visitor.page
    page.get_by_role("textbox", name=words.say("replay.open.paste")).fill(path.read_text("utf-8"))
    Player(visitor).button("replay.open.show").click()
    page.get_by_role("slider", name=words.say("replay.moment")).wait_for()


def open_record(visitor: Visitor) -> None:
    see(visitor, "/replay", "replay.open")
    Player(visitor).button("replay.open.show").click()
    expect(
        visitor.page.get_by_role("alert").filter(has_text=visitor.words.say("replay.failed"))
    ).to_be_visible()


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
    "settings-of-somebody": settings_of_somebody,
    "farewell": farewell,
    "history": history,
    "keys": keys,
    "programs": programs,
    "rules": rules,
    "tutorial": tutorial,
    "lesson": lesson,
    "lesson-with-collectors": lesson_with_collectors,
    "tutorial-done": tutorial_done,
    "solo": solo,
    "table": table,
    "orders": orders,
    "memo": memo,
    "hand-over": hand_over,
    "reference": reference,
    "end": end,
    "solo-end": solo_end,
    "daily": daily,
    "duplicate-set-up": duplicate_set_up,
    "duplicate": duplicate,
    "replay": replay,
    "replay-end": replay_end,
    "analysis": analysis,
    "line": line,
    "open-record": open_record,
    "wrong-link": wrong_link,
}
