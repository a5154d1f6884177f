"""What is asked of the page's weight and speed: ``python -m benchmarks page``, with what the tests need.

The page is the one that ``make page`` built, the browser is the system's, and the server runs beside it.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.figures import Figure
from tests.e2e.browsers import launch
from tests.e2e.hosting import House
from tests.e2e.player import Player
from tests.e2e.visiting import Visitor

TIMES = 5
GAMES = 3
ROUNDS = 2
THROTTLE = 4
GLANCE = 100
THOUGHT = 300
"""Milliseconds from choosing a card to claiming it, for the quickest of people."""
KB = 1000
MOVING = {"speed": "normal", "throwsByHand": False}
CODE, ART = ("script", "stylesheet"), ".svg"
HARMLESS = {"transform", "opacity"}
NO_SHIFT = 0.0005
"""What is left of it is as small as nothing when it is told as usual, with three digits."""
DESCRIBING = {"offset", "computedOffset", "easing", "composite"}
"""Of a keyframe, what is no property of style."""

WATCH = """
  window.seen = { lcp: 0, shift: 0, ready: 0, feedback: 0, properties: [] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcp = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const button = document.querySelector("main h1") && document.querySelector("main button:enabled");
    if (button) seen.ready = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const note = (animation) => {
    const frames = animation.effect?.getKeyframes?.() ?? [];
    seen.properties.push(...frames.flatMap((frame) => Object.keys(frame)));
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const animation = animate.apply(this, how);
    note(animation);
    return animation;
  };
  addEventListener("animationstart", (event) => event.target.getAnimations().forEach(note), true);
  addEventListener("transitionrun", (event) => seen.properties.push(event.propertyName), true);
  window.timeFeedback = () => {
    seen.feedback = 0;
    addEventListener("click", (event) =>
      requestAnimationFrame(() => setTimeout(() => (seen.feedback = performance.now() - event.timeStamp))),
      { once: true, capture: true });
  };
"""
"""What a browser can tell of itself; begun before the page is."""

IS_ASKED = (
    """() => document.querySelector("main button[aria-busy=false], main section section .answers") !== null"""
)
IS_AT_REST = """() => document.querySelector("main .skip > button:enabled") === null"""
DECLINE = """() => {
  const refuse = document.querySelector("main section section .answers > button:enabled");
  refuse?.click();
  return refuse !== null;
}"""
"""Lets a Collector's offer pass; nothing if there is none."""
CLAIM = """() => {
  const claim = document.querySelector("main button[aria-busy]");
  const { left, top, width, height } = claim.getBoundingClientRect();
  return claim.disabled ? null : [left + width / 2, top + height / 2];
}"""
"""Where to click for a claim of what is staged; nothing if it cannot be claimed."""


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = launch(playwright)
        house = House(Path(place)).open()
        try:
            return weight(browser, house) + loading(browser, house) + play(browser, house)
        finally:
            house.close()
            browser.close()


def visit(browser: Browser, house: House) -> Visitor:
    visitor = Visitor(browser, house, preferences=MOVING, is_moving=True)
    visitor.page.add_init_script(WATCH)
    return visitor


def seen(page: Page, what: str) -> Any:
    return page.evaluate("what => seen[what]", what)


def weight(browser: Browser, house: House) -> list[Figure]:
    """All that travels from a first visit to the first turn, as it is packed."""
    visitor = visit(browser, house)
    finished: list[Any] = []

    def note(request: Any) -> None:
        finished.append(request)

    visitor.page.on("requestfinished", note)
    Player(visitor).solo()
    bytes_by: Counter[str] = Counter()
    for request in finished:
        kind = "art" if request.url.endswith(ART) else request.resource_type
        bytes_by[kind] += request.sizes()["responseBodySize"]
    visitor.close()
    return [
        Figure("first load: code and style", sum(bytes_by[kind] for kind in CODE) / KB, "KB", at_most=150),
        Figure("first load: art of the table", bytes_by["art"] / KB, "KB", at_most=100),
        Figure("first load: letters", bytes_by["font"] / KB, "KB"),
    ]


def loading(browser: Browser, house: House) -> list[Figure]:
    ready: list[float] = []
    paint: list[float] = []
    shift: list[float] = []
    for _ in range(TIMES):
        visitor = visit(browser, house)
        ready.append(loaded(visitor.page, "ready"))
        visitor.close()
        slow = visit(browser, house)
        slow.context.new_cdp_session(slow.page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        loaded(slow.page, "ready")
        slow.page.wait_for_load_state("networkidle")
        paint.append(seen(slow.page, "lcp"))
        shift.append(seen(slow.page, "shift"))
        slow.close()
    return [
        Figure("home can be used", median(ready), "ms", at_most=1000),
        Figure(f"largest paint, processor {THROTTLE}x slower", median(paint), "ms", at_most=1500),
        Figure("layout shift while loading", max(shift), "", at_most=NO_SHIFT),
    ]


def loaded(page: Page, what: str) -> float:
    page.goto("/")
    page.wait_for_function("what => seen[what] > 0", arg=what)
    return seen(page, what)


def play(browser: Browser, house: House) -> list[Figure]:
    """With everything moving: the answer to one's own click, and what keeps the browser busy meanwhile."""
    manners = {"": True, ", moving while the stage still plays": False}
    played = {
        manner: [rounds_of_play(browser, house, is_patient=is_patient) for _ in range(GAMES)]
        for manner, is_patient in manners.items()
    }
    everything = [rounds for games in played.values() for rounds in games]
    properties = set[str]().union(*(rounds.properties for rounds in everything))
    return [
        *(figure for manner, games in played.items() for figure in answering(manner, games)),
        Figure("layout shift", max(rounds.shift for rounds in everything), "", at_most=NO_SHIFT),
        Figure(f"animated, but {' and '.join(sorted(HARMLESS))}", len(properties), "properties", at_most=0),
    ]


def answering(manner: str, games: "list[Rounds]") -> list[Figure]:
    """The clock's figures are the middle of several games, as the machine may have other things to do."""
    feedback = median(max(rounds.feedback) for rounds in games)
    wall = median(max(task.wall for task in rounds.tasks) for rounds in games)
    busy = max(task.busy for rounds in games for task in rounds.tasks)
    return [
        Figure(f"a move's own feedback{manner}", feedback, "ms", at_most=50),
        Figure(f"longest task of {ROUNDS} rounds{manner}", wall, "ms", at_most=50),
        Figure(f"longest of all by processor time{manner}", busy, "ms", at_most=50),
    ]


class Rounds(NamedTuple):
    feedback: list[float]
    tasks: "list[Task]"
    shift: float
    properties: set[str]


def rounds_of_play(browser: Browser, house: House, *, is_patient: bool) -> Rounds:
    """Somebody who watches each scene to its end before they move, or who moves as soon as they can.

    Nothing but keys, clicks and short looks at the page come from here: what else the driver of the browser
    does there, such as finding things by their names, would be counted as the page's own work.
    """
    visitor = visit(browser, house)
    page = visitor.page
    Player(visitor).solo()
    feedback: list[float] = []
    browser.start_tracing(page=page, categories=["devtools.timeline", "toplevel", "__metadata"])
    while True:
        page.wait_for_function(IS_ASKED)
        if is_patient:
            page.wait_for_function(IS_AT_REST)
        before = visitor.view()
        if before["round"] > ROUNDS:
            break
        if not page.evaluate(DECLINE):
            feedback += claim_or_recover(page)
        while visitor.view()["decisions"] == before["decisions"]:
            page.wait_for_timeout(GLANCE)
    tasks = main_thread_tasks(json.loads(browser.stop_tracing()))
    properties = set(seen(page, "properties")) - HARMLESS - DESCRIBING
    shift = seen(page, "shift")
    visitor.close()
    return Rounds(feedback, tasks, shift, properties)


def claim_or_recover(page: Page) -> list[float]:
    """Milliseconds until a claim was seen to be under way; nothing where there was none to make."""
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(THOUGHT)
    claim = page.evaluate(CLAIM)
    if claim is None:
        page.keyboard.press("r")
        page.keyboard.press("r")  # Who would pass for nothing is asked once more.
        return []
    page.evaluate("timeFeedback()")
    page.mouse.click(*claim)
    page.wait_for_function("() => seen.feedback > 0")
    return [seen(page, "feedback")]


class Task(NamedTuple):
    """Milliseconds of a task of the page's main thread."""

    wall: float
    busy: float


def main_thread_tasks(trace: dict[str, Any]) -> list[Task]:
    events: list[dict[str, Any]] = trace["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return [
        Task(event["dur"] / 1000, event.get("tdur", 0) / 1000)
        for event in events
        if event["name"].endswith("RunTask") and "dur" in event and (event["pid"], event["tid"]) in mains
    ]
