"""The command line: one file a command, with ``describe(parser)`` and ``run(arguments) -> exit code``."""

import argparse
import sys
from importlib import import_module

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Refusal

COMMANDS = ("play", "simulate", "check")
BAD_INPUT = 2
INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="royalcrypt", description=say("command.royalcrypt"))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        summary = say(f"command.{name}")
        import_module(f"royalcrypt.cli.{name}").describe(
            commands.add_parser(name, help=summary, description=summary)
        )
    arguments = parser.parse_args(argv)
    try:
        return import_module(f"royalcrypt.cli.{arguments.command}").run(arguments)
    except Refusal as refusal:
        print(f"royalcrypt: {refusal}", file=sys.stderr)  # noqa: T201 (this is where the program speaks)
        return BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
