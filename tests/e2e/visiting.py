"""Somebody with a browser of their own: a page, the words on it, and all that reached it."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, WebSocket

from royalcrypt.play.view_changes import apply_changes
from tests.e2e.hosting import House
from tests.e2e.knowledge import leaks
from tests.e2e.wording import Words

DESKTOP = (1280, 800)
SIZES = {"phone": (360, 740), "desktop": DESKTOP}
AT_ONCE = {"speed": "instant"}
"""Nothing moves."""
PREFERENCES = "royalcrypt.preferences"
SETTLED_CHANCE = """
  crypto.getRandomValues = (array) => array.fill(7);
  Math.random = () => 0.25;
"""
"""What a device adds to a game's chance is the same every time, and so is the name it suggests."""
USUAL = (
    "Failed to load resource",
    "WebSocket connection to",
    "Service Worker registration blocked by Playwright",
)
"""A browser notes every refusal, every attempt while nobody answers, and what tests forbid."""


class Visitor:
    def __init__(
        self,
        browser: Browser,
        house: House,
        *,
        language: str = "en",
        preferences: dict[str, Any] | None = None,
        size: tuple[int, int] = DESKTOP,
        is_moving: bool = False,
        has_helper: bool = False,
        **options: Any,
    ) -> None:
        self.house = house
        self.words = Words(language)
        self.context: BrowserContext = browser.new_context(
            base_url=house.url,
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            accept_downloads=True,
            service_workers="allow" if has_helper else "block",
            reduced_motion="no-preference" if is_moving else "reduce",
            **options,
        )
        self.context.set_default_timeout(30_000)
        wanted = AT_ONCE if preferences is None else preferences
        self.context.add_init_script(
            f"localStorage.getItem({PREFERENCES!r}) ?? "
            f"localStorage.setItem({PREFERENCES!r}, JSON.stringify({json.dumps(wanted)}));" + SETTLED_CHANCE
        )
        self.heard: list[str] = []
        self.said: list[str] = []
        self.troubles: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("websocket", self._listen)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._note)
        self.page.on("request", self._watch)

    def go(self, path: str = "/") -> "Visitor":
        """To a screen, by the part of the address after its #."""
        self.page.goto(f"/#{path}")
        return self

    @property
    def table(self) -> str:
        """The id of the table that is on the screen."""
        parts = self.page.url.partition("#/table/")[2].split("/")
        assert parts[0], self.page.url
        return parts[0]

    @property
    def seat(self) -> int | None:
        """One's own at the table on the screen."""
        return self._last("you")["seat"]

    def view(self) -> dict[str, Any]:
        """The view to which everything led that came over the line for the table on the screen."""
        view: dict[str, Any] = {}
        for raw in self.heard:
            message = json.loads(raw)
            if message.get("table") != self.table:
                continue
            if message.get("view"):
                view = message["view"]
            elif message.get("changes"):
                view = apply_changes(view, message["changes"])
        assert view, "no view came"
        return view

    def tables(self) -> set[str]:
        messages = (json.loads(raw) for raw in self.heard)
        return {message["table"] for message in messages if message.get("view")}

    def leaks(self) -> list[str]:
        """What reached this page that it must not know, of any game."""
        found: list[str] = []
        for table in sorted(self.tables()):
            truth = self.house.truth(table)
            assert truth
            found += leaks(truth, self.heard, table)
        return found

    def picture(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path, animations="disabled")

    def close(self) -> None:
        self.context.close()

    def _last(self, field: str) -> dict[str, Any]:
        for raw in reversed(self.heard):
            message = json.loads(raw)
            if message.get("table") == self.table and message.get(field):
                return message[field]
        raise AssertionError(f"no {field} came")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: self.heard.append(_text(payload)))
        socket.on("framesent", lambda payload: self.said.append(_text(payload)))

    def _note(self, message: Any) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(USUAL):
            self.troubles.append(message.text)

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.house.url, "data:", "blob:")):
            self.troubles.append(f"asked somebody else: {request.url}")


def _text(payload: str | bytes) -> str:
    return payload if isinstance(payload, str) else payload.decode()
