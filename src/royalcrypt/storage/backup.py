"""Backups of a database, taken while a server runs, and their return."""

import errno
import os
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.connecting import refusal_of
from royalcrypt.storage.copying import copy, name_beside, sync
from royalcrypt.storage.identity import check_is_known, filled_version_of
from royalcrypt.storage.lock import Lock
from royalcrypt.storage.raw import Raw, open_raw


def back_up(path: Path, target: Path) -> None:
    """Copy a database, as of one moment, to a file that is not there yet. Raises Refusal."""
    if target.exists():
        raise Refusal(Reason.FILE_EXISTS, file=str(target))
    with _opened(path) as (raw, _):
        copy(raw, path, target)


def restore(source: Path, path: Path) -> Path | None:
    """Put a backup in a database's place; tells where the replaced one was kept. Raises Refusal."""
    arriving = path.with_name(f".{path.name}.restored")
    with Lock(path), _opened(source) as (raw, version):
        check_is_known(version, source)
        copy(raw, source, arriving)  # First of all, as this is where a full disk is met.
        try:
            kept = _keep(path) if path.exists() else None
            arriving.replace(path)
            sync(path.parent)
        finally:
            arriving.unlink(missing_ok=True)
    return kept


def _keep(path: Path) -> Path:
    """Put a database aside, and leave no log that the next one in its place could be taken to own."""
    kept = name_beside(path, "before-restore")
    try:
        with closing(open_raw(path)) as old:
            copy(old, path, kept)
            old.pragma("journal_mode", "DELETE")
    except Refusal as refused:
        if refused.reason not in (Reason.DATABASE_DAMAGED, Reason.NOT_A_DATABASE):
            raise
        _move(path, kept)
    except apsw.Error as problem:
        raise refusal_of(problem, path) from problem
    return kept


def _move(path: Path, kept: Path) -> None:
    kept.parent.mkdir(parents=True, exist_ok=True)
    for part in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + part).rename(kept.with_name(kept.name + part))


@contextmanager
def _opened(path: Path) -> Generator[tuple[Raw, str]]:
    """A database of ours, and its version. Raises Refusal if it is none."""
    if not path.is_file():
        raise Refusal(Reason.CANNOT_READ, file=str(path), why=os.strerror(errno.ENOENT))
    try:
        with closing(open_raw(path)) as raw:
            yield raw, filled_version_of(raw, path)
    except apsw.Error as problem:
        raise refusal_of(problem, path) from problem
