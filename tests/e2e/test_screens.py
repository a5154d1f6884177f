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
AXE = """async () => (await axe.run()).violations.map(
  (violation) => [violation.id, violation.help, ...violation.nodes.map((node) => node.html)].join("\\n  "),
)"""
WIDTHS = "() => [document.documentElement.scrollWidth, innerWidth]"


@pytest.fixture(scope="module")
def axe(repository: Path) -> str:
    return (repository / "web/node_modules/axe-core/axe.min.js").read_text("utf-8")


def contrast(visitor: Visitor, degree: str) -> None:
    visitor.page.evaluate("degree => document.documentElement.dataset.contrast = degree", degree)


@pytest.mark.parametrize("screen", SCREENS)
def test_axe_finds_nothing_and_its_picture_is_kept(
    screen: str, visit: Callable[..., Visitor], axe: str
) -> None:
    """In one visit: the way to some screens is long."""
    visitor = visit()
    SCREENS[screen](visitor)
    visitor.page.evaluate(f"{axe}; undefined")
    found: dict[str, list[str]] = {}
    for light in LIGHTS:
        visitor.page.emulate_media(color_scheme=light)
        for degree in ("normal", "high"):
            contrast(visitor, degree)
            found[f"{light}, {degree} contrast"] = visitor.page.evaluate(AXE)
        contrast(visitor, "normal")
    keep_pictures(visitor, screen)
    assert {light: violations for light, violations in found.items() if violations} == {}


def keep_pictures(visitor: Visitor, screen: str) -> None:
    for size, name in ((DESKTOP, "desktop"), (PHONE, "phone")):
        visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
        for light in LIGHTS:
            visitor.page.emulate_media(color_scheme=light)
            visitor.picture(PICTURES / f"{screen}-{name}-{light}.png")


@pytest.mark.parametrize("screen", SCREENS)
def test_it_fits_a_phone_either_way_and_large_letters(screen: str, visit: Callable[..., Visitor]) -> None:
    visitor = visit(size=SMALL["upright"])
    SCREENS[screen](visitor)
    too_wide: dict[str, str] = {}
    for how, (width, height) in SMALL.items():
        visitor.page.set_viewport_size({"width": width, "height": height})
        wide, room = visitor.page.evaluate(WIDTHS)
        if wide > room:
            too_wide[how] = f"{wide} > {room}"
    assert too_wide == {}
