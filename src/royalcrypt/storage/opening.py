"""The database that the settings name: a file, or one that several processes share."""

from importlib.util import find_spec
from pathlib import Path

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.database import Database
from royalcrypt.storage.sqlite import SqliteDatabase


async def open_database(url: str | None, file: Path) -> Database:
    """Raises Refusal."""
    if url is None:
        return await SqliteDatabase.open(file)
    if find_spec("asyncpg") is None or find_spec("greenlet") is None:
        raise Refusal(Reason.CLUSTER_NOT_INSTALLED)
    from royalcrypt.storage.postgres.database import PostgresDatabase  # noqa: PLC0415 (where it is installed)

    return await PostgresDatabase.open(url)
