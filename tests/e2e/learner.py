"""Takes the tutorial's lessons, by keys or by touch, as the guide asks."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, expect

from tests.e2e.player import Player
from tests.golden import lessons

LESSONS: list[dict[str, Any]] = json.loads(lessons.PATH.read_text("utf-8"))
Step = dict[str, Any]


class Learner(Player, ABC):
    """How a move is made is up to those who take after it."""

    @property
    def guide(self) -> Locator:
        return self.page.get_by_role("region", name=self.words.any_of("tutorial.coach", is_whole=False))

    @property
    def following(self) -> Locator:
        return self.button("tutorial.next", "tutorial.next_lesson", "tutorial.finish", within=self.guide)

    def title(self, name: str) -> Locator:
        return self.page.get_by_role("heading", name=self.words.say(f"tutorial.{name}.title"), level=1)

    def told(self, name: str, number: int) -> None:
        """What a step says is there to read, and was called out."""
        text = self.words.any_of(f"tutorial.{name}.{number}", is_whole=False)
        expect(self.guide.get_by_text(text)).to_be_visible()
        spoken = self.words.any_of(f"tutorial.{name}.title", f"tutorial.{name}.{number}", is_whole=False)
        expect(self.page.get_by_role("alert").get_by_text(spoken).last).to_be_attached()

    def learn(self, name: str, *, begin: int = 1, check: Callable[[], None] = lambda: None) -> None:
        """A lesson from a step on, up to the next lesson or the end."""
        told = next(lesson for lesson in LESSONS if lesson["name"] == name)
        expect(self.title(name)).to_be_visible()
        for number, step in enumerate(told["steps"], 1):
            if number < begin:
                continue
            self.told(name, number)
            check()
            if "do" in step:
                [action] = step["do"]
                self.do(action)
            else:
                self.go_on()

    def do(self, action: Step) -> None:
        match action["do"]:
            case "claim":
                self.claim_cards(action["place"])
            case "recover":
                self.recover_all()
            case _:
                self.roll_again()

    @abstractmethod
    def go_on(self) -> None: ...

    @abstractmethod
    def claim_cards(self, place: list[Step]) -> None: ...

    @abstractmethod
    def recover_all(self) -> None: ...

    @abstractmethod
    def roll_again(self) -> None: ...

    def step_out(self, name: str, number: int, kind: str) -> None:
        """After a move that the lesson does not ask for, the guide says what to do instead."""
        todo = self.words.say(f"tutorial.{name}.{number}.todo")
        hint = self.words.say(f"tutorial.hint.{kind}", todo=todo)
        expect(self.guide.get_by_text(hint)).to_be_visible()
        expect(self.page.get_by_role("alert").get_by_text(hint)).to_be_attached()
