"""A whole game through roles and names alone; what listeners are told of each screen is compared with files.

After a change that is meant, write them anew: ``ROYALCRYPT_SNAPSHOTS=write make test ARGS="-k snapshots"``.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.hosting import House
from tests.e2e.player import Player
from tests.e2e.screens import SCREENS
from tests.e2e.visiting import Visitor

FOLDER = Path(__file__).parent / "snapshots"
PLAIN = (
    "home",
    "bots",
    "new-table",
    "settings",
    "keys",
    "rules",
    "waiting-room",
    "invited",
    "wrong-link",
    "open-record",
)
"""Those that no game is needed for."""
LOOKS, PAUSE = 10, 300
VOLATILE = {
    # What is called out goes away by itself, sooner or later.
    r"\n- (?:status|alert)(?::.*(?:\n  .*)*)?": "",
    # The next mix of Collectors is drawn by the table's name.
    r'(three as before:"\n +- list:)(?:\n +- listitem: .*)+': r"\1 …",
    r"#/new/[AB]{6}[~\w]*": "#/new/…",
    r"#/table/[\w/-]+": "#/table/…",
    r"#/replay/[\w/-]+": "#/replay/…",
    r"/api/tables/[\w-]+": "/api/tables/…",
    r"http://127\.0\.0\.1:\d+": "http://…",
    r"\d{1,2}:\d{2}(?:\s?[AP]M)?": "…",
}


@pytest.fixture(scope="module")
def browser(browser_with_windows: Browser) -> Browser:
    return browser_with_windows


def told(visitor: Visitor) -> str:
    """Without what is another thing each time."""
    text = visitor.page.locator("body").aria_snapshot()
    for pattern, stand_in in VOLATILE.items():
        text = re.sub(pattern, stand_in, text)
    return text + "\n"


def compare(name: str, visitor: Visitor) -> None:
    """What comes a moment later than the heading is waited for."""
    path = FOLDER / f"{name}.yaml"
    if os.environ.get("ROYALCRYPT_SNAPSHOTS") == "write":
        visitor.page.wait_for_timeout(LOOKS * PAUSE)
        FOLDER.mkdir(exist_ok=True)
        path.write_text(told(visitor), "utf-8")
    before = path.read_text("utf-8")
    for _ in range(LOOKS):
        if told(visitor) == before:
            break
        visitor.page.wait_for_timeout(PAUSE)
    assert told(visitor) == before, f"{name}: see the module's docstring if this is meant"


@pytest.mark.parametrize("screen", PLAIN)
def test_a_screen_tells_listeners_what_it_told_them_before(screen: str, visitor: Visitor) -> None:
    SCREENS[screen](visitor)
    compare(screen, visitor)


def test_a_whole_game_tells_listeners_what_it_told_them_before(
    fragile: House, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(house=fragile)
    player = Player(visitor).solo()
    compare("game-first-turn", visitor)
    player.stage()
    compare("game-staged", visitor)
    player.button("page.table.reference").click()
    visitor.page.get_by_role("dialog").wait_for()
    compare("game-reference", visitor)
    player.button("page.close", within=visitor.page.get_by_role("dialog")).click()
    player.send(player.claim)
    player.play(most=6)
    player.await_turn()
    compare("game-middle", visitor)
    player.play()
    player.button("page.fair.check").click()
    visitor.page.get_by_text(visitor.words.say("page.fair.fair")).wait_for()
    compare("game-end", visitor)
    visitor.page.get_by_role("link", name=visitor.words.say("page.end.home"), exact=True).click()
    visitor.go("/games")
    visitor.page.get_by_role("link", name=visitor.words.say("page.games.look")).wait_for()
