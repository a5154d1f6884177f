"""The server key: one stored secret from which all other keys are derived."""

import base64
import contextlib
import hmac
import os
import secrets
import tempfile
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.database import Database
from royalcrypt.storage.files import make_folder, sync
from royalcrypt.storage.server_state import NoticeKind, Notices, ServerState

KEY_FILE, EPOCH_FILE = "server.key", "admin.epoch"
SHARED_KEY, SHARED_EPOCH = "server_key", "admin_epoch"
"""Setting names of the key and of the admin link's epoch in a shared database."""
KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class ServerKeys:
    secret: bytes = field(repr=False)
    epoch: str = field(default="", repr=False)
    """Random value that is replaced with the admin link, so that older links become invalid."""

    def derived(self, purpose: str) -> bytes:
        """Derive a 32-byte key for one purpose, independent of the keys for other purposes."""
        return hmac.digest(self.secret, purpose.encode(), "sha256")

    def signing_key(self) -> bytes:
        return self.derived("cookies")

    def admin_token(self) -> str:
        """The secret last part of the admin link's URL."""
        token = self.derived(f"admin|{self.epoch}")
        return base64.urlsafe_b64encode(token).rstrip(b"=").decode("ascii")

    def is_admin_token(self, text: str) -> bool:
        return hmac.compare_digest(self.admin_token().encode(), text.encode("utf-8", "surrogatepass"))


def load_keys(data: Path) -> ServerKeys:
    """Load the keys from a data folder; creates them in an empty folder."""
    path = data / KEY_FILE
    with _readable(data):
        if not path.exists():
            write_private(path, secrets.token_hex(KEY_BYTES), is_new=True)
        text = path.read_text("ascii", "replace")
        _keep_private(path)
    return ServerKeys(read_key(text, path), read_epoch(data))


def read_epoch(data: Path) -> str:
    """Read the admin link's epoch from a data folder; empty if the link was never replaced."""
    with _readable(data):
        try:
            return (data / EPOCH_FILE).read_text("utf-8", "replace").strip()
        except FileNotFoundError:
            return ""


@contextlib.contextmanager
def _readable(data: Path) -> Generator[None]:
    """Turn errors of reading the folder into refusals."""
    try:
        yield
    except OSError as error:
        raise Refusal(
            Reason.CANNOT_READ, file=str(error.filename or data), why=error.strerror or str(error)
        ) from None


async def shared_keys(housekeeping: ServerState) -> ServerKeys:
    """Load the keys that all processes on one database share; the first process creates them."""
    text = await housekeeping.first(SHARED_KEY, secrets.token_hex(KEY_BYTES))
    return ServerKeys(read_key(text, SHARED_KEY), await shared_epoch(housekeeping))


async def shared_epoch(housekeeping: ServerState) -> str:
    """Read the admin link's epoch that all processes on one database share."""
    return await housekeeping.get(SHARED_EPOCH, "")


async def replace_shared_admin_link(database: Database, now: int) -> None:
    """Invalidate the admin link in a shared database, also in running processes."""
    await ServerState(database).set(SHARED_EPOCH, secrets.token_hex(8))
    await Notices(database).add(NoticeKind.RULES, "", now)


def read_key(text: str, path: Path | str) -> bytes:
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != KEY_BYTES:
        raise Refusal(Reason.BROKEN_KEY, file=str(path))
    return secret


def replace_admin_link(data: Path) -> None:
    """Invalidate the admin link of a data folder; a running server reads the file once a second."""
    path = data / EPOCH_FILE
    try:
        write_private(path, secrets.token_hex(8))
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(path), why=error.strerror or str(error)) from None


def _keep_private(path: Path) -> None:
    """Make a key file readable by its owner only, in case it was copied without its permissions."""
    if os.name == "posix" and path.stat().st_mode & 0o077:
        path.chmod(0o600)


def write_private(path: Path, text: str, *, is_new: bool = False) -> None:
    """Write a file atomically, readable by its owner only, until it is on disk.

    With ``is_new`` an existing file is kept.
    """
    make_folder(path.parent, 0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text.strip() + "\n")
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            _put_first(part, path)
        else:
            part.replace(path)
        sync(path.parent)
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _put_first(part: Path, path: Path) -> None:
    try:
        path.hardlink_to(part)
    except FileExistsError:
        pass
    except OSError:  # The file system has no hard links.
        part.replace(path)
