"""Plays through the page, by roles and names alone: reads what is offered, and answers it."""

import random

from playwright.sync_api import Locator, Page

from tests.e2e.visiting import Visitor

GAME = 120_000
"""Milliseconds for what others have to do first, on a busy machine."""
REWARDS = ("page.reward.take_do", "page.reward.reroll_do", "page.reward.mend_do", "page.reward.peek_do")


class Player:
    def __init__(self, visitor: Visitor, seed: int = 1) -> None:
        self.visitor = visitor
        self.words = visitor.words
        self.page: Page = visitor.page
        self.chance = random.Random(seed)
        self.moves = 0

    def button(self, *keys: str, within: Locator | None = None, is_whole: bool = True) -> Locator:
        name = self.words.any_of(*keys, is_whole=is_whole)
        return (within or self.page).get_by_role("button", name=name)

    # What is on the table.

    @property
    def crypt(self) -> Locator:
        return self.page.get_by_role("region", name=self.words.say("page.table.crypt"))

    @property
    def cards(self) -> Locator:
        return self.button("page.table.niche", within=self.crypt, is_whole=False)

    @property
    def picker(self) -> Locator:
        return self.page.get_by_role("region", name=self.words.say("page.pick.title"))

    @property
    def recover(self) -> Locator:
        return self.button("page.pick.recover", "page.pick.pass", within=self.picker)

    @property
    def claim(self) -> Locator:
        keys = ("page.pick.claim", "page.pick.claim_many", "page.pick.claim_none")
        return self.button(*keys, within=self.picker)

    @property
    def refuse(self) -> Locator:
        return self.button("page.reward.decline", within=self.picker)

    @property
    def throw(self) -> Locator:
        return self.button("page.stage.throw_label")

    @property
    def score_sheet(self) -> Locator:
        return self.page.get_by_role("table", name=self.words.say("page.end.sheet"))

    @property
    def end(self) -> Locator:
        return self.score_sheet.or_(self.button("page.end.skip"))

    # What one does.

    def solo(self) -> "Player":
        """From home into a game against the Ghost."""
        self.visitor.go()
        self.button("page.home.solo").click()
        self.await_turn()
        return self

    def await_turn(self) -> None:
        """Until something is asked of this player, or the game is over."""
        asked = self.recover.or_(self.refuse).or_(self.throw).or_(self.end)
        asked.first.wait_for(timeout=GAME)

    def play(self, *, most: int = 10_000) -> None:
        """So many moves, or the whole game."""
        for _ in range(most):
            self.await_turn()
            if not self.move():
                return

    def move(self) -> bool:
        """Answers what is asked; not once the game is over."""
        if self.throw.is_visible():
            self.throw.press("Enter")
            self.throw.wait_for(state="hidden")
        elif self.refuse.is_visible():
            self.answer_offer()
        elif self.recover.is_visible():
            self.take_turn()
        elif self.end.first.is_visible():
            return False
        return True

    def answer_offer(self) -> None:
        accept = self.button(*REWARDS, within=self.picker)
        self.send(accept if self.chance.random() < 0.7 else self.refuse)

    def take_turn(self) -> None:
        is_tired = self.button("page.pick.recover", within=self.picker).is_visible()
        if (is_tired and self.chance.random() < 0.3) or not self.stage():
            self.recover_or_pass()
            return
        another = self.button("page.pick.another", within=self.picker)
        if self.chance.random() < 0.3 and another.is_visible():
            another.click()
            self.stage()
        self.send(self.claim)

    def stage(self) -> bool:
        """Dice on a card, if there is one that takes them."""
        cards = self.cards.all()
        self.chance.shuffle(cards)
        for card in cards:
            card.click()
            if self.choose("page.pick.dice"):
                assert self.choose("page.pick.effort")
                return True
        return False

    def choose(self, what: str) -> bool:
        """One of the numbers of dice or effort that are possible; sooner a low one."""
        group = self.picker.get_by_role("group", name=self.words.say(what))
        possible = group.get_by_role("button", disabled=False)
        count = possible.count()
        if count == 0:
            return False
        possible.nth(min(self.chance.randrange(count), self.chance.randrange(count))).click()
        return True

    def recover_or_pass(self) -> None:
        sure = self.button("page.pick.pass_yes", within=self.picker)
        is_pass = self.button("page.pick.pass", within=self.picker).is_visible()
        if is_pass:
            self.recover.click()
        self.send(sure if is_pass else self.recover)

    def send(self, button: Locator) -> None:
        """Until the server has answered."""
        button.click()
        self.await_answer()

    def await_answer(self) -> None:
        self.moves += 1
        self.button("page.pick.sending").first.wait_for(state="hidden", timeout=GAME)


def play_together(players: list[Player]) -> None:
    """Each in turn, as the table says whose turn it is, to the end."""
    names = {name_of(player): player for player in players}
    looker = players[0]
    while not looker.score_sheet.is_visible():
        deciding = who_decides(looker, names)
        deciding.await_turn()
        if not deciding.move():
            break
        looker = deciding
    for player in players:
        player.score_sheet.wait_for(timeout=GAME)


def who_decides(looker: Player, names: dict[str, Player]) -> Player:
    """As somebody's page says it: whoever is asked there, or another heir who is deciding."""
    mark = looker.page.get_by_text(looker.words.say("page.table.deciding"), exact=True)
    asked = looker.recover.or_(looker.refuse).or_(looker.end).or_(mark)
    asked.first.wait_for(timeout=GAME)
    if not mark.is_visible():
        return looker
    heir = looker.page.get_by_role("article").filter(has=mark)
    return names[heir.get_by_role("heading").inner_text().strip()]


def name_of(player: Player) -> str:
    truth = player.visitor.house.truth(player.visitor.table)
    seat = player.visitor.seat
    assert truth
    assert seat is not None
    return truth["game"]["seats"][seat]["name"]
