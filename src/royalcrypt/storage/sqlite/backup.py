"""Backups of a database file, taken while a server runs, and their restoration."""

import shutil
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import apsw

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.files import make_folder, move, sync
from royalcrypt.storage.migrations import check_is_known
from royalcrypt.storage.sqlite.connection import (
    DatabaseFileLock,
    RawConnection,
    is_missing,
    keep_log,
    open_existing,
    open_raw,
    parts_of,
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


def restore(source: Path, path: Path, then: Callable[[], None] = lambda: None) -> Path | None:
    """Replace a database by a backup; returns the path of the replaced database. Raises Refusal.

    ``then`` does what belongs to it: an interruption leaves all of it undone, or a mark with which no server
    starts until the restore is repeated.
    """
    staged, mark = path.with_name(f".{path.name}.staged"), unfinished_restore(path)
    with closing(DatabaseFileLock(path)), open_existing(source) as (raw, version):
        check_is_known(version, source)
        try:
            copy(raw, source, staged)  # First, because a full disk fails here.
            kept = _keep(path)
            move(staged, mark)
        finally:
            staged.unlink(missing_ok=True)
        if kept is not None and not kept.exists():
            _set_aside(path, kept)
        then()
        move(mark, path)
    return kept


def unfinished_restore(path: Path) -> Path:
    """Return the name that a restored database has until everything else is restored, too."""
    return path.with_name(f".{path.name}.restored")


def _keep(path: Path) -> Path | None:
    """Save a copy of a database, and remove its log, which SQLite would apply to the next file.

    Returns the name of the copy, and makes none of a damaged database. Returns None if nothing is there.
    """
    if not any(part.exists() for part in parts_of(path)):
        return None
    kept = name_beside(path, "before-restore")
    if is_missing(path):
        return kept
    try:
        with closing(open_raw(path)) as old:
            keep_log(old, path)
            copy(old, path, kept)
            old.pragma("journal_mode", "DELETE")
        sync(path.parent)
    except Refusal as refused:
        if refused.reason not in (Reason.DATABASE_DAMAGED, Reason.NOT_A_DATABASE):
            raise
    except apsw.Error as problem:
        raise refusal_of(problem, path) from problem
    return kept


def _set_aside(path: Path, kept: Path) -> None:
    """Move a damaged database with its log away."""
    make_folder(kept.parent)
    for part, target in zip(parts_of(path), parts_of(kept), strict=True):
        with suppress(FileNotFoundError):
            part.rename(target)
    sync(kept.parent)
    sync(path.parent)


def copy(raw: RawConnection, source: Path, target: Path) -> None:
    """Write a checked copy under a temporary name, then rename it once it is on disk; raises Refusal."""
    passing = target.with_name(f".{target.name}.part")
    with _refusing(source, target):
        make_folder(target.parent)
        passing.unlink(missing_ok=True)
        passing.touch(mode=0o600)
        try:
            _write(raw, source, passing)
            shutil.copymode(source, passing)
            sync(passing)
            move(passing, target)
        finally:
            passing.unlink(missing_ok=True)


def _write(raw: RawConnection, source: Path, passing: Path) -> None:
    with closing(open_raw(passing)) as written:
        # In a single step; otherwise each write to the source would restart the copy.
        with written.backup("main", raw, "main") as copying:
            copying.step()
        written.pragma("journal_mode", "DELETE")  # The copy is one file.
        check(written, source)


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


@contextmanager
def _refusing(source: Path, target: Path) -> Generator[None]:
    """Convert errors of a copy into refusals."""
    try:
        yield
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=why) from problem
    except (apsw.CorruptError, apsw.NotADBError, apsw.BusyError) as problem:
        raise refusal_of(problem, source) from problem
    except apsw.Error as problem:
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=str(problem)) from problem
