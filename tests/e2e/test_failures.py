"""Whatever goes wrong has a text that says what happened, and a button that helps."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.arriving import ask, introduce, link_of, open_table, table_of
from tests.e2e.lines import Json, Line
from tests.e2e.player import Player
from tests.e2e.screens import heading
from tests.e2e.visiting import Visitor
from tests.server.harness import Host, person


def test_a_first_visit_leaves_no_trouble_in_the_console(visitor: Visitor) -> None:
    noted: list[str] = []
    visitor.page.on("console", lambda message: noted.append(message.text))
    visitor.go("/")
    expect(Player(visitor).button("page.home.solo")).to_be_visible()
    visitor.page.wait_for_load_state("networkidle")
    assert noted == []


def test_a_wrong_link_says_so_and_takes_the_right_one(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    answer = open_table(visitor, players=2)
    visitor.go("/table/nowhere")
    expect(heading(visitor, "page.failed.title.no_such_table")).to_be_visible()
    expect(visitor.page.get_by_text(visitor.words.say("page.failed.check_link"))).to_be_visible()
    link = visitor.page.get_by_role("textbox", name=visitor.words.say("page.home.join_label"))
    link.fill("far too short?")
    Player(visitor).button("page.home.join_go").click()
    expect(visitor.page.get_by_text(visitor.words.any_of("page.home.join_wrong"))).to_be_visible()
    link.fill(f"{visitor.house.url}/#{link_of(answer)}")
    Player(visitor).button("page.home.join_go").click()
    expect(heading(visitor, "page.wait.title")).to_be_visible()


def test_a_full_table_says_so_and_lets_one_watch(visitor: Visitor) -> None:
    answer = table_of(visitor.house, players=2, bots=[{"seat": 1, "level": "random"}])
    introduce(visitor, "Ada")
    visitor.go(link_of(answer))
    expect(visitor.page.get_by_text(visitor.words.say("page.wait.full"))).to_be_visible()
    seat = visitor.page.get_by_role("button", name=visitor.words.any_of("page.wait.sit_at"))
    expect(seat).to_have_count(0)


def test_a_refused_move_is_explained_and_can_be_made_again(visitor: Visitor) -> None:
    refusals = [100]

    def from_the_future(message: Json) -> Json:
        ahead = refusals.pop() if refusals and message["type"] == "act" else 0
        return message | {"ply": message["ply"] + ahead} if ahead else message

    Line(visitor, alter=from_the_future)
    player = Player(visitor).solo()
    player.stage()
    player.send(player.claim)
    expect(player.picker.get_by_text(visitor.words.any_of("reason.ply_ahead"))).to_be_visible()
    player.send(player.claim)
    expect(player.picker.get_by_text(visitor.words.any_of("reason.ply_ahead"))).to_be_hidden()
    player.play(most=2)


def test_whoever_a_bot_plays_for_takes_the_seat_back_and_hears_what_happened(visitor: Visitor) -> None:
    introduce(visitor, "Ada")
    answer = open_table(visitor, players=2, leader=0)
    table, invite = answer["info"]["table"], answer["you"]["invite"]

    async def join(host: Host) -> None:
        async with person(host, "Bo", is_connected=False) as bo:
            sit = {"entropy": "Bo"}
            await bo.post(f"/api/tables/{table}/seats/1", sit, headers={"X-Table-Invite": invite})

    visitor.house.ask(join)
    visitor.go(link_of(answer))
    player = Player(visitor)
    player.button("page.wait.start").click()
    player.await_turn()
    ask(visitor, f"/tables/{table}/leave")
    gone = visitor.page.get_by_role("alert").filter(has_text=visitor.words.say("page.wait.taken.left"))
    expect(gone).to_be_visible()
    expect(visitor.page.get_by_text(visitor.words.any_of("page.pick.waiting"))).to_be_visible()
    player.button("page.wait.come_back", within=gone).click()
    recap = visitor.page.get_by_role("dialog", name=visitor.words.say("page.wait.recap"))
    expect(recap.get_by_role("listitem").first).to_be_visible()
    player.button("page.wait.recap_done", within=recap).click()
    expect(gone).to_be_hidden()


def test_a_table_that_its_owner_closed_says_so(visit: Callable[..., Visitor]) -> None:
    owner, guest = introduce(visit(), "Ada"), introduce(visit(), "Bo")
    answer = open_table(owner, players=2)
    for visitor in (owner, guest):
        visitor.go(link_of(answer))
        expect(heading(visitor, "page.wait.title")).to_be_visible()
    Player(owner).button("page.wait.close").click()
    expect(heading(guest, "page.failed.title.table_closed")).to_be_visible()
    expect(guest.page.get_by_text(guest.words.say("page.failed.closed.owner"))).to_be_visible()
    Player(guest).button("page.home.solo").click()
    Player(guest).await_turn()
