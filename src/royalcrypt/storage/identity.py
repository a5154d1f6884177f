"""Whether a file is a database of ours, and of which version; tells without importing Alembic."""

from collections.abc import Sequence
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.raw import Raw

APPLICATION = 0x52437279
"""SQLite's application_id of our files: "RCry"."""
MIGRATIONS = Path(__file__).parent / "migrations"
VERSIONS = (MIGRATIONS / "versions",)


def known_versions(versions: Sequence[Path] = VERSIONS) -> list[str]:
    """Ascending. A version is named by the digits that its file's name begins with."""
    return sorted(found.name[:4] for place in versions for found in place.glob("[0-9]*.py"))


def version_of(raw: Raw, path: Path) -> str | None:
    """None for a database with nothing in it yet. Raises NOT_A_DATABASE for somebody else's."""
    if not raw.pragma("schema_version"):
        return None
    if raw.pragma("application_id") != APPLICATION:
        raise Refusal(Reason.NOT_A_DATABASE, file=str(path))
    return raw.execute("SELECT version_num FROM alembic_version").get


def filled_version_of(raw: Raw, path: Path) -> str:
    """Raises NOT_A_DATABASE for an empty one as well."""
    version = version_of(raw, path)
    if version is None:
        raise Refusal(Reason.NOT_A_DATABASE, file=str(path))
    return version


def check_is_known(version: str, path: Path | str, versions: Sequence[Path] = VERSIONS) -> None:
    """Raises DATABASE_NEWER."""
    known = known_versions(versions)
    if version not in known:
        raise Refusal(Reason.DATABASE_NEWER, file=str(path), found=version, needed=known[-1])
