"""A whole game without a mouse."""

from playwright.sync_api import Locator, expect

from tests.e2e.player import REWARDS, Player
from tests.e2e.visiting import Visitor

MOST_TABS = 80
IS_FOCUSED = "element => element === document.activeElement"


class KeyboardPlayer(Player):
    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def tab_to(self, wanted: Locator) -> None:
        """Where the focus goes is where the eye, or the ear, can follow."""
        wanted.wait_for()
        for _ in range(MOST_TABS):
            if wanted.evaluate(IS_FOCUSED):
                return
            self.press("Tab")
        raise AssertionError(f"{wanted} cannot be reached with the keyboard")

    def solo(self) -> "KeyboardPlayer":
        self.visitor.go()
        self.tab_to(self.button("page.home.solo"))
        self.press("Enter")
        self.await_turn()
        return self

    def stage(self) -> bool:
        for _ in range(self.cards.count()):
            self.press("ArrowRight")
            if self.choose("page.pick.dice"):
                assert self.choose("page.pick.effort")
                return True
        return False

    def choose(self, what: str) -> bool:
        group = self.picker.get_by_role("group", name=self.words.say(what))
        offered = [choice.get_attribute("aria-disabled") for choice in group.get_by_role("button").all()]
        possible = [number for number, disabled in enumerate(offered, 1) if disabled != "true"]
        if possible:
            number = min(self.chance.choice(possible), self.chance.choice(possible))
            self.press(f"Shift+Digit{number}" if what == "page.pick.dice" else f"Digit{number}")
        return bool(possible)

    def take_turn(self) -> None:
        if not self.stage():
            self.recover_or_pass()
            return
        self.press("Enter")
        self.await_answer()

    def recover_or_pass(self) -> None:
        is_pass = self.button("page.pick.pass", within=self.picker).is_visible()
        self.press("r")
        if is_pass:
            expect(self.button("page.pick.pass_yes", within=self.picker)).to_be_visible()
            self.press("r")
        self.await_answer()

    def answer_offer(self) -> None:
        self.tab_to(self.button(*REWARDS, within=self.picker))
        self.press("Enter")
        self.await_answer()


def test_a_whole_game_is_played_with_keys_alone(visitor: Visitor) -> None:
    player = KeyboardPlayer(visitor).solo()
    player.play()
    player.tab_to(player.button("page.fair.check"))
    player.press("Enter")
    expect(visitor.page.get_by_text(visitor.words.say("page.fair.fair"))).to_be_visible()


def test_windows_close_with_escape_and_the_focus_goes_back(visitor: Visitor) -> None:
    player = KeyboardPlayer(visitor).solo()
    opener = player.button("page.table.reference")
    player.tab_to(opener)
    player.press("Enter")
    window = visitor.page.get_by_role("dialog")
    expect(window).to_be_visible()
    player.press("Escape")
    expect(window).to_be_hidden()
    expect(opener).to_be_focused()
    player.press("?")
    expect(visitor.page.get_by_role("dialog", name=visitor.words.say("page.pick.keys"))).to_be_visible()


def test_a_new_screen_begins_at_its_heading(visitor: Visitor) -> None:
    player = KeyboardPlayer(visitor)
    visitor.go()
    rules = visitor.page.get_by_role("link", name=visitor.words.say("page.nav.rules"), exact=True)
    player.tab_to(rules)
    player.press("Enter")
    title = visitor.page.get_by_role("heading", name=visitor.words.say("rules.title"), level=1)
    expect(title).to_be_focused()
