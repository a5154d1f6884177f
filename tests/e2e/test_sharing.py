"""Two people with one phone: it goes from hand to hand, and nobody's cards are on it in between."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from tests.e2e.player import GAME, Player
from tests.e2e.test_screens import WIDTHS
from tests.e2e.visiting import SIZES, Visitor

PRIVATE = (
    "page.table.only_you",
    "page.know.yours",
    "page.table.score.secret",
    "page.table.treasure.secret",
    "page.table.card.secret",
)


class Sharer(Player):
    """Whoever is called takes the phone, after a look that nothing private is on it."""

    handed = 0

    @property
    def called(self) -> Locator:
        return self.button("page.share.i_am")

    def await_turn(self) -> None:
        self.called.or_(self.recover).or_(self.refuse).or_(self.end).first.wait_for(timeout=GAME)
        if self.called.is_visible():
            self.check_is_public()
            self.called.click()
            self.handed += 1
        super().await_turn()

    def check_is_public(self) -> None:
        assert self.visitor.view()["seat"] is None
        assert self.page.locator("#mine-heading").count() == 0
        content = self.page.content()
        for key in PRIVATE:
            for form in self.words.forms(key):
                words = max(form.replace("}", "{").split("{"), key=len)
                assert words not in content, words
        wide, room = self.page.evaluate(WIDTHS)
        assert wide <= room


def begun(visitor: Visitor) -> Sharer:
    """Ada and Bo at one device, a few moves on, and the page loaded anew."""
    page, say = visitor.page, visitor.words.say
    visitor.go("/new")
    page.get_by_role("combobox", name=say("page.new.seat_label", number=2)).select_option(
        say("page.new.here")
    )
    for number, name in ((1, "Ada"), (2, "Bo")):
        page.get_by_role("textbox", name=say("page.new.here_name", number=number)).fill(name)
    players = Sharer(visitor, seed=2)
    players.button("page.new.start").click()
    players.play(most=4)

    page.reload()
    expect(players.called).to_be_visible()
    players.check_is_public()
    assert visitor.page.get_by_role("tab").count() == 2, "what is for one alone is not offered here"
    return players


def test_two_people_share_a_phone_to_the_end_and_nobody_sees_the_others_cards(
    visit: Callable[..., Visitor],
) -> None:
    visitor = visit(size=SIZES["phone"], has_touch=True)
    players = begun(visitor)
    players.play()
    assert players.handed > 12
    truth = visitor.house.truth(visitor.table)
    assert truth
    assert [seat["name"] for seat in truth["game"]["seats"]] == ["Ada", "Bo"]
    totals = players.score_sheet.get_by_role("row", name=visitor.words.say("page.end.sheet.total"))
    assert totals.get_by_role("cell").all_inner_texts() == [str(score) for score in truth["result"]["scores"]]


def test_two_people_share_a_large_screen_and_nobody_sees_the_others_cards(
    visit: Callable[..., Visitor],
) -> None:
    players = begun(visit(size=SIZES["desktop"], has_touch=True))
    players.play(most=4)
    assert players.handed > 4
