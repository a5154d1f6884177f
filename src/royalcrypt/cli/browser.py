"""Whether a browser can be opened here, and opening it."""

import os
import sys
import threading
from collections.abc import Mapping


def has_display(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """Whether somebody may be looking: not on a server, and not where programs run by themselves."""
    if environment.get("CI"):
        return False
    if system in ("win32", "cygwin", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> threading.Thread:
    """In a thread of its own: some browsers only come back once they are closed."""
    opening = threading.Thread(target=_open, args=(url,), daemon=True)
    opening.start()
    return opening


def _open(url: str) -> None:
    import webbrowser

    try:
        browser = webbrowser.get()
        # One that lives in this terminal would take it over, unless somebody asked for it.
        if type(browser) is not webbrowser.GenericBrowser or os.environ.get("BROWSER"):
            browser.open(url)
    except (webbrowser.Error, OSError):
        pass  # The address is on the screen.
