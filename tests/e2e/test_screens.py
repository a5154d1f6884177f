"""Every screen: axe finds nothing in any light, it fits every phone, and its picture is kept."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from tests.e2e.screens import SCREENS
from tests.e2e.visiting import DESKTOP, Visitor

LIGHTS: tuple[Literal["dark", "light"], ...] = ("dark", "light")
PHONE = (390, 844)
SMALL = {"upright": (360, 640), "on its side": (640, 360), "at 200 %": (640, 400)}
PICTURES = Path(os.environ.get("ROYALCRYPT_SCREENSHOTS") or "build/screenshots")
AXE = """async (options) => (await axe.run({ resultTypes: ["violations"], ...options })).violations.map(
  (violation) => [violation.id, violation.help, ...violation.nodes.map((node) => node.html)].join("\\n  "),
)"""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""Rules that depend on the light: all others are asked in the first only."""
WIDTHS = "() => [document.documentElement.scrollWidth, innerWidth]"


@pytest.fixture(scope="module")
def axe(repository: Path) -> str:
    return (repository / "web/node_modules/axe-core/axe.min.js").read_text("utf-8")


def contrast(visitor: Visitor, degree: str) -> None:
    visitor.page.evaluate("degree => document.documentElement.dataset.contrast = degree", degree)


@pytest.mark.parametrize("screen", SCREENS)
def test_it_fits_every_phone_axe_finds_nothing_and_its_picture_is_kept(
    screen: str, visit: Callable[..., Visitor], axe: str
) -> None:
    """In one visit: the way to some screens is long."""
    visitor = visit(size=SMALL["upright"])
    SCREENS[screen](visitor)
    too_wide = overflows(visitor)
    resize(visitor, DESKTOP)
    hindrances = violations(visitor, axe)
    keep_pictures(visitor, screen)
    assert too_wide == {}
    assert hindrances == {}


def resize(visitor: Visitor, size: tuple[int, int]) -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})


def overflows(visitor: Visitor) -> dict[str, str]:
    """Held either way, and with large letters."""
    found: dict[str, str] = {}
    for how, size in SMALL.items():
        resize(visitor, size)
        wide, room = visitor.page.evaluate(WIDTHS)
        if wide > room:
            found[how] = f"{wide} > {room}"
    return found


def violations(visitor: Visitor, axe: str) -> dict[str, list[str]]:
    visitor.page.evaluate(f"{axe}; undefined")
    found: dict[str, list[str]] = {}
    for light in LIGHTS:
        visitor.page.emulate_media(color_scheme=light)
        for degree in ("normal", "high"):
            contrast(visitor, degree)
            rules = {"runOnly": OF_COLOURS} if found else {}
            found[f"{light}, {degree} contrast"] = visitor.page.evaluate(AXE, rules)
        contrast(visitor, "normal")
    return {light: hindrances for light, hindrances in found.items() if hindrances}


def keep_pictures(visitor: Visitor, screen: str) -> None:
    for size, name in ((DESKTOP, "desktop"), (PHONE, "phone")):
        resize(visitor, size)
        for light in LIGHTS:
            visitor.page.emulate_media(color_scheme=light)
            visitor.picture(PICTURES / f"{screen}-{name}-{light}.png")
