"""Backups of a database file, taken while a server runs, and their restoration."""

import os
import shutil
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import apsw

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.migrations import check_is_known
from royalcrypt.storage.sqlite.connection import (
    DatabaseFileLock,
    RawConnection,
    open_existing,
    open_raw,
    refusal_of,
)

ATTEMPTS, PAUSE = 20, 0.05
"""Attempts to truncate a log that another connection uses, and the delay between them in seconds."""


def back_up(path: Path, target: Path) -> None:
    """Copy a consistent snapshot of a database to a new file; raises Refusal."""
    if target.exists():
        raise Refusal(Reason.FILE_EXISTS, file=str(target))
    with open_existing(path) as (raw, _):
        copy(raw, path, target)


def restore(source: Path, path: Path) -> Path | None:
    """Replace a database by a backup; returns the path of the replaced database. Raises Refusal."""
    arriving = path.with_name(f".{path.name}.restored")
    with closing(DatabaseFileLock(path)), open_existing(source) as (raw, version):
        check_is_known(version, source)
        copy(raw, source, arriving)  # First, because a full disk fails here.
        try:
            kept = _set_aside(path) if path.exists() else None
            arriving.replace(path)
            sync(path.parent)
        finally:
            arriving.unlink(missing_ok=True)
    return kept


def _set_aside(path: Path) -> Path:
    """Save a copy of a database, and remove its log, which SQLite would apply to the next file."""
    kept = name_beside(path, "before-restore")
    try:
        with closing(open_raw(path)) as old:
            copy(old, path, kept)
            old.pragma("journal_mode", "DELETE")
    except Refusal as refused:
        if refused.reason not in (Reason.DATABASE_DAMAGED, Reason.NOT_A_DATABASE):
            raise
        kept.parent.mkdir(parents=True, exist_ok=True)
        for part in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                path.with_name(path.name + part).rename(kept.with_name(kept.name + part))
    except apsw.Error as problem:
        raise refusal_of(problem, path) from problem
    return kept


def copy(raw: RawConnection, source: Path, target: Path) -> None:
    """Write a checked copy under a temporary name, then rename it once it is on disk; raises Refusal."""
    passing = target.with_name(f".{target.name}.part")
    with _refusing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        passing.unlink(missing_ok=True)
        passing.touch(mode=0o600)
        try:
            _write(raw, passing)
            shutil.copymode(source, passing)
            sync(passing)
            passing.replace(target)
            sync(target.parent)
        finally:
            passing.unlink(missing_ok=True)


def _write(raw: RawConnection, passing: Path) -> None:
    with closing(open_raw(passing)) as written:
        # In a single step; otherwise each write to the source would restart the copy.
        with written.backup("main", raw, "main") as copying:
            copying.step()
        written.pragma("journal_mode", "DELETE")  # The copy is one file.
        check(written, passing)


def check(raw: RawConnection, path: Path) -> None:
    """Check a database's integrity; raises Refusal (DATABASE_DAMAGED) or SQLite's own error."""
    found = raw.pragma("integrity_check")
    if found != "ok":
        raise Refusal(Reason.DATABASE_DAMAGED, file=str(path), why=str(found).replace("\n", "; "))


def rewrite(raw: RawConnection) -> None:
    """Rewrite a database and empty its log, so that deleted rows leave no bytes in either.

    Must be called outside a transaction. Raises BusyError if another connection keeps reading the log.
    """
    raw.execute("VACUUM").fetchall()
    for _ in range(ATTEMPTS):
        if truncate_log(raw):
            return
        sleep(PAUSE)
    raise apsw.BusyError


def truncate_log(raw: RawConnection) -> bool:
    """Copy the log into the file and empty it; returns False if another connection still uses the log."""
    is_busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    return not is_busy


def name_beside(path: Path, occasion: str) -> Path:
    """Return an unused file name in the folder ``backups`` next to a database."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return path.parent / "backups" / f"{path.stem}-{occasion}-{now}.db"


def sync(path: Path) -> None:
    """Wait until a file's content, or a directory's names, are on disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows stores names itself, and cannot open a directory.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _refusing(target: Path) -> Generator[None]:
    """Convert errors of a copy into refusals."""
    try:
        yield
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=why) from problem
    except (apsw.CorruptError, apsw.NotADBError, apsw.BusyError) as problem:
        raise refusal_of(problem, target) from problem
    except apsw.Error as problem:
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=str(problem)) from problem
