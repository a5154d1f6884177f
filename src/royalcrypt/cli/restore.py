"""``royalcrypt restore``: replaces a server's data by a backup, and keeps a copy of the replaced data."""

import argparse
from pathlib import Path

from royalcrypt.cli.output import write_if_open
from royalcrypt.cli.serve import data_with_file, describe_settings
from royalcrypt.locales import say


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=say("backup.source"))
    describe_settings(parser, ("data",))


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.server.operations.backups import restore_backup

    data = data_with_file(arguments)
    kept = restore_backup(Path(arguments.source), data)
    write_if_open(say("backup.restored", file=arguments.source, data=data))
    if kept is not None:
        write_if_open(say("backup.kept", file=kept))
    return 0
