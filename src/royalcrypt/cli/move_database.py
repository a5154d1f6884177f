"""``royalcrypt move-database``: copies a server's SQLite database to PostgreSQL."""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from royalcrypt.cli import forget_output
from royalcrypt.cli.crews import MOST_JOBS
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.records import tell as print_line
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from royalcrypt.cli.replaying import ReplayReport
    from royalcrypt.storage.transfer import CopiedTable, Transfer, TransferTarget

FAULTS = 1
"""Exit code if everything was copied, but some stored games are broken."""
GAMES_A_JOB = 200
"""GameBatch that make another process worthwhile."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SQLITE", type=Path, help=say("move_database.source"))
    parser.add_argument("target", metavar="POSTGRES", help=say("move_database.target"))
    parser.add_argument("--anew", action="store_true", help=say("move_database.anew"))
    parser.add_argument("--jobs", metavar="N", help=say("move_database.jobs"))


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.server.settings import read_setting

    jobs = os.cpu_count() or 1
    if arguments.jobs is not None:
        jobs = whole("jobs", arguments.jobs, least=1, most=MOST_JOBS)
    url = read_setting("database", arguments.target, where="POSTGRES")
    if find_spec("asyncpg") is None or find_spec("greenlet") is None:
        raise Refusal(Reason.CLUSTER_NOT_INSTALLED)
    with database_in(arguments.source) as path, asyncio.Runner() as runner:
        try:
            return move(path, url, runner, jobs=jobs, is_anew=arguments.anew)
        except KeyboardInterrupt:
            tell(say("move_database.stopped"))
            raise


@contextmanager
def database_in(source: Path) -> Generator[Path]:
    """The database file of a data folder, of a backup, or the file itself."""
    from royalcrypt.server.operations.backups import is_zip, unpack
    from royalcrypt.server.settings import DATABASE

    if source.is_dir():
        yield source / DATABASE
    elif is_zip(source):
        with tempfile.TemporaryDirectory() as folder:
            unpack(source, Path(folder))
            yield Path(folder, DATABASE)
    else:
        yield source


def move(path: Path, url: str, runner: asyncio.Runner, *, jobs: int, is_anew: bool) -> int:
    from royalcrypt.storage.transfer import Transfer, TransferTarget, opened

    with opened(path) as source:
        settings = keys_beside(path)
        target = runner.run(TransferTarget.opened(url, source.digest))
        try:
            mark = runner.run(target.begin(is_anew=is_anew))
            if mark is None:
                tell(say("move_database.moved_before", place=target.place))
                return 0
            moving = Transfer(runner, source, target)
            done = sum(mark.rows.values())
            begins = "move_database.goes_on" if done else "move_database.begins"
            tell(say(begins, rows=moving.total, done=done))
            with progress(say("move_database.carrying"), moving.total, done) as advance:
                copied = moving.copy(mark, advance)
            seen = check(moving, runner, jobs=jobs)
            moving.finish(settings)
        finally:
            runner.run(target.close())
    print_copied(copied)
    return tell_end(path, target, seen, has_key=bool(settings))


def keys_beside(path: Path) -> dict[str, str]:
    """The server's keys as rows of the shared settings; empty if there is no key file."""
    from royalcrypt.server.accounts.keys import KEY_FILE, SHARED_EPOCH, SHARED_KEY, load_keys

    if not (path.parent / KEY_FILE).exists():
        return {}
    keys = load_keys(path.parent)
    return {SHARED_KEY: keys.secret.hex(), SHARED_EPOCH: keys.epoch}


def check(moving: "Transfer", runner: asyncio.Runner, *, jobs: int) -> "ReplayReport":
    """Compare row counts and contents, then replay the games. Raises MOVED_WRONGLY."""
    from royalcrypt.cli.replaying import ReplayReport, check_games
    from royalcrypt.lab.crew import crew_of
    from royalcrypt.storage.transfer import games_in

    began = monotonic()
    with progress(say("move_database.comparing"), moving.total) as advance:
        moving.compare(advance)
    tell(say("move_database.compared", rows=moving.total, seconds=f"{monotonic() - began:.1f}"))
    began, seen = monotonic(), ReplayReport()
    games = moving.counts["tables"]
    with (
        crew_of(min(jobs, games // GAMES_A_JOB + 1)) as crew,
        progress(say("move_database.replaying"), games) as advance,
    ):
        for found in crew.do(check_games, games_in(runner, moving.target)):
            seen.add(found)
            advance(found.games)
    astray = moving.counts["journal"] - seen.entries
    if astray:
        seen.faults.append(say("move_database.astray", count=astray))
    seconds = f"{monotonic() - began:.1f}"
    tell(say("move_database.replayed", games=seen.games, records=seen.records, seconds=seconds))
    return seen


def print_copied(copied: "list[CopiedTable]") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table()
    for name in ("table", "rows", "seconds"):
        table.add_column(say(f"move_database.column.{name}"), justify="left" if name == "table" else "right")
    for one in copied:
        if one.rows:
            table.add_row(one.table, str(one.rows), f"{one.seconds:.1f}")
    table.add_section()
    rows, seconds = sum(one.rows for one in copied), sum(one.seconds for one in copied)
    table.add_row(say("move_database.all"), str(rows), f"{seconds:.1f}")
    with ignoring_closed_output():
        Console(highlight=False).print(table)


def tell_end(path: Path, target: "TransferTarget", seen: "ReplayReport", *, has_key: bool) -> int:
    for fault in seen.faults:
        tell(fault)
    if seen.faults:
        tell(say("move_database.faults", count=len(seen.faults)))
    tell(say("move_database.done", place=target.place))
    tell(say("move_database.key" if has_key else "move_database.no_key", file=path))
    tell(say("move_database.next", file=path))
    return FAULTS if seen.faults else 0


def tell(words: str) -> None:
    with ignoring_closed_output():
        print_line(words)


@contextmanager
def ignoring_closed_output() -> Generator[None]:
    """The move goes on if nobody reads the output any more."""
    try:
        yield
        sys.stdout.flush()
    except OSError:
        forget_output()
