"""``royalcrypt backup``: copies a server's data into one file, even while the server runs."""

import argparse
from pathlib import Path

from royalcrypt.cli.output import write_if_open
from royalcrypt.cli.serve import data_with_file, describe_settings
from royalcrypt.locales import say


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", nargs="?", help=say("backup.target"))
    describe_settings(parser, ("data",))


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.server.operations.backups import default_target, make_backup

    data = data_with_file(arguments)
    target = default_target(data)
    if arguments.target is not None:
        chosen = Path(arguments.target)
        target = chosen / target.name if chosen.is_dir() else chosen
    make_backup(data, target)
    write_if_open(say("backup.made", file=target))
    return 0
