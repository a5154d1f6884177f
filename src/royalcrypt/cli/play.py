"""``royalcrypt play``: starts a game in the browser or terminal, against the Ghost, bots or people."""

import argparse
import os
import sys
import threading
import webbrowser
from collections.abc import Iterable, Mapping

from royalcrypt.cli import options, refuse
from royalcrypt.cli.output import write_if_open
from royalcrypt.cli.serve import describe_settings, read_options, serve_until_signal
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.operations.lock_file import find_running
from royalcrypt.server.operations.shutdown import Shutdown

TERMINAL_OPTIONS = {
    "terminal": "", "players": "N", "bots": "NAMES", "collectors": "SIDES", "seed": "S", "names": "NAMES",
    "leader": "N", "resume": "",
}  # fmt: skip
"""Options that select play in the terminal."""
SERVER_OPTIONS = ("config", "host", "port", "lan", "data", "no_browser")


def describe(parser: argparse.ArgumentParser) -> None:
    describe_settings(parser, ("host", "port", "lan", "data"))
    parser.add_argument("--no-browser", action="store_true", help=say("serve.option.no_browser"))
    group = parser.add_argument_group(say("terminal.options"))
    options.add(group, "terminal.option", **TERMINAL_OPTIONS)


def run(arguments: argparse.Namespace) -> int:
    terminal = _first_given(arguments, TERMINAL_OPTIONS)
    if terminal is None:
        return _play_in_browser(arguments)
    server = _first_given(arguments, SERVER_OPTIONS)
    if server is not None:
        raise Refusal(Reason.MIXED_OPTIONS, terminal=terminal, server=server)
    from royalcrypt.cli.terminal.session import CannotPlay, play_at_terminal

    try:
        play_at_terminal(arguments)
    except CannotPlay as error:
        return refuse(error)
    return 0


def _first_given(arguments: argparse.Namespace, names: Iterable[str]) -> str | None:
    given = (name for name in names if getattr(arguments, name) not in (None, False))
    return next(("--" + name.replace("_", "-") for name in given), None)


def _play_in_browser(arguments: argparse.Namespace) -> int:
    """Start a server or reuse a running one, and open a browser if there is a display."""
    is_shown = not arguments.no_browser and has_display(os.environ)
    with Shutdown().handling_signals() as shutdown:
        loaded = read_options(arguments)
        running = find_running(loaded.settings.data)
        if running is None:
            serve_until_signal(loaded, shutdown, then=open_browser if is_shown else None)
            return 0
        write_if_open(say("serve.already", url=running))
        if is_shown:
            open_browser(running).join()
        return 0


def has_display(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """Whether a browser can be opened: not on machines without a display or in continuous integration."""
    if environment.get("CI"):
        return False
    if system in ("win32", "cygwin", "darwin"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def open_browser(url: str) -> threading.Thread:
    """Open the browser in a thread, because some browsers return only when they are closed."""
    opening = threading.Thread(target=_open, args=(url,), daemon=True)
    opening.start()
    return opening


def _open(url: str) -> None:
    try:
        browser = webbrowser.get()
        # A text browser would take over this terminal; open it only if BROWSER asks for it.
        if type(browser) is not webbrowser.GenericBrowser or os.environ.get("BROWSER"):
            browser.open(url)
    except (webbrowser.Error, OSError):
        pass  # The address is also printed.
