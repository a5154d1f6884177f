"""Backups: one ZIP file with the database and the server key, readable by its owner only."""

import re
import shlex
import shutil
import subprocess  # nosec B404 (for its quoting)
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import EPOCH_FILE, KEY_FILE, read_key, write_private
from royalcrypt.server.settings import DATABASE, ServerSettings
from royalcrypt.storage.files import make_folder, move, sync
from royalcrypt.storage.sqlite.backup import back_up, restore
from royalcrypt.storage.sqlite.integrity import check_present

FOLDER = "backups"
DAILY = re.compile(r"royalcrypt-\d{4}-\d\d-\d\d\.zip")
LEFTOVER = re.compile(r"\.(backup|restore)-\w{8}|\.+royalcrypt.*\.(part|staged)(-\w+)?")
LEFTOVER_SECONDS = 86_400
ZIP = b"PK"
UNUSABLE = (
    Reason.DATABASE_DAMAGED, Reason.DATABASE_MISSING, Reason.NOT_A_DATABASE, Reason.UNFINISHED_RESTORE,
)  # fmt: skip


def default_target(data: Path, now: datetime | None = None) -> Path:
    moment = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    return data / FOLDER / f"royalcrypt-{moment}.zip"


def newest_backup(data: Path) -> Path | None:
    """Return the newest backup in a data folder."""
    found = [path for path in (data / FOLDER).glob("royalcrypt-*.zip") if path.is_file()]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


@contextmanager
def advising(data: Path) -> Generator[None]:
    """Add to a refusal of a data folder's own database how to restore it."""
    try:
        yield
    except Refusal as refused:
        if refused.reason not in UNUSABLE or refused.details.get("file") != str(data / DATABASE):
            raise
        newest = newest_backup(data)
        reason = Reason.NOTHING_TO_RESTORE if newest is None else Reason.RESTORE_BACKUP
        raise Refusal(reason, why=str(refused), data=quoted(data), backup=quoted(newest)) from refused


def quoted(path: Path | None) -> str:
    """Return a path as it is typed in a command line."""
    return subprocess.list2cmdline([str(path)]) if sys.platform == "win32" else shlex.quote(str(path))


def make_backup(data: Path, target: Path) -> None:
    """Write a consistent backup, even while a server runs; raises Refusal."""
    if target.exists():
        raise Refusal(Reason.FILE_EXISTS, file=str(target))
    try:
        make_folder(target.parent, 0o700)
        for place in (data, target.parent):
            remove_leftovers(place)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder, advising(data):
            copy, packed = Path(folder, DATABASE), Path(folder, target.name)
            check_present(data / DATABASE, data / KEY_FILE)
            back_up(data / DATABASE, copy)
            packed.touch(mode=0o600)
            _pack(packed, copy, data)
            move(packed, target)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=error.strerror or str(error)) from None


def remove_leftovers(folder: Path) -> None:
    """Remove what commands that were killed more than a day ago left: they contain copies of the database."""
    oldest = time.time() - LEFTOVER_SECONDS
    for path in folder.glob(".*"):
        if LEFTOVER.fullmatch(path.name) and path.stat().st_mtime < oldest:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


def _pack(packed: Path, copy: Path, data: Path) -> None:
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        archive.write(copy, DATABASE)
        for name in (KEY_FILE, EPOCH_FILE):
            if (data / name).exists():
                archive.write(data / name, name)
    sync(packed)


def restore_backup(source: Path, data: Path) -> Path | None:
    """Restore a backup; returns the path of the replaced database, if any. Raises Refusal."""
    if not is_zip(source):  # A plain database file is accepted, too; it leaves the existing key.
        return restore(source, data / DATABASE)
    try:
        make_folder(data, 0o700)
        for place in (data, data / FOLDER):
            remove_leftovers(place)
        with tempfile.TemporaryDirectory(dir=data, prefix=".restore-") as folder:
            unpack(source, Path(folder))
            unpacked = Path(folder, DATABASE)
            try:
                return restore(unpacked, data / DATABASE, lambda: _restore_keys(Path(folder), data))
            except Refusal as refused:
                if refused.details.get("file") != str(unpacked):
                    raise
                raise Refusal(refused.reason, **refused.details | {"file": str(source)}) from refused
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(data), why=error.strerror or str(error)) from None


def is_zip(source: Path) -> bool:
    """Whether a backup is a ZIP file rather than a plain database; raises Refusal if it is unreadable."""
    try:
        with source.open("rb") as file:
            return file.read(len(ZIP)) == ZIP
    except OSError as error:
        raise Refusal(Reason.CANNOT_READ, file=str(source), why=error.strerror or str(error)) from None


def unpack(source: Path, folder: Path) -> None:
    """Extract the database and, if present, the keys; raises Refusal."""
    try:
        with zipfile.ZipFile(source) as archive:
            held = set(archive.namelist())
            for name in {DATABASE, KEY_FILE, EPOCH_FILE} & held:
                Path(archive.extract(name, folder)).chmod(0o600)  # Extraction sets no permissions.
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        raise Refusal(Reason.NOT_A_BACKUP, file=str(source)) from None
    if DATABASE not in held:
        raise Refusal(Reason.NOT_A_BACKUP, file=str(source))
    if KEY_FILE in held:
        read_key(Path(folder, KEY_FILE).read_text("ascii", "replace"), source)


def _restore_keys(folder: Path, data: Path) -> None:
    """Restore the keys; a replaced key moves to the backups folder, because its database needs it."""
    key, own = folder / KEY_FILE, data / KEY_FILE
    if not key.exists() or (own.exists() and own.read_bytes() == key.read_bytes()):
        return
    if own.exists():
        moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
        write_private(data / FOLDER / f"server-before-restore-{moment}.key", own.read_text("ascii"))
    if (folder / EPOCH_FILE).exists():
        write_private(data / EPOCH_FILE, (folder / EPOCH_FILE).read_text("ascii"))
    else:
        (data / EPOCH_FILE).unlink(missing_ok=True)
    write_private(own, key.read_text("ascii"))  # Last: with the same key, a repeated restore stops above.


def back_up_daily(settings: ServerSettings, today: date | None = None) -> Path | None:
    """Write today's backup unless it exists, and delete the oldest daily backups beyond the limit."""
    if settings.backups_kept == 0:
        return None
    folder = settings.data / FOLDER
    target = folder / f"royalcrypt-{(today or datetime.now(UTC).date()).isoformat()}.zip"
    if target.exists():
        return None
    make_backup(settings.data, target)
    others = sorted(path for path in folder.iterdir() if DAILY.fullmatch(path.name) and path != target)
    for old in others[: max(0, len(others) + 1 - settings.backups_kept)]:
        old.unlink(missing_ok=True)
    return target
