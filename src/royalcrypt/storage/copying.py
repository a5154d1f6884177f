"""Copies of a database file, taken while others write to it."""

import os
import shutil
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import sleep

import apsw

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.connecting import refusal_of
from royalcrypt.storage.raw import Raw, open_raw

TRIES, PAUSE = 20, 0.05
"""The log is not waited for while somebody else folds it, so it is asked for again, after so many seconds."""


def copy(raw: Raw, source: Path, target: Path) -> None:
    """Write a checked copy under a passing name, and rename it once it is on the disk. Raises Refusal."""
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


def check(raw: Raw, path: Path) -> None:
    """Raises DATABASE_DAMAGED, or what SQLite stumbles over."""
    said = raw.pragma("integrity_check")
    if said != "ok":
        raise Refusal(Reason.DATABASE_DAMAGED, file=str(path), why=str(said).replace("\n", "; "))


def rewrite(raw: Raw) -> None:
    """Write a database anew and empty its log: what was deleted or replaced leaves no byte in either.

    Outside of a transaction. Raises BusyError if somebody reads on from the log for too long.
    """
    raw.execute("VACUUM").fetchall()
    for _ in range(TRIES):
        is_busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        if not is_busy:
            return
        sleep(PAUSE)
    raise apsw.BusyError


def name_beside(path: Path, occasion: str) -> Path:
    """A name, among the backups beside a database, that is not taken."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    return path.parent / "backups" / f"{path.stem}-{occasion}-{now}.db"


def _write(raw: Raw, passing: Path) -> None:
    with closing(open_raw(passing)) as written:
        # In one step: a writer would make a copy in several steps begin anew each time.
        with written.backup("main", raw, "main") as copying:
            copying.step()
        written.pragma("journal_mode", "DELETE")  # So that the copy is one file.
        check(written, passing)


def sync(path: Path) -> None:
    """Wait until a file, or a directory's names, are on the disk."""
    if path.is_dir() and os.name == "nt":
        return  # Windows keeps names by itself, and opens no directory.
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _refusing(target: Path) -> Generator[None]:
    try:
        yield
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=why) from problem
    except (apsw.CorruptError, apsw.NotADBError, apsw.BusyError) as problem:
        raise refusal_of(problem, target) from problem
    except apsw.Error as problem:
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=str(problem)) from problem
