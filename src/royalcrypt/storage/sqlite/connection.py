"""Connections to a database file through apsw: opening, locking, checkpoints, error classification."""

import errno
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, Literal, Protocol

import apsw
import msgspec

from royalcrypt.notation.reasons import Reason, Refusal

Row = tuple[Any, ...]
BUSY_TIMEOUT = 2000
"""Default time-out in ms for waiting on another program's lock."""
CACHE_KIB = 16 << 10
"""Size limit of a connection's page cache; with SQLite's 2 MiB, each move reads pages again."""
APPLICATION = 0x52437279
"""SQLite application_id that marks Royal Crypt's files: "RCry" in ASCII."""

LOG = "-wal"
"""Ending of the write-ahead log's name."""


class RawCursor(Protocol):
    """The part of ``apsw.Cursor`` used here; apsw's own stubs need a newer Python than 3.11."""

    exec_trace: Callable[[Any, str, Any], bool] | None
    get: Any
    """First value of the first row, or None."""

    def execute(self, statement: str, bindings: Sequence[object] = (), /) -> "RawCursor": ...
    def executemany(self, statement: str, bindings: Iterable[Sequence[object]], /) -> "RawCursor": ...
    def fetchone(self) -> Row | None: ...
    def fetchall(self) -> list[Row]: ...
    def get_description(self) -> Sequence[tuple[str, str]]: ...
    def close(self, force: bool = False) -> None: ...  # noqa: FBT001, FBT002 (apsw's signature)
    def __iter__(self) -> Iterator[Row]: ...


class RawConnection(Protocol):
    """The part of ``apsw.Connection`` used here."""

    in_transaction: bool

    def execute(self, statement: str, bindings: Sequence[object] = (), /) -> RawCursor: ...
    def cursor(self) -> RawCursor: ...
    def pragma(self, name: str, value: str | int | None = None) -> Any: ...
    def backup(self, into: str, source: "RawConnection", of: str, /) -> AbstractContextManager[Any]: ...
    def changes(self) -> int: ...
    def total_changes(self) -> int: ...
    def last_insert_rowid(self) -> int: ...
    def set_busy_timeout(self, milliseconds: int, /) -> None: ...
    def config(self, option: int, value: int, /) -> int: ...
    def close(self, force: bool = False) -> None: ...  # noqa: FBT001, FBT002 (apsw's signature)


Synchronous = Literal["OFF", "NORMAL", "FULL"]


class Tuning(msgspec.Struct, frozen=True):
    synchronous: Synchronous = "FULL"
    """SQLite's sync mode; only FULL preserves acknowledged entries through a power failure."""
    busy: int = BUSY_TIMEOUT
    """Time-out in ms for waiting on another program's lock."""
    checkpoint: int = 4000
    """Number of write-ahead log pages at which the writer runs a checkpoint and restarts the log."""
    checkpoint_every: float = 0.25
    """Seconds between checkpoints of the background thread."""


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
"""apsw errors caused by the disk or the file, not by a statement."""


def open_raw(path: Path, *, vfs: str | None = None, busy: int = BUSY_TIMEOUT) -> RawConnection:
    """Open a file with SQLite's defaults, without changing it; ``busy`` is the lock time-out in ms."""
    library: Any = apsw
    raw: RawConnection = library.Connection(str(path), vfs=vfs)
    raw.set_busy_timeout(busy)
    return raw


def connect(path: Path, *, vfs: str | None = None, tuning: Tuning | None = None) -> RawConnection:
    """Open a database with the server's settings."""
    tuning = tuning or Tuning()
    raw = open_raw(path, vfs=vfs, busy=tuning.busy)
    try:
        raw.pragma("journal_mode", "WAL")
        raw.pragma("synchronous", tuning.synchronous)
        raw.pragma("foreign_keys", "ON")
        raw.pragma("wal_autocheckpoint", tuning.checkpoint)
        raw.pragma("journal_size_limit", 64 << 20)
        raw.pragma("cache_size", -CACHE_KIB)
        # On macOS, plain fsync does not reach the disk; elsewhere these have no effect.
        raw.pragma("fullfsync", "ON")
        raw.pragma("checkpoint_fullfsync", "ON")
    except BaseException:
        raw.close(force=True)
        raise
    return raw


def reason_of(problem: Exception) -> tuple[Reason, dict[str, str]]:
    """Return the reason of a failed write for players, which names no path."""
    if isinstance(problem, apsw.FullError):
        return Reason.DISK_FULL, {}
    if isinstance(problem, apsw.BusyError):
        return Reason.DATABASE_BUSY, {}
    return Reason.STORAGE_FAILED, {"why": type(problem).__name__}


def refusal_of(problem: Exception, path: Path) -> Refusal:
    """Return the reason why a file cannot be opened or read, for the administrator."""
    if isinstance(problem, apsw.BusyError):
        return Refusal(Reason.DATABASE_BUSY)
    if isinstance(problem, apsw.NotADBError):
        return Refusal(Reason.NOT_A_DATABASE, file=str(path))
    reason = Reason.DATABASE_DAMAGED if isinstance(problem, apsw.CorruptError) else Reason.CANNOT_READ
    return Refusal(reason, file=str(path), why=getattr(problem, "strerror", None) or str(problem))


def version_of(raw: RawConnection, path: Path) -> str | None:
    """Return the schema version, None if empty; raises Refusal for another program's file."""
    if not raw.pragma("schema_version"):
        return None
    if raw.pragma("application_id") != APPLICATION:
        raise Refusal(Reason.NOT_A_DATABASE, file=str(path))
    return raw.execute("SELECT version_num FROM alembic_version").get


def parts_of(path: Path) -> list[Path]:
    """Return the names that a database's files have, the database first."""
    return [path.with_name(path.name + ending) for ending in ("", LOG, "-shm", "-journal")]


def log_of(path: Path) -> Path:
    return path.with_name(path.name + LOG)


def is_missing(path: Path) -> bool:
    """Whether a file does not exist or is empty."""
    return not path.exists() or path.stat().st_size == 0


def keep_log(raw: RawConnection, path: Path) -> None:
    """Leave the log of a killed server as it is when this connection, perhaps the last one, is closed."""
    if not is_missing(log_of(path)):
        raw.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


@contextmanager
def open_existing(path: Path) -> Generator[tuple[RawConnection, str]]:
    """Open an existing, non-empty Royal Crypt database with its version; raises Refusal."""
    if not path.is_file():
        raise Refusal(Reason.CANNOT_READ, file=str(path), why=os.strerror(errno.ENOENT))
    if is_missing(path):  # SQLite would delete the log beside it.
        raise Refusal(Reason.NOT_A_DATABASE, file=str(path))
    try:
        with closing(open_raw(path)) as raw:
            keep_log(raw, path)
            version = version_of(raw, path)
            if version is None:
                raise Refusal(Reason.NOT_A_DATABASE, file=str(path))
            yield raw, version
    except apsw.Error as problem:
        raise refusal_of(problem, path) from problem


class DatabaseFileLock:
    """Locks a database file for one server process, until it is closed or the process ends.

    The lock is an exclusive transaction on an empty SQLite file next to the database: SQLite's locks work the
    same on every system, and other programs can still read and back up the database itself.
    """

    def __init__(self, path: Path) -> None:
        """Acquire the lock; raises Refusal (DATABASE_IN_USE) if another process holds it."""
        path = path.resolve()
        beside = path.with_name(path.name + ".lock")
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            self._held = open_raw(beside, busy=0)
            try:
                self._held.execute("BEGIN EXCLUSIVE")
            except BaseException:
                self._held.close()
                raise
        except apsw.BusyError as problem:
            raise Refusal(Reason.DATABASE_IN_USE, file=str(path)) from problem
        except (OSError, apsw.Error) as problem:
            raise Refusal(Reason.CANNOT_WRITE, file=str(beside), why=str(problem)) from problem

    def close(self) -> None:
        self._held.close()


class Checkpointer:
    """A thread that copies the write-ahead log into the file without blocking the writer.

    The writer must still run a checkpoint occasionally to restart the log, but then has little left to copy.
    """

    def __init__(self, connect: Callable[[], RawConnection], *, seconds: float) -> None:
        self._connect = connect
        self._seconds = seconds
        self._is_closed = Event()
        self._thread = Thread(target=self._serve, name="storage-checkpointer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_closed.set()

    def join(self) -> None:
        """Block until the connection is closed; must not be called on the event loop."""
        self._thread.join()

    def _serve(self) -> None:
        while not self._is_closed.wait(self._seconds):
            # Pages that cannot be copied now stay in the log until the next round.
            with suppress(*STORAGE_FAILURES), closing(self._connect()) as raw:
                while not self._is_closed.wait(self._seconds):
                    raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
