"""Brings a database to the version this code knows; quick when there is nothing to do."""

import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.copying import copy, name_beside
from royalcrypt.storage.identity import MIGRATIONS, VERSIONS, check_is_known, known_versions, version_of
from royalcrypt.storage.raw import Raw, open_raw

if TYPE_CHECKING:
    from sqlalchemy import Connection


def migrate(path: Path, *, vfs: str | None = None, versions: Sequence[Path] = VERSIONS) -> None:
    """Make the database, or keep a backup of it and migrate it in one transaction; the lock must be held.

    Raises Refusal, and then the database is as it was; SQLite's own errors if it cannot be opened.
    """
    newest = known_versions(versions)[-1]
    if not path.exists():
        path.touch(mode=0o600)  # The secrets of running games are in it.
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


def upgrade(connection: "Connection", versions: Sequence[Path]) -> None:
    """In the transaction at hand."""
    # Alembic takes long to import, and is seldom needed.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", _escaped(str(MIGRATIONS)))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", _escaped(os.pathsep.join(str(place) for place in versions)))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _upgrade(raw: Raw, versions: Sequence[Path]) -> None:
    from royalcrypt.storage.apsw_driver import engine_on  # noqa: PLC0415 (seldom needed)

    # Altering a table may mean to copy and drop it, which references must survive.
    raw.pragma("foreign_keys", "OFF")
    with engine_on(raw).begin() as connection:
        upgrade(connection, versions)
        broken = raw.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise ValueError(f"broken references: {broken[:5]}")


def _escaped(value: str) -> str:
    return value.replace("%", "%%")
