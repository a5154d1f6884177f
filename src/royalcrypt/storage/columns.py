"""Column types. Released migrations use them, so never change one; add another instead."""

from functools import partial
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    SmallInteger,
    Text,
    text,
)

column: Any = Column
string = partial(column, type_=Text, nullable=False)
key = partial(string, primary_key=True)
blob = partial(column, type_=LargeBinary, nullable=False)
small = partial(column, type_=SmallInteger, nullable=False)
moment = partial(column, type_=BigInteger, nullable=False)
"""Column for a time in ms since 1970."""
optional_moment = partial(moment, nullable=True)
integer = partial(column, type_=Integer, nullable=False)
flag = partial(column, type_=Boolean, nullable=False)
flag_off = partial(flag, server_default=text("false"))
serial = partial(column, type_=BigInteger().with_variant(Integer, "sqlite"), primary_key=True)
"""Primary-key column whose ascending numbers the database assigns."""


def reference(name: str, table: str, **options: Any) -> Column[str]:
    """Create a foreign-key column to another table's id; deletion of that row cascades."""
    return Column(name, Text, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, **options)


of_table = partial(reference, "table_id", "tables")
of_person = partial(reference, "person_id", "people")
table_key = partial(of_table, primary_key=True)
person_key = partial(of_person, primary_key=True)
seat_key = partial(small, "seat", primary_key=True)
