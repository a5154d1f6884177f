"""Backups: one ZIP file with the database and the server key, readable by its owner only."""

import os
import re
import tempfile
import zipfile
import zlib
from datetime import UTC, date, datetime
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.keys import EPOCH_FILE, KEY_FILE, read_key, write_private
from royalcrypt.server.settings import DATABASE, ServerSettings
from royalcrypt.storage.sqlite.backup import back_up, restore

FOLDER = "backups"
DAILY = re.compile(r"royalcrypt-\d{4}-\d\d-\d\d\.zip")
ZIP = b"PK"


def default_target(data: Path, now: datetime | None = None) -> Path:
    moment = (now or datetime.now(UTC)).strftime("%Y%m%dT%H%M%SZ")
    return data / FOLDER / f"royalcrypt-{moment}.zip"


def make_backup(data: Path, target: Path) -> None:
    """Write a consistent backup, even while a server runs; raises Refusal."""
    if target.exists():
        raise Refusal(Reason.FILE_EXISTS, file=str(target))
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
            copy, packed = Path(folder, DATABASE), Path(folder, target.name)
            back_up(data / DATABASE, copy)
            packed.touch(mode=0o600)
            _pack(packed, copy, data)
            packed.replace(target)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(target), why=error.strerror or str(error)) from None


def _pack(packed: Path, copy: Path, data: Path) -> None:
    with packed.open("r+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
            archive.write(copy, DATABASE)
            for name in (KEY_FILE, EPOCH_FILE):
                if (data / name).exists():
                    archive.write(data / name, name)
        file.flush()
        os.fsync(file.fileno())


def restore_backup(source: Path, data: Path) -> Path | None:
    """Restore a backup; returns the path of the replaced database, if any. Raises Refusal."""
    if not is_zip(source):  # A plain database file is accepted, too; it leaves the existing key.
        return restore(source, data / DATABASE)
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(dir=data, prefix=".restore-") as folder:
            unpack(source, Path(folder))
            kept = restore(Path(folder, DATABASE), data / DATABASE)
            _restore_keys(Path(folder), data)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(data), why=error.strerror or str(error)) from None
    return kept


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
    write_private(own, key.read_text("ascii"))
    (data / EPOCH_FILE).unlink(missing_ok=True)
    if (folder / EPOCH_FILE).exists():
        write_private(data / EPOCH_FILE, (folder / EPOCH_FILE).read_text("ascii"))


def back_up_daily(settings: ServerSettings, today: date | None = None) -> Path | None:
    """Write today's backup unless it exists, and delete the oldest daily backups beyond the limit."""
    if settings.backups_kept == 0:
        return None
    folder = settings.data / FOLDER
    target = folder / f"royalcrypt-{(today or datetime.now(UTC).date()).isoformat()}.zip"
    if target.exists():
        return None
    make_backup(settings.data, target)
    daily = sorted(path for path in folder.iterdir() if DAILY.fullmatch(path.name))
    for old in daily[: -settings.backups_kept]:
        old.unlink(missing_ok=True)
    return target
