"""A finished game looked at again: through all eyes, moment by moment, passed on and brought back."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tests.e2e.arriving import bots, finished_game, introduce
from tests.e2e.player import Player
from tests.e2e.visiting import Visitor


class Watcher(Player):
    """Somebody who looks at a replay."""

    @property
    def slider(self) -> Locator:
        return self.page.get_by_role("slider", name=self.words.say("replay.moment"))

    @property
    def eyes(self) -> Locator:
        return self.page.get_by_role("combobox", name=self.words.say("replay.eyes"))

    @property
    def line(self) -> Locator:
        """The line of the log that tells the moment."""
        log = self.page.get_by_role("region", name=self.words.say("replay.log"))
        return log.locator("[aria-current=step]")

    @property
    def said(self) -> Locator:
        return self.page.locator("[data-announcer=polite]")

    def at(self, number: int) -> None:
        expect(self.slider).to_have_value(str(number))
        expect(self.line).to_have_attribute("data-event", str(number))
        expect(self.said).to_contain_text(self.line.inner_text().strip())

    def look(self, name: str) -> None:
        self.eyes.select_option(label=name)
        expect(self.eyes.locator("option:checked")).to_have_text(name)


def numbers(truth: dict[str, Any], *types: str) -> list[int]:
    return [event["n"] for event in truth["events"] if event["type"] in types]


def test_a_game_is_replayed_shared_downloaded_and_opened_again(
    visit: Callable[..., Visitor], tmp_path: Path
) -> None:
    ada = visit(permissions=["clipboard-read", "clipboard-write"])
    table = finished_game(ada, **bots(2))
    truth = ada.house.truth(table)
    assert truth
    last = len(truth["events"]) - 1
    ada.go("/games")
    watcher, words, page = Watcher(ada), ada.words, ada.page
    page.get_by_role("link", name=words.say("page.games.replay")).click()
    watcher.at(0)

    # By event, move and round, by buttons and by keys.
    watcher.button("replay.next.event").click()
    watcher.at(1)
    watcher.button("replay.next.round").click()
    second = numbers(truth, "reveal")[1]
    watcher.at(second)
    watcher.button("replay.previous.event").click()
    watcher.at(second - 1)
    page.keyboard.press("Home")
    watcher.at(0)
    page.keyboard.press("PageDown")
    page.keyboard.press("Shift+ArrowRight")
    watcher.at(next(n for n in numbers(truth, "claim", "recover", "take", "peek", "mend") if n > second))
    page.get_by_role("combobox", name=words.say("replay.round")).select_option(label="Round 5")
    watcher.at(numbers(truth, "reveal")[4])

    # Everybody knows what they knew: at a Reveal its face-down card, nobody but who sees everything.
    crypt = watcher.crypt
    expect(crypt.get_by_text("face-down.").first).to_be_attached()
    down = truth["events"][numbers(truth, "reveal")[4]]["row"][3]
    known = re.compile(rf"worth {down[1]} coins?, face-down")
    for name in (words.say("replay.eyes.spectator"), "Ada"):
        watcher.look(name)
        expect(crypt.get_by_text(known)).to_have_count(0)
        about = crypt.get_by_role("button", name=words.any_of("page.know.open"))
        expect(about).to_be_visible()
    watcher.look(words.say("replay.eyes.all"))
    expect(crypt.get_by_text(known)).to_be_attached()
    expect(watcher.said).to_contain_text(words.say("replay.eyes.now_all"))

    # The link leads somebody else to this very moment.
    watcher.button("replay.link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    bo = introduce(visit(), "Bo")
    bo.page.goto(link)
    guest = Watcher(bo)
    guest.at(numbers(truth, "reveal")[4])
    expect(guest.eyes.locator("option:checked")).to_have_text(words.say("replay.eyes.all"))
    with bo.page.expect_download() as given:
        guest.button("replay.download").click()
    assert json.loads(given.value.path().read_text("utf-8"))["result"] == truth["result"]

    # To the end, where all is counted; and what was downloaded is shown again to a stranger.
    page.keyboard.press("End")
    watcher.at(last)
    total = watcher.score_sheet.get_by_role("row", name=words.say("page.end.sheet.total"))
    expect(total.get_by_role("cell").first).to_have_text(str(truth["result"]["scores"][0]))
    with page.expect_download() as waiting:
        page.get_by_role("link", name=words.say("replay.download")).click()
    file = tmp_path / "record.json"
    waiting.value.save_as(file)
    stranger = Watcher(visit())
    stranger.visitor.go("/replay")
    with stranger.page.expect_file_chooser() as chooser:
        stranger.button("replay.open.choose").click()
    chooser.value.set_files(file)
    stranger.at(0)
    stranger.look("Ada")


def test_a_bad_record_is_answered_in_every_language_by_the_event_and_the_rule(
    visit: Callable[..., Visitor], repository: Path
) -> None:
    record = json.loads((repository / "tests/golden/records/2-players.json").read_text("utf-8"))
    claim = next(event for event in record["events"] if event["type"] == "claim")
    claim["place"][0]["effort"] = 7
    for language in ("en", "pl", "fr", "el"):
        visitor = visit(language=language)
        words = visitor.words
        visitor.go("/replay")
        visitor.page.get_by_role("textbox", name=words.say("replay.open.paste")).fill(json.dumps(record))
        visitor.page.get_by_role("button", name=words.say("replay.open.show")).click()
        why = words.say("reason.wrong_effort", effort=7)
        expected = words.say("reason.broken_rule", n=claim["n"], why=why)
        expect(visitor.page.get_by_role("alert").filter(has_text=expected)).to_be_visible()


def test_on_a_phone_a_game_plays_by_itself_until_somebody_pauses_it(visit: Callable[..., Visitor]) -> None:
    visitor = visit(size=(360, 740), is_moving=True, preferences={"speed": "fast"}, has_touch=True)
    table = finished_game(visitor, players=1)
    visitor.go(f"/table/{table}")
    watcher = Watcher(visitor)
    watcher.end.first.wait_for()
    if (skip := watcher.button("page.end.skip")).is_visible():
        skip.tap()
    visitor.page.get_by_role("link", name=visitor.words.say("page.end.replay")).tap()
    expect(watcher.slider).to_have_value("0")
    watcher.button("replay.play").tap()
    expect(watcher.slider).not_to_have_value(re.compile("^[012]$"), timeout=30_000)
    watcher.button("replay.pause").tap()
    expect(watcher.button("replay.play")).to_be_visible()
    for name in ("replay.previous.round", "replay.next.round", "replay.play"):
        box = watcher.button(name).bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
