"""What is asked of any table on PostgreSQL, in the words that asyncpg takes."""

from functools import cache
from typing import Any

from sqlalchemy import Table, and_, bindparam, func, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg

DIALECT = PGDialect_asyncpg()


def counting(table: Table) -> str:
    return _words(select(func.count()).select_from(table))


def finding_any(table: Table) -> str:
    """Whether it has a row."""
    return _words(select(select(table).exists()))


@cache
def finding_keys(table: Table) -> str:
    """Rows with certain primary keys; each part of the keys is given as a list."""
    keys = list(table.primary_key.columns)
    parts = [bindparam(f"part{n}", type_=ARRAY(key.type)) for n, key in enumerate(keys)]
    names = [key.name for key in keys]
    wanted = func.unnest(*parts).table_valued(*names).render_derived("wanted")
    return _words(select(table).join(wanted, and_(*(key == wanted.c[key.name] for key in keys))))


def _words(statement: Any) -> str:
    return str(statement.compile(dialect=DIALECT))
