"""A person makes a program, gives it a seat, and plays against it."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.arriving import introduce, link_of, open_table
from tests.e2e.player import Player
from tests.e2e.test_screens import SMALL, WIDTHS
from tests.e2e.visiting import DESKTOP, Visitor
from tests.examples.running import started

NAME = "Deep Crypt"


def make_program(player: Player, name: str = NAME) -> str:
    """In the settings; tells the token."""
    words, page = player.words, player.page
    player.visitor.go("/settings")
    page.get_by_role("textbox", name=words.say("program.name"), exact=True).fill(name)
    player.button("program.make").click()
    dialog = page.get_by_role("dialog", name=words.say("program.token_title", name=name))
    token = dialog.get_by_role("textbox", name=words.say("program.token_label"), exact=True).input_value()
    player.button("program.copy", within=dialog).click()
    assert page.evaluate("() => navigator.clipboard.readText()") == token
    wide, room = page.evaluate(WIDTHS)
    assert wide <= room
    player.button("program.token_kept", within=dialog).click()
    return token


def give_seat(player: Player) -> None:
    """The second of a new table of two."""
    words, page = player.words, player.page
    player.visitor.go(link_of(open_table(player.visitor, players=2, leader=1)))
    seat = page.get_by_role("combobox", name=words.say("page.new.seat_label", number=2))
    seat.select_option(label=words.say("page.wait.program", name=NAME))
    expect(page.get_by_text(words.say("page.seat.program", keeper="Ada"))).to_be_visible()
    expect(page.get_by_text(words.say("page.wait.away"))).to_be_visible()


def begin(player: Player) -> None:
    """Once the program is there; everybody sees what it is."""
    words, page = player.words, player.page
    expect(page.get_by_text(words.say("page.wait.away"))).to_be_hidden()
    player.button("page.wait.start").click()
    player.await_turn()
    heir = page.get_by_role("article").filter(has=page.get_by_role("heading", name=NAME))
    expect(heir.get_by_role("img", name=words.say("page.table.mark.program"))).to_be_visible()


def arrive(visit: Callable[..., Visitor], size: tuple[int, int]) -> Player:
    visitor = visit(size=size, permissions=["clipboard-read", "clipboard-write"])
    return Player(introduce(visitor, "Ada"))


def test_a_program_is_made_given_a_seat_and_played_against_twice(visit: Callable[..., Visitor]) -> None:
    player = arrive(visit, DESKTOP)
    visitor = player.visitor
    token = make_program(player)
    give_seat(player)
    with started("Python", visitor.house.url, token):
        begin(player)
        expect(player.page.get_by_text(player.words.say("page.seat.program", keeper="Ada"))).to_be_visible()
        player.play()
        player.score_sheet.wait_for()
        truth = visitor.house.truth(visitor.table)
        assert truth
        assert truth["game"]["seats"][1] == {"name": NAME, "kind": f"program:{NAME}"}

        player.button("page.end.rematch").click()  # the program comes along: it begins at once
        expect(player.score_sheet).to_be_hidden()
        player.play(most=2)


def test_a_program_on_a_phone_is_replaced_by_a_bot_once_it_is_removed(visit: Callable[..., Visitor]) -> None:
    player = arrive(visit, SMALL["upright"])
    visitor, words, page = player.visitor, player.words, player.page
    token = make_program(player)
    expect(page.get_by_text(words.say("program.never"))).to_be_visible()
    give_seat(player)
    with started("JavaScript", visitor.house.url, token):
        begin(player)
        player.play(most=2)
        table = visitor.table
        visitor.go("/settings")
        expect(page.get_by_text(words.say("program.connected"))).to_be_visible()
        page.get_by_role("button", name=words.say("program.remove_label", name=NAME)).click()
        dialog = page.get_by_role("dialog", name=words.say("program.remove_title", name=NAME))
        player.button("program.remove", within=dialog).click()
        expect(page.get_by_role("list", name=words.say("program.list"))).to_be_hidden()
    visitor.go(f"/table/{table}")
    player.play(most=2)
