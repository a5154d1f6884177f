"""The icons of the game on a home screen, drawn from the page's own: ``python scripts/icons.py``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e.browsers import launch

PUBLIC = Path(__file__).parents[1] / "web" / "public"
NIGHT = "radial-gradient(circle at 50% 34%, #5a3b2a, #241b2e 46%, #12101a 78%)"
"""The light of the torch in the picture."""
ICONS: dict[str, tuple[int, float, bool]] = {
    "icon-192.png": (192, 1.0, False),
    "icon-512.png": (512, 1.0, False),
    # Launchers cut these into a circle or whatever they like: the picture keeps to the middle.
    "icon-maskable-512.png": (512, 0.62, True),
    "icon-apple-180.png": (180, 0.78, True),
}
"""By file: its size in pixels, how much of that the picture takes, and whether it has a ground."""


def main() -> None:
    drawing = (PUBLIC / "favicon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, (size, part, has_ground) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            ground = NIGHT if has_ground else "none"
            page.set_content(
                f"<style>html, body {{ margin: 0; height: 100%; background: {ground}; display: grid; "
                f"place-items: center }} svg {{ width: {part:.0%}; height: {part:.0%} }}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / name, omit_background=not has_ground)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
