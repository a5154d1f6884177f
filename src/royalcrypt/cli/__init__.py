"""The command line: one module per command, with ``describe(parser)`` and ``run(arguments) -> exit code``."""

import argparse
import os
import sys
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

COMMANDS = (
    "play", "serve", "bot-worker", "connect", "simulate", "tournament", "study", "analyze", "dataset", "bots",
    "advise", "train", "calibrate", "bound", "check", "verify", "backup", "restore", "move-database",
)  # fmt: skip
BAD_INPUT = 2
INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # Characters that it cannot show must not raise.
            stream.reconfigure(errors="backslashreplace")
    arguments = parse(argv)
    try:
        code = module_of(arguments.command).run(arguments)
        sys.stdout.flush()
    except Refusal as refusal:
        return refuse(refusal)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # The reader has closed our output.
        forget_output()
        return 0
    except OSError as error:
        forget_output()
        return refuse(Refusal(Reason.CANNOT_WRITE, file=say("command.output"), why=str(error.strerror)))
    return code


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="royalcrypt", description=say("command.royalcrypt"))
    parser.add_argument("--version", action="version", version=f"royalcrypt {version('royalcrypt')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    given = sys.argv[1:] if argv is None else argv
    for name in COMMANDS:
        summary = say(f"command.{name}")
        command = commands.add_parser(name, help=summary, description=summary)
        if name in given:  # Other commands' modules are not imported.
            module_of(name).describe(command)
    return parser.parse_args(given)


def module_of(command: str) -> Any:
    return import_module(f"royalcrypt.cli.{command.replace('-', '_')}")


def refuse(refusal: object) -> int:
    print(f"royalcrypt: {refusal}", file=sys.stderr)  # noqa: T201
    return BAD_INPUT


def forget_output() -> None:
    """Redirect standard output to the null device, so that Python can flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
