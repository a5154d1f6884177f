"""``royalcrypt play``: a game in the browser or in the terminal, against the Ghost, bots or people."""

import argparse
import contextlib
import os
from importlib import import_module

from royalcrypt.cli import refuse
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

TERMINAL_OPTIONS = {
    "players": "N",
    "bots": "NAMES",
    "collectors": "SIDES",
    "seed": "S",
    "names": "NAMES",
    "leader": "N",
}
"""Options with a value that select the terminal, and the name of that value."""
SERVER_OPTIONS = ("config", "host", "port", "lan", "data", "no_browser")


def describe(parser: argparse.ArgumentParser) -> None:
    from royalcrypt.cli.serve import describe_settings

    describe_settings(parser, ("host", "port", "lan", "data"))
    parser.add_argument("--no-browser", action="store_true", help=say("serve.option.no_browser"))
    group = parser.add_argument_group(say("terminal.options"))
    group.add_argument("--terminal", action="store_true", help=say("terminal.option.terminal"))
    for name, shown in TERMINAL_OPTIONS.items():
        group.add_argument(f"--{name}", metavar=shown, help=say(f"terminal.option.{name}"))
    group.add_argument("--resume", action="store_true", help=say("terminal.option.resume"))


def run(arguments: argparse.Namespace) -> int:
    terminal = _first_given(arguments, ("terminal", *TERMINAL_OPTIONS, "resume"))
    if terminal is None:
        return _play_in_browser(arguments)
    server = _first_given(arguments, SERVER_OPTIONS)
    if server is not None:
        raise Refusal(Reason.MIXED_OPTIONS, terminal=terminal, server=server)
    return _play_in_terminal(arguments)


def _first_given(arguments: argparse.Namespace, names: tuple[str, ...]) -> str | None:
    given = (name for name in names if getattr(arguments, name) not in (None, False))
    return next(("--" + name.replace("_", "-") for name in given), None)


def _play_in_browser(arguments: argparse.Namespace) -> int:
    """Serve, and open a browser if there is a display. If a server already runs, use that one."""
    from royalcrypt.cli.browser import has_display, open_browser
    from royalcrypt.cli.serve import read_options, serve_until_signal, tell
    from royalcrypt.server.operations.lock_file import find_running
    from royalcrypt.server.operations.shutdown import Shutdown

    is_shown = not arguments.no_browser and has_display(os.environ)
    with Shutdown().handling_signals() as shutdown:
        reading = read_options(arguments)
        running = find_running(reading.settings.data)
        if running is None:
            serve_until_signal(reading, shutdown, then=open_browser if is_shown else None)
            return 0
        tell(say("serve.already", url=running))
        if is_shown:
            open_browser(running).join()
        return 0


def _play_in_terminal(arguments: argparse.Namespace) -> int:
    """Returns BAD_INPUT for wrong options or without a terminal; 0 also if a player left."""
    from royalcrypt.cli.terminal.saves import CannotPlay

    try:
        _play(arguments)
    except CannotPlay as error:
        return refuse(error)
    return 0


def _play(arguments: argparse.Namespace) -> None:
    from royalcrypt.cli.terminal.console import (
        Leave,
        Screen,
        is_at_terminal,
        open_console,
        uninterrupted,
        watch_for_hangup,
    )
    from royalcrypt.cli.terminal.people import SeatLabels, warm_up_bots
    from royalcrypt.cli.terminal.saves import CannotPlay, read_save, save_path
    from royalcrypt.cli.terminal.session import TerminalSession
    from royalcrypt.cli.terminal.setup import check_resume, new_game

    if arguments.resume:
        check_resume(arguments)
        saved = read_save()
        greeting = say("terminal.welcome_back")
    else:
        saved = new_game(arguments)
        greeting = say("terminal.waiting_save") if save_path().exists() else ""
    if not is_at_terminal():
        raise CannotPlay(say("terminal.refuse.no_terminal"))
    _allow_line_editing()
    watch_for_hangup()
    with contextlib.closing(warm_up_bots(SeatLabels(saved.game.seats).bots)) as warm_up:
        session = TerminalSession(Screen(open_console()), saved, warm_up, greeting=greeting)
        try:
            session.play()
        except Leave:
            with contextlib.suppress(Leave), uninterrupted():
                session.leave()
            return
        session.finish()


def _allow_line_editing() -> None:
    """Enable arrow keys and history at the prompt, where the system supports them."""
    with contextlib.suppress(ImportError):
        import_module("readline")
