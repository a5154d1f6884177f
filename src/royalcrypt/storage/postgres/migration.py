"""Brings a database on PostgreSQL to this version. If several processes start at once, one migrates."""

from sqlalchemy import Connection, text

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.migrations import check_is_known, known_versions, upgrade
from royalcrypt.storage.postgres.connecting import cause_of

LOCK = 0x52437279
"""The advisory lock of everyone who alters the schema."""
TABLES = text("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
OURS = {"alembic_version", "journal", "house"}


def migrate(sql: Connection, place: str) -> None:
    """Migrate in the current transaction. Raises Refusal."""
    newest = known_versions()[-1]
    if version_of(sql, place) == newest:
        return
    sql.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    found = version_of(sql, place)
    if found == newest:
        return
    if found is not None:
        check_is_known(found, place)
    try:
        upgrade(sql)
    except Exception as problem:
        cause = cause_of(problem)
        said, *_ = str(cause).partition("\n")
        why = f"{type(cause).__name__}: {said}"
        raise Refusal(Reason.MIGRATION_FAILED, file=place, version=newest, why=why) from problem


def version_of(sql: Connection, place: str) -> str | None:
    """The schema version, or None for an empty database. Raises NOT_A_DATABASE for another program's."""
    there = set(sql.scalars(TABLES))
    if not there:
        return None
    if not there >= OURS:
        raise Refusal(Reason.NOT_A_DATABASE, file=place)
    return sql.scalar(text("SELECT version_num FROM alembic_version"))
