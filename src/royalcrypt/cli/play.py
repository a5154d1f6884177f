"""``royalcrypt play``: a game in the terminal, against the Ghost or bots, or together at one keyboard."""

import argparse
import contextlib
import sys
from importlib import import_module

from royalcrypt.locales import say

BAD_INPUT = 2


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--terminal", action="store_true", help=say("terminal.option.terminal"))
    for name, shown in (
        ("players", "N"),
        ("bots", "NAMES"),
        ("collectors", "SIDES"),
        ("seed", "S"),
        ("names", "NAMES"),
        ("leader", "N"),
    ):
        parser.add_argument(f"--{name}", metavar=shown, help=say(f"terminal.option.{name}"))
    parser.add_argument("--resume", action="store_true", help=say("terminal.option.resume"))


def run(arguments: argparse.Namespace) -> int:
    """Bad options and a missing terminal are said in one line; leaving with a save is no failure."""
    from royalcrypt.cli.terminal.saves import CannotPlay

    try:
        _play(arguments)
    except CannotPlay as error:
        print(f"royalcrypt: {error}", file=sys.stderr)  # noqa: T201
        return BAD_INPUT
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
    from royalcrypt.cli.terminal.saves import CannotPlay, read_save, save_path
    from royalcrypt.cli.terminal.session import Session
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
    session = Session(Screen(open_console()), saved, greeting=greeting)
    try:
        session.play()
    except Leave:
        with contextlib.suppress(Leave), uninterrupted():
            session.leave()
        return
    session.finish()


def _allow_line_editing() -> None:
    """Arrow keys and earlier lines at the prompt, where the system has them."""
    with contextlib.suppress(ImportError):
        import_module("readline")
