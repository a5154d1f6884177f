"""Brings a database on PostgreSQL to this version; of several processes that start at once, one does it."""

from sqlalchemy import Connection, text

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.storage.identity import VERSIONS, check_is_known, known_versions
from royalcrypt.storage.migrating import upgrade
from royalcrypt.storage.postgres.connecting import cause_of

LOCK = 0x52437279
"""Of all that alter the schema."""
TABLES = text("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
OURS = {"alembic_version", "journal", "house"}


def migrate(sql: Connection, place: str) -> None:
    """In the transaction at hand. Raises Refusal."""
    if version_of(sql, place) == known_versions()[-1]:
        return
    sql.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    found, newest = version_of(sql, place), known_versions()[-1]
    if found == newest:
        return
    if found is not None:
        check_is_known(found, place)
    try:
        upgrade(sql, VERSIONS)
    except Exception as problem:
        cause = cause_of(problem)
        said, *_ = str(cause).partition("\n")
        why = f"{type(cause).__name__}: {said}"
        raise Refusal(Reason.MIGRATION_FAILED, file=place, version=newest, why=why) from problem


def version_of(sql: Connection, place: str) -> str | None:
    """None for a database with nothing in it yet. Raises NOT_A_DATABASE for somebody else's."""
    there = set(sql.scalars(TABLES))
    if not there:
        return None
    if not there >= OURS:
        raise Refusal(Reason.NOT_A_DATABASE, file=place)
    return sql.scalar(text("SELECT version_num FROM alembic_version"))
