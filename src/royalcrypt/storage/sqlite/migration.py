"""Migration of a database file to the current schema version; fast if it is up to date."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.migrations import VERSIONS, check_is_known, known_versions, upgrade
from royalcrypt.storage.sqlite.backup import copy, name_beside
from royalcrypt.storage.sqlite.connection import RawConnection, open_raw, version_of


def migrate(path: Path, *, vfs: str | None = None, versions: Sequence[Path] = VERSIONS) -> None:
    """Create a database, or back it up and migrate it in one transaction; the caller must hold the lock.

    Raises Refusal with the database unchanged, or SQLite's own errors if it cannot be opened.
    """
    newest = known_versions(versions)[-1]
    if not path.exists():
        path.touch(mode=0o600)  # It contains the secrets of running games.
    with closing(open_raw(path, vfs=vfs)) as raw:
        found = version_of(raw, path)
        if found == newest:
            return
        if found is not None:
            check_is_known(found, path, versions)
            copy(raw, path, name_beside(path, f"before-{newest}"))
        try:
            _upgrade(raw, versions)
        except Exception as problem:
            why = f"{type(problem).__name__}: {problem}"
            raise Refusal(Reason.MIGRATION_FAILED, file=str(path), version=newest, why=why) from problem


def _upgrade(raw: RawConnection, versions: Sequence[Path]) -> None:
    from royalcrypt.storage.sqlite.dialect import engine_on  # noqa: PLC0415 (rarely needed)

    # Altering may copy and drop a table; meanwhile foreign keys must not cascade.
    raw.pragma("foreign_keys", "OFF")
    with engine_on(raw).begin() as connection:
        upgrade(connection, versions)
        broken = raw.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise ValueError(f"broken references: {broken[:5]}")
