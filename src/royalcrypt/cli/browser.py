"""Opens a web browser where a person may see it."""

import os
import sys
import threading
from collections.abc import Mapping


def has_display(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """False on a server without a display, and in continuous integration."""
    if environment.get("CI"):
        return False
    if system in ("win32", "cygwin", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> threading.Thread:
    """Open it in a thread, because some browsers return only when they are closed."""
    opening = threading.Thread(target=_open, args=(url,), daemon=True)
    opening.start()
    return opening


def _open(url: str) -> None:
    import webbrowser

    try:
        browser = webbrowser.get()
        # A text browser would take over this terminal; open it only if BROWSER asks for it.
        if type(browser) is not webbrowser.GenericBrowser or os.environ.get("BROWSER"):
            browser.open(url)
    except (webbrowser.Error, OSError):
        pass  # The address is also printed.
