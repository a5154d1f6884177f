"""On the smallest phone, either way round."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.arriving import introduce, play_bots
from tests.e2e.player import Player
from tests.e2e.test_screens import SMALL, WIDTHS
from tests.e2e.visiting import Visitor


class PhonePlayer(Player):
    """Looks at every turn whether anything sticks out sideways."""

    def await_turn(self) -> None:
        super().await_turn()
        wide, room = self.page.evaluate(WIDTHS)
        assert wide <= room


def turn(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})


def on_a_phone(visit: Callable[..., Visitor]) -> Visitor:
    visitor = visit(size=SMALL["upright"], is_mobile=True, has_touch=True)
    introduce(visitor, "Ada")
    return visitor


def test_a_whole_game_of_four_fits_a_phone_held_either_way(visit: Callable[..., Visitor]) -> None:
    visitor = on_a_phone(visit)
    play_bots(visitor)
    player = PhonePlayer(visitor)
    player.play(most=6)
    turn(visitor, SMALL["on its side"])
    player.play(most=6)
    turn(visitor, SMALL["upright"])
    player.play()


def test_dice_cards_and_picker_are_in_sight_together(visit: Callable[..., Visitor]) -> None:
    visitor = on_a_phone(visit)
    play_bots(visitor)
    player = Player(visitor)
    player.await_turn()
    assert player.stage()
    for size in (SMALL["upright"], SMALL["on its side"]):
        turn(visitor, size)
        visitor.page.evaluate("() => scrollTo(0, 0)")
        assert player.cards.count() == 6
        for card in player.cards.all():
            expect(card).to_be_in_viewport(ratio=0.95)
            card.click(trial=True)
        expect(player.claim).to_be_in_viewport(ratio=1)
        expect(player.recover).to_be_in_viewport(ratio=1)
        dice = visitor.page.get_by_role("region", name=visitor.words.say("page.table.you"), exact=True)
        servants = dice.get_by_role("img", name=visitor.words.any_of("page.table.dice.ready", is_whole=False))
        expect(servants).to_be_in_viewport(ratio=1)
        assert visitor.page.evaluate("() => scrollY") == 0
