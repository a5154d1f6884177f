"""The game as an app: installed, without a connection, telling whose turn it is, heard, and by e-mail."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.arriving import introduce, open_table
from tests.e2e.hosting import House
from tests.e2e.player import Player
from tests.e2e.screens import heading, home, see
from tests.e2e.visiting import SIZES, Visitor
from tests.server.harness import Host, any_action, person
from tests.server.letterbox import Letterbox, link_in

CONTROLLED = "navigator.serviceWorker.controller !== null"


@pytest.fixture(scope="module")
def browser(browser_with_windows: Browser) -> Browser:
    return browser_with_windows


def until(page: Page, so: str) -> None:
    """Asked again and again from outside: the page itself may not make code of words."""
    for _ in range(200):
        if page.evaluate(so):
            return
        page.wait_for_timeout(100)
    raise AssertionError(so)


def say(visitor: Visitor, key: str) -> Any:
    return visitor.page.get_by_text(visitor.words.say(key), exact=True)


def kept(page: Page) -> dict[str, list[str]]:
    """By cache, the paths in it."""
    return page.evaluate(
        """async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) =>
            [name, (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)])))"""
    )


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_game_is_installed_read_without_a_connection_and_played_when_it_is_back(
    visit: Callable[..., Visitor], size: tuple[int, int]
) -> None:
    visitor = visit(has_helper=True, language="pl", size=size)
    page = visitor.page
    home(visitor)
    until(page, CONTROLLED)
    devtools: Any = visitor.context.new_cdp_session(page)
    manifest: dict[str, Any] = devtools.send("Page.getAppManifest")
    assert (manifest["errors"], manifest["url"]) == ([], f"{visitor.house.url}/manifest.webmanifest")
    found: dict[str, Any] = devtools.send("Page.getInstallabilityErrors")
    assert {fault["errorId"] for fault in found["installabilityErrors"]} <= {"in-incognito"}
    (paths,) = kept(page).values()
    assert "/" in paths
    assert not [path for path in paths if path.startswith(("/api", "/socket"))]
    assert [path for path in paths if "latin-ext" in path]
    assert not [path for path in paths if "greek" in path]

    visitor.context.set_offline(True)
    page.reload()
    home(visitor)
    lost = page.get_by_role("region", name=visitor.words.say("page.offline.title"))
    expect(lost).to_be_visible()
    lost.get_by_role("link", name=visitor.words.say("page.nav.rules")).click()
    expect(heading(visitor, "rules.title")).to_be_visible()
    page.go_back()
    lost.get_by_role("link", name=visitor.words.say("page.offline.learn")).click()
    expect(page.get_by_role("main")).to_be_visible()
    for key in ("page.offline.title", "page.failed.title.outdated", "page.wait.loading"):
        expect(heading(visitor, key)).to_have_count(0)
    see(visitor, "/lobby", "page.lobby.title")
    expect(lost).to_be_visible()
    expect(say(visitor, "page.lobby.loading")).to_have_count(0)
    see(visitor, "/table/somewhere1", "page.offline.title")

    visitor.context.set_offline(False)
    Player(visitor).solo()
    expect(lost).to_have_count(0)
    assert not [path for path in next(iter(kept(page).values())) if path.startswith(("/api", "/socket"))]


def test_a_page_from_before_an_upgrade_is_not_shown_for_long(visit: Callable[..., Visitor]) -> None:
    """The server answers in time: what is kept is not even looked at."""
    visitor = visit(has_helper=True)
    home(visitor)
    until(visitor.page, CONTROLLED)
    visitor.page.evaluate(
        """async () => {
            const [name] = await caches.keys();
            const old = new Response("<h1>old</h1>", { headers: { "Content-Type": "text/html" } });
            await (await caches.open(name)).put("/", old);
        }"""
    )
    visitor.page.reload()
    home(visitor)
    visitor.context.set_offline(True)
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", name="old")).to_be_visible()


HIDE = "(is) => Object.defineProperty(document, 'hidden', { configurable: true, get: () => is })"
TOLD = """async () => (await (await navigator.serviceWorker.getRegistration()).getNotifications())
    .map(({ tag, title, body, data }) => ({ tag, title, body, data }))"""


def told(page: Page, count: int) -> list[dict[str, str]]:
    """What the device shows, once it is so much."""
    for _ in range(50):
        if len(page.evaluate(TOLD)) == count:
            break
        page.wait_for_timeout(100)
    return page.evaluate(TOLD)


def with_bo(visitor: Visitor, table: str, invite: str) -> Callable[[], None]:
    """Bo sits down; what is given makes his next move."""

    async def sit(host: Host) -> dict[str, str]:
        async with person(host, "Bo", is_connected=False) as bo:
            link = {"X-Table-Invite": invite}
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": "Bo"}, headers=link)
            return dict(bo.http.cookies)

    cookies = visitor.house.ask(sit)

    async def move(host: Host) -> None:
        async with person(host, "Nobody", is_connected=False) as bo:
            bo.http.cookies.clear()
            bo.http.cookies.update(cookies)
            await bo.connect()
            await bo.watch(table)
            while bo.view["actor"] == 1:
                await bo.act(table, any_action(bo.view, random.Random(3)))

    return lambda: visitor.house.ask(move)


def test_who_looks_elsewhere_is_told_once_that_it_is_their_turn(visit: Callable[..., Visitor]) -> None:
    visitor = introduce(visit(has_helper=True, permissions=["notifications"]), "Ada")
    page = visitor.page
    opened = open_table(visitor, players=2, leader=1)
    table = opened["info"]["table"]
    bo_moves = with_bo(visitor, table, opened["you"]["invite"])
    see(visitor, "/settings", "page.settings.title")
    until(page, CONTROLLED)
    switch = page.get_by_role("switch", name=visitor.words.say("app.notify.label"))
    expect(switch).not_to_be_checked()
    switch.check()
    visitor.context.request.post(f"/api/tables/{table}/start")
    page.evaluate(HIDE, True)
    bo_moves()
    (shown,) = told(page, 1)
    assert shown["tag"] == table
    assert shown["title"] == visitor.words.say("app.notify.turn")
    assert "Bo" in shown["body"]
    assert shown["data"] == f"#/table/{table}"
    page.evaluate(HIDE, False)
    visitor.go(f"/table/{table}")
    assert told(page, 0) == [], "it was looked at"
    player = Player(visitor)
    player.await_turn()
    while visitor.view()["actor"] == 0:
        player.move()
    second = visitor.context.new_page()
    second.goto("/#/rules")
    page.evaluate(HIDE, True)
    bo_moves()
    page.wait_for_timeout(500)
    assert told(page, 0) == [], "somebody looks at another page of ours"


def test_a_browser_that_refuses_notifications_is_not_asked_again(visit: Callable[..., Visitor]) -> None:
    visitor = visit()
    visitor.context.add_init_script(
        "Object.defineProperty(Notification, 'permission', { get: () => 'denied' });"
        "Notification.requestPermission = () => { throw new Error('asked') };"
    )
    see(visitor, "/settings", "page.settings.title")
    switch = visitor.page.get_by_role("switch", name=visitor.words.say("app.notify.label"))
    expect(say(visitor, "app.notify.denied")).to_be_visible()
    switch.click()
    expect(switch).not_to_be_checked()


LISTEN = """
  window.audio = { contexts: [], started: 0 };
  const Silent = window.AudioContext;
  window.AudioContext = class extends Silent {
    constructor(...how) { super(...how); window.audio.contexts.push(this); }
  };
  for (const { prototype } of [OscillatorNode, AudioBufferSourceNode]) {
    const start = prototype.start;
    prototype.start = function (...when) { window.audio.started++; start.apply(this, when); };
  }
"""


def test_nothing_is_heard_until_somebody_wants_it(visit: Callable[..., Visitor]) -> None:
    visitor = visit(preferences={"speed": "fast", "throwsByHand": False}, is_moving=True)
    visitor.context.add_init_script(LISTEN)
    page = visitor.page
    player = Player(visitor).solo()
    player.move()
    player.await_turn()
    assert page.evaluate("audio.contexts.length") == 0
    see(visitor, "/settings", "page.settings.title")
    switch = page.get_by_role("switch", name=visitor.words.say("app.sound.label"))
    switch.check()
    until(page, "audio.contexts.length === 1 && audio.started > 0")
    until(page, "audio.contexts[0].state === 'running'")
    before = page.evaluate("audio.started")
    player.button("app.sound.test").click()
    until(page, f"audio.started > {before + 3}")
    page.wait_for_timeout(800)
    before = page.evaluate("audio.started")
    page.go_back()
    player.await_turn()
    player.move()
    until(page, f"audio.started > {before}")
    see(visitor, "/settings", "page.settings.title")
    switch.uncheck()
    until(page, "audio.contexts.every(({ state }) => state === 'closed')")


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[tuple[House, Letterbox]]:
    box = Letterbox().open()
    opened = House(tmp_path / "writing", **box.settings).open()
    yield opened, box
    opened.close()
    box.close()


def test_an_address_is_given_confirmed_by_its_link_and_taken_back(
    writing: tuple[House, Letterbox], visit: Callable[..., Visitor]
) -> None:
    house, box = writing
    visitor = introduce(visit(house=house), "Ada")
    page, player = visitor.page, Player(visitor)
    see(visitor, "/settings", "page.settings.title")
    panel = page.get_by_role("region", name=visitor.words.say("app.mail.title"))
    panel.get_by_role("textbox").fill("ada@mail")
    player.button("app.mail.give").click()
    expect(panel.get_by_text(visitor.words.any_of("reason.wrong_address"))).to_be_visible()
    panel.get_by_role("textbox").fill("ada@mail.example")
    player.button("app.mail.give").click()
    expect(panel.get_by_text(visitor.words.any_of("app.mail.asked"))).to_be_visible()
    (letter,) = box.letters
    page.goto(link_in(letter, "confirm"))
    player.button("mail.confirm.button").click()
    expect(page.get_by_text(visitor.words.any_of("mail.confirm.done"))).to_be_visible()
    see(visitor, "/settings", "page.settings.title")
    expect(panel.get_by_text(visitor.words.any_of("app.mail.confirmed"))).to_be_visible()
    player.button("app.mail.stop").click()
    expect(panel.get_by_role("textbox")).to_be_visible()
