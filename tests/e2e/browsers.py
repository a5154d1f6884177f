"""The system's own Chromium; nothing is ever downloaded."""

import shutil

from playwright.sync_api import Browser, Playwright

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch(playwright: Playwright, program: str | None = None) -> Browser:
    return playwright.chromium.launch(executable_path=program or chromium(), args=list(FLAGS))


def windowless_chromium() -> str:
    """Chromium's own shell, if it is there: it takes less time, and blocks notifications."""
    return shutil.which("chromium-headless-shell") or chromium()


def chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert found, "These tests drive Chromium: `make test` installs it."
    return found
