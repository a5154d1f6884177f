"""The tutorial: all of it by keys and without a connection; a part of it by touch, in Polish."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.learner import LESSONS, Learner, Step
from tests.e2e.test_screens import SMALL, WIDTHS
from tests.e2e.visiting import Visitor


class LearnerByKeys(Learner):
    """The focus is always where the next key is meant: nobody has to look for it."""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go_on(self) -> None:
        expect(self.following).to_be_focused()
        self.press("Enter")

    def claim_cards(self, place: list[Step]) -> None:
        expect(self.cards.nth(place[0]["slot"])).to_be_focused()
        for number, put in enumerate(place):
            if number:
                self.press("a")
            self.press(*["ArrowRight"] * (put["slot"] + 1))
            self.press(f"Shift+Digit{put['dice']}", f"Digit{put['effort']}")
        self.press("Enter")

    def recover_all(self) -> None:
        expect(self.button("page.pick.recover", within=self.picker)).to_be_focused()
        self.press("r")

    def roll_again(self) -> None:
        expect(self.button("page.reward.reroll_do", within=self.picker)).to_be_focused()
        self.press("Enter")


class LearnerByTouch(Learner):
    def go_on(self) -> None:
        self.following.tap()

    def claim_cards(self, place: list[Step]) -> None:
        for put in place:
            self.touch(put)
        self.send(self.claim)

    def touch(self, put: Step) -> None:
        """What is touched is in sight: the guide and the picker leave room for the cards."""
        card = self.cards.nth(put["slot"])
        expect(card).to_be_in_viewport(ratio=0.9)
        card.tap()
        for what, value in (("page.pick.dice", put["dice"]), ("page.pick.effort", put["effort"])):
            group = self.picker.get_by_role("group", name=self.words.say(what))
            group.get_by_role("button").nth(value - 1).tap()
        card.tap(trial=True)
        expect(self.claim).to_be_in_viewport(ratio=1)

    def recover_all(self) -> None:
        self.button("page.pick.recover", within=self.picker).tap()

    def roll_again(self) -> None:
        self.button("page.reward.reroll_do", within=self.picker).tap()


def test_all_lessons_are_learnt_by_keys_and_without_a_connection(visitor: Visitor) -> None:
    learner = LearnerByKeys(visitor)
    visitor.go("/rules")
    visitor.page.get_by_role("link", name=visitor.words.say("rules.learn")).press("Enter")
    begin = visitor.page.get_by_role("link", name=visitor.words.say("tutorial.begin"), exact=True)
    begin.wait_for()
    visitor.context.set_offline(True)
    begin.press("Enter")
    names = [lesson["name"] for lesson in LESSONS]
    for name in names[:-1]:
        learner.learn(name)
    expect(learner.title(names[-1])).to_be_visible()
    visitor.page.goto(f"{visitor.house.url}/#/tutorial")
    expect(visitor.page.get_by_text(visitor.words.say("tutorial.passed"))).to_have_count(len(names) - 1)
    go_on = visitor.page.get_by_role("link", name=visitor.words.any_of("tutorial.resume"))
    go_on.press("Enter")
    learner.learn(names[-1])
    expect(
        visitor.page.get_by_role("heading", name=visitor.words.say("tutorial.finish.title"))
    ).to_be_focused()
    visitor.context.set_offline(False)
    learner.button("page.home.solo").press("Enter")
    learner.await_turn()


def test_a_wrong_move_is_answered_with_what_to_do_instead(visitor: Visitor) -> None:
    learner = LearnerByKeys(visitor)
    visitor.go("/tutorial/push")
    learner.told("push", 1)
    expect(learner.cards.first).to_be_focused()
    learner.press("ArrowRight", "Digit4", "Enter")
    learner.step_out("push", 1, "claim")
    learner.press("r", "r")
    learner.step_out("push", 1, "recover")
    learner.press("Shift+Digit3", "Digit1", "Enter")
    learner.told("push", 2)


def test_a_lesson_is_left_and_taken_up_again_and_nobody_is_asked_twice(visitor: Visitor) -> None:
    learner = LearnerByKeys(visitor)
    words, page = visitor.words, visitor.page
    visitor.go()
    page.get_by_role("link", name=words.say("page.home.learn"), exact=True).click()
    learner.told("claim", 1)
    learner.go_on()
    learner.told("claim", 2)
    page.reload()
    learner.told("claim", 2)
    visitor.go()
    page.get_by_role("link", name=words.say("page.home.learn_on")).click()
    learner.learn("claim", begin=2)
    expect(learner.title("push")).to_be_visible()
    visitor.go(f"/tutorial/{LESSONS[-1]['name']}")
    learner.button("tutorial.skip").click()
    expect(page.get_by_role("heading", name=words.say("tutorial.finish.title"))).to_be_visible()
    visitor.go()
    expect(page.get_by_role("heading", name=words.say("page.home.how"))).to_be_visible()
    expect(page.get_by_role("link", name=words.say("page.home.learn_on"))).to_have_count(0)
    expect(page.get_by_role("link", name=words.say("page.home.learn"), exact=True)).to_have_count(1)


def test_lessons_are_learnt_by_touch_on_a_small_phone(visit: Callable[..., Visitor]) -> None:
    visitor = visit(language="pl", size=SMALL["upright"], is_mobile=True, has_touch=True)
    learner = LearnerByTouch(visitor)

    def fits() -> None:
        wide, room = visitor.page.evaluate(WIDTHS)
        assert wide <= room

    visitor.go("/tutorial/claim")
    learner.learn("claim", check=fits)
    learner.learn("push", check=fits)
