"""With everything moving: one's own dice wait for one's own hand."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.player import Player
from tests.e2e.visiting import Visitor


def test_ones_own_dice_are_thrown_by_ones_own_hand(visit: Callable[..., Visitor]) -> None:
    visitor = visit(preferences={"speed": "fast"}, is_moving=True)
    player = Player(visitor).solo()
    log = visitor.page.get_by_role("log")
    rolls = log.get_by_text(visitor.words.any_of("log.roll_holds.you", "log.roll_fails.you"))
    while not player.throw.is_visible():
        player.move()
        player.await_turn()
    expect(player.throw).to_be_focused()
    expect(rolls).to_have_count(0)
    visitor.page.keyboard.press("Space")
    expect(rolls.first).to_be_visible()


def test_who_is_in_a_hurry_skips_what_moves(visit: Callable[..., Visitor]) -> None:
    visitor = visit(preferences={"speed": "calm", "throwsByHand": False}, is_moving=True)
    player = Player(visitor).solo()
    player.stage()
    player.claim.click()
    player.button("page.stage.skip_label").click()
    player.await_turn()
    expect(visitor.page.get_by_role("group", name=visitor.words.say("page.stage.ghost.rolls"))).to_be_hidden()


SHIFTS = """
  window.shifted = [];
  new PerformanceObserver((list) => {
    const nodes = list.getEntries().flatMap((entry) => entry.sources.map((source) => source.node));
    const elements = nodes.map((node) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node));
    const inScenes = elements.filter((element) => element?.closest("[popover]"));
    window.shifted.push(...inScenes.map((element) => element.outerHTML));
  }).observe({ type: "layout-shift", buffered: true });
"""


def test_nothing_shifts_on_the_plate_of_a_throw(visit: Callable[..., Visitor]) -> None:
    visitor = visit(preferences={"speed": "fast"}, is_moving=True)
    visitor.context.add_init_script(SHIFTS)
    player = Player(visitor).solo()
    while not player.throw.is_visible():
        player.move()
        player.await_turn()
    player.move()
    player.await_turn()
    assert visitor.page.evaluate("window.shifted") == []
