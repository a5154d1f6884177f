"""How a database file is opened, and what its failures mean to people."""

from pathlib import Path
from typing import Literal

import apsw
import msgspec

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.raw import BUSY, Raw, open_raw

Synchronous = Literal["OFF", "NORMAL", "FULL"]


class Tuning(msgspec.Struct, frozen=True):
    synchronous: Synchronous = "FULL"
    """Only FULL keeps what was acknowledged through a power cut."""
    busy: int = BUSY
    """How long to wait for another program's lock, in ms."""
    checkpoint: int = 4000
    """Pages of the write-ahead log that make the writer fold it into the file, and start it anew."""
    fold_every: float = 0.25
    """Seconds after which another thread folds what there is."""


STORAGE_FAILURES = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.CorruptError,
    apsw.FullError,
    apsw.IOError,
    apsw.InterruptError,
    apsw.NoMemError,
    apsw.NotADBError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)
"""Errors of the disk or the file, as against those of a statement."""


def connect(path: Path, *, vfs: str | None = None, tuning: Tuning | None = None) -> Raw:
    tuning = tuning or Tuning()
    raw = open_raw(path, vfs=vfs, busy=tuning.busy)
    try:
        raw.pragma("journal_mode", "WAL")
        raw.pragma("synchronous", tuning.synchronous)
        raw.pragma("foreign_keys", "ON")
        raw.pragma("wal_autocheckpoint", tuning.checkpoint)
        raw.pragma("journal_size_limit", 64 << 20)
        # Where fsync alone does not reach the disk (macOS); elsewhere without effect.
        raw.pragma("fullfsync", "ON")
        raw.pragma("checkpoint_fullfsync", "ON")
    except BaseException:
        raw.close(force=True)
        raise
    return raw


def reason_of(problem: Exception) -> tuple[Reason, dict[str, str]]:
    """Why something was not kept. Names no path: players read it too."""
    match problem:
        case apsw.FullError():
            return Reason.DISK_FULL, {}
        case apsw.BusyError():
            return Reason.DATABASE_BUSY, {}
        case _:
            return Reason.STORAGE_FAILED, {"why": type(problem).__name__}


def refusal_of(problem: Exception, path: Path) -> Refusal:
    """Why a file cannot be opened or read, for whoever runs the server."""
    match problem:
        case apsw.NotADBError():
            return Refusal(Reason.NOT_A_DATABASE, file=str(path))
        case apsw.CorruptError():
            return Refusal(Reason.DATABASE_DAMAGED, file=str(path), why=str(problem))
        case apsw.BusyError():
            return Refusal(Reason.DATABASE_BUSY)
        case OSError():
            return Refusal(Reason.CANNOT_READ, file=str(path), why=problem.strerror or str(problem))
        case _:
            return Refusal(Reason.CANNOT_READ, file=str(path), why=str(problem))
