"""What SQLite and PostgreSQL say differently."""

from typing import Any

from sqlalchemy import Boolean, Column, Connection, LargeBinary, Table, literal
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction


class contains(GenericFunction[bool]):  # noqa: N801 (a function of SQL)
    """Whether bytes occur within others."""

    type = Boolean()
    inherit_cache = True


@compiles(contains, "sqlite")
def _on_sqlite(element: Any, compiler: Any, **kw: Any) -> str:
    text, part = element.clauses
    return f"(instr({compiler.process(text, **kw)}, {compiler.process(part, **kw)}) > 0)"


@compiles(contains, "postgresql")
def _on_postgres(element: Any, compiler: Any, **kw: Any) -> str:
    text, part = element.clauses
    return f"(position({compiler.process(part, **kw)} IN {compiler.process(text, **kw)}) > 0)"


def mentions(text: Column[Any], part: bytes) -> contains:
    return contains(text, literal(part, LargeBinary))


def upsert(sql: Connection, table: Table, values: dict[str, Any]) -> None:
    """A row, or in its place if one has its key."""
    made = postgresql.insert(table) if sql.dialect.name == "postgresql" else sqlite.insert(table)
    keys = list(table.primary_key.columns)
    others = {name: value for name, value in values.items() if name not in {key.name for key in keys}}
    sql.execute(made.values(values).on_conflict_do_update(index_elements=keys, set_=others))
