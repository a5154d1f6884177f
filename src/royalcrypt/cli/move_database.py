"""``royalcrypt move-database``: copies a server's SQLite database to PostgreSQL, and checks the copy."""

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from royalcrypt.cli import forget_output, options
from royalcrypt.cli.check import CheckResult, check_text
from royalcrypt.cli.output import columns, progress, show
from royalcrypt.cli.records import as_text, write_escaped
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.tables.journal import Status

if TYPE_CHECKING:
    from royalcrypt.storage.transfer import CopiedTable, GameBatch, StoredGame, Transfer, TransferTarget
    from royalcrypt.tables.clocks import Outage

FAULTS = 1
"""Exit code if everything was copied but some stored games are invalid."""
GAMES_PER_JOB = 200
"""Number of games per process below which another process is not worthwhile."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="SQLITE", type=Path, help=say("move_database.source"))
    parser.add_argument("target", metavar="POSTGRES", help=say("move_database.target"))
    options.add(parser, "move_database", anew="", jobs="N")


def run(arguments: argparse.Namespace) -> int:
    from royalcrypt.server.settings import read_setting

    jobs = options.read_number(arguments, "jobs", os.cpu_count() or 1, most=options.MAX_JOBS)
    url = read_setting("database", arguments.target, where="POSTGRES")
    if find_spec("asyncpg") is None or find_spec("greenlet") is None:
        raise Refusal(Reason.CLUSTER_NOT_INSTALLED)
    with database_in(arguments.source) as path, asyncio.Runner() as runner:
        try:
            return move(path, url, runner, jobs=jobs, is_restart=arguments.anew)
        except KeyboardInterrupt:
            report(say("move_database.stopped"))
            raise


@contextmanager
def database_in(source: Path) -> Generator[Path]:
    """Yield the database file of a data folder or a backup, or the given file itself."""
    from royalcrypt.server.accounts.keys import KEY_FILE
    from royalcrypt.server.operations.backups import advising, is_zip, unpack
    from royalcrypt.server.settings import DATABASE
    from royalcrypt.storage.sqlite.integrity import check_present

    if source.is_dir():
        with advising(source):
            check_present(source / DATABASE, source / KEY_FILE)
            yield source / DATABASE
    elif is_zip(source):
        with tempfile.TemporaryDirectory() as folder:
            unpack(source, Path(folder))
            yield Path(folder, DATABASE)
    else:
        yield source


def move(path: Path, url: str, runner: asyncio.Runner, *, jobs: int, is_restart: bool) -> int:
    from royalcrypt.storage.transfer import Transfer, TransferTarget, opened

    with opened(path) as source:
        settings = keys_beside(path)
        target = runner.run(TransferTarget.opened(url, source.digest))
        try:
            mark = runner.run(target.begin(is_restart=is_restart))
            if mark is None:
                report(say("move_database.moved_before", place=target.place))
                return 0
            moving = Transfer(runner, source, target)
            done = sum(mark.rows.values())
            begins = "move_database.goes_on" if done else "move_database.begins"
            report(say(begins, rows=moving.total, done=done))
            with progress(say("move_database.carrying"), moving.total, done) as advance:
                copied = moving.copy(mark, advance)
            seen = check(moving, runner, jobs=jobs)
            moving.finish(settings)
        finally:
            runner.run(target.close())
    show_carried(copied)
    return report_end(path, target, seen, has_key=bool(settings))


def keys_beside(path: Path) -> dict[str, str]:
    """Return the server's keys as rows of shared settings; empty if there is no key file."""
    from royalcrypt.server.accounts.keys import KEY_FILE, SHARED_EPOCH, SHARED_KEY, load_keys

    if not (path.parent / KEY_FILE).exists():
        return {}
    keys = load_keys(path.parent)
    return {SHARED_KEY: keys.secret.hex(), SHARED_EPOCH: keys.epoch}


def check(moving: "Transfer", runner: asyncio.Runner, *, jobs: int) -> "ReplayReport":
    """Compare row counts and contents, then replay the games; raises Refusal (MOVED_WRONGLY)."""
    from royalcrypt.lab.worker_pools import worker_pool
    from royalcrypt.storage.transfer import games_in

    began = monotonic()
    with progress(say("move_database.comparing"), moving.total) as advance:
        moving.compare(advance)
    report(say("move_database.compared", rows=moving.total, seconds=f"{monotonic() - began:.1f}"))
    began, seen = monotonic(), ReplayReport()
    games = moving.counts["tables"]
    with (
        worker_pool(min(jobs, games // GAMES_PER_JOB + 1)) as workers,
        progress(say("move_database.replaying"), games) as advance,
    ):
        for found in workers.map(check_games, games_in(runner, moving.target)):
            seen.add(found)
            advance(found.games)
    astray = moving.counts["journal"] - seen.entries
    if astray:
        seen.faults.append(say("move_database.astray", count=astray))
    seconds = f"{monotonic() - began:.1f}"
    report(say("move_database.replayed", games=seen.games, records=seen.records, seconds=seconds))
    return seen


@dataclass
class ReplayReport:
    games: int = 0
    entries: int = 0
    records: int = 0
    faults: list[str] = field(default_factory=list[str])
    """Messages about invalid games."""

    def add(self, more: "ReplayReport") -> None:
        self.games += more.games
        self.entries += more.entries
        self.records += more.records
        self.faults += more.faults


def check_games(games: "GameBatch") -> ReplayReport:
    return ReplayReport(
        len(games.games),
        sum(len(game.entries) for game in games.games),
        sum(game.record is not None for game in games.games),
        [fault for game in games.games for fault in faults_of(game, games.outages)],
    )


def faults_of(game: "StoredGame", outages: "list[Outage]") -> Iterator[str]:
    why = fault_of_journal(game, outages)
    if why:
        yield say("move_database.broken_journal", id=game.id, why=why)
    if game.record is not None:
        finding, about = check_text(as_text(game.id, 1, game.record))
        if finding is not CheckResult.SOUND:
            why = about["why"] or say("move_database.not_whole")
            yield say("move_database.broken_record", id=game.id, why=why)
    elif game.status == Status.OVER:
        yield say("move_database.no_record", id=game.id)


def fault_of_journal(game: "StoredGame", outages: "list[Outage]") -> str | None:
    from royalcrypt.tables.table import Table

    if game.plies != list(range(len(game.plies))):
        return say("move_database.gap")
    try:
        table = Table.from_journal(game.id, game.entries, outages)
    except Refusal as refusal:
        return str(refusal)
    except Exception as problem:  # noqa: BLE001 (the file may contain anything)
        return f"{type(problem).__name__}: {problem}"
    if (table.status, table.ply) != (game.status, game.ply):
        return say(
            "move_database.other_listing",
            status=table.status, ply=table.ply, listed=game.status, listed_ply=game.ply,
        )  # fmt: skip
    return None


def show_carried(copied: "list[CopiedTable]") -> None:
    table = columns("move_database.column", "table", "rows", "seconds", left=("table",))
    for one in copied:
        if one.rows:
            table.add_row(one.table, str(one.rows), f"{one.seconds:.1f}")
    table.add_section()
    rows, seconds = sum(one.rows for one in copied), sum(one.seconds for one in copied)
    table.add_row(say("move_database.all"), str(rows), f"{seconds:.1f}")
    with ignoring_closed_output():
        show(table)


def report_end(path: Path, target: "TransferTarget", seen: "ReplayReport", *, has_key: bool) -> int:
    for fault in seen.faults:
        report(fault)
    if seen.faults:
        report(say("move_database.faults", count=len(seen.faults)))
    report(say("move_database.done", place=target.place))
    report(say("move_database.key" if has_key else "move_database.no_key", file=path))
    report(say("move_database.next", file=path))
    return FAULTS if seen.faults else 0


def report(words: str) -> None:
    with ignoring_closed_output():
        write_escaped(words)


@contextmanager
def ignoring_closed_output() -> Generator[None]:
    """Continue the transfer if standard output has been closed."""
    try:
        yield
        sys.stdout.flush()
    except OSError:
        forget_output()
