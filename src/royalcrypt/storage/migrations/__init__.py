"""Schema migrations, one file each in ``versions``; importing this package does not import Alembic."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from sqlalchemy import Connection

MIGRATIONS = Path(__file__).parent
VERSIONS = (MIGRATIONS / "versions",)


def known_versions(versions: Sequence[Path] = VERSIONS) -> list[str]:
    """Return the known schema versions in ascending order: the numbers at the start of the file names."""
    return sorted(found.name[:4] for place in versions for found in place.glob("[0-9]*.py"))


def check_is_known(version: str, place: Path | str, versions: Sequence[Path] = VERSIONS) -> None:
    """Raise Refusal (DATABASE_NEWER) if the version is not known."""
    known = known_versions(versions)
    if version not in known:
        raise Refusal(Reason.DATABASE_NEWER, file=str(place), found=version, needed=known[-1])


def upgrade(connection: "Connection", versions: Sequence[Path] = VERSIONS) -> None:
    """Apply all missing versions, in the current transaction."""
    # Alembic is slow to import and rarely needed.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", _escaped(str(MIGRATIONS)))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", _escaped(os.pathsep.join(map(str, versions))))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _escaped(value: str) -> str:
    return value.replace("%", "%%")
