"""Erases a person from everything that is stored, in one transaction.

Only this rewrites journal entries: the person's id becomes a random pseudonym, a different one at each table,
and the name is removed. Seats, entropy and moves stay, so every game stays valid.
"""

import json
import secrets
from typing import Any, cast

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    LargeBinary,
    Table,
    delete,
    literal,
    select,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction

from royalcrypt.storage.database import Store
from royalcrypt.storage.housekeeping import put_setting, setting
from royalcrypt.storage.ratings import rate
from royalcrypt.storage.schema import (
    chat,
    daily_tries,
    duplicates,
    journal,
    metadata,
    people,
    programs,
    records,
    results,
    seats,
    tables,
)
from royalcrypt.tables.entries import Sitter

PSEUDONYM = "gone-"
"""Prefix of all pseudonyms. They differ in length from people's ids."""
NO_NAME = ""
NAMES = ("name", "keeper")
SITTER = len(Sitter._fields)
"""The longest list that is a person's id with names."""
PROGRAM = "program"
TO_CLEANSE = "to_cleanse"
PERSONAL_TEXTS: tuple[tuple[Table, Column[Any]], ...] = ((journal, journal.c.entry), (tables, tables.c.told))
"""JSON that holds ids of people, with names beside them."""
IDS_OF_PEOPLE = [
    people.c.id,
    *(
        column
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name in ("person_id", "kept_by", "owner")
    ),
]
"""All other columns that refer to people."""


def new_pseudonym() -> str:
    return PSEUDONYM + secrets.token_urlsafe(8)


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


class Forgetting(Store):
    async def forget(self, person: str) -> None:
        """Erase a person, their programs, and all personal data of both."""
        await self._database.run(lambda sql: forget(sql, person))

    async def is_mentioned(self, person: str) -> bool:
        return await self._database.read(lambda sql: is_mentioned(sql, person))

    async def programs_of(self, person: str) -> list[str]:
        return await self._database.read(lambda sql: everybody_of(sql, person)[1:])

    async def cleanse(self) -> bool:
        """Remove the bytes of erased people from the file. False if there was nothing to do.

        It may be interrupted and repeated.
        """
        mark = await self._database.ask(lambda sql: setting(sql, TO_CLEANSE, None))
        if mark is None:
            return False
        await self._database.cleanse()
        await self._database.run(lambda sql: _unmark(sql, mark))
        return True


def _unmark(sql: Connection, mark: str) -> None:
    """Unless another person was erased meanwhile."""
    if setting(sql, TO_CLEANSE, None) == mark:
        put_setting(sql, TO_CLEANSE, None)


def everybody_of(sql: Connection, person: str) -> list[str]:
    kept = select(programs.c.person_id).where(programs.c.kept_by == person).order_by(programs.c.person_id)
    return [person, *sql.scalars(kept)]


def forget(sql: Connection, person: str) -> None:
    while rate(sql):  # First, so that their games still count for the others.
        pass
    for one in reversed(everybody_of(sql, person)):
        _forget_one(sql, one)
    put_setting(sql, TO_CLEANSE, secrets.token_hex(8))


def _forget_one(sql: Connection, person: str) -> None:
    pseudonyms: dict[str, str] = {}
    _forget_in_records(sql, person)
    for table, text in PERSONAL_TEXTS:
        _forget_in(sql, table, text, person, pseudonyms)
    theirs = results.c.person_id == person
    sql.execute(update(results).where(theirs, results.c.kind.startswith(PROGRAM)).values(kind=PROGRAM))
    sql.execute(update(results).where(theirs).values(person_id=None, mu=None, sigma=None))
    sql.execute(update(seats).where(seats.c.person_id == person).values(person_id=None))
    sql.execute(delete(chat).where(chat.c.person_id == person))
    # Rows that others share in stay, each with its own pseudonym.
    for day in list(sql.scalars(select(daily_tries.c.day).where(daily_tries.c.person_id == person))):
        which = (daily_tries.c.person_id == person, daily_tries.c.day == day)
        sql.execute(update(daily_tries).where(*which).values(person_id=new_pseudonym()))
    for owned in list(sql.scalars(select(duplicates.c.id).where(duplicates.c.owner == person))):
        sql.execute(update(duplicates).where(duplicates.c.id == owned).values(owner=new_pseudonym()))
    sql.execute(delete(people).where(people.c.id == person))  # cascades to all rows that refer to them


def _forget_in(
    sql: Connection, table: Table, text: Column[Any], person: str, pseudonyms: dict[str, str]
) -> None:
    """Rewrite every JSON text of a column, with one pseudonym per table."""
    keys = list(table.primary_key.columns)
    for *key, content in sql.execute(select(*keys, text).where(_mentions(text, person))).all():
        pseudonym = pseudonyms.setdefault(cast("str", key[0]), new_pseudonym())
        which = [column == value for column, value in zip(keys, key, strict=True)]
        sql.execute(update(table).where(*which).values({text: without(content, person, pseudonym)}))


def _forget_in_records(sql: Connection, person: str) -> None:
    """Records hold only names: remove those of the seats that the person held."""
    held = select(results.c.table_id, results.c.seat).where(results.c.person_id == person)
    sat = select(seats.c.table_id, seats.c.seat).where(seats.c.person_id == person)
    found: dict[str, set[int]] = {}
    for table, seat in sql.execute(held.union(sat)):
        found.setdefault(table, set()).add(seat)
    for table, at in found.items():
        record = sql.scalar(select(records.c.record).where(records.c.table_id == table))
        if record is not None:
            values = {"record": without_names(record, at)}
            sql.execute(update(records).where(records.c.table_id == table).values(values))


def _mentions(text: Column[Any], person: str) -> contains:
    """A plain search for the id: ids are random, so it cannot occur by accident."""
    return contains(text, literal(person.encode(), LargeBinary))


def is_mentioned(sql: Connection, person: str) -> bool:
    """Whether anything still refers to a person."""
    texts = [select(text).where(_mentions(text, person)) for _, text in PERSONAL_TEXTS]
    ids = [select(column).where(column == person) for column in IDS_OF_PEOPLE]
    return any(sql.scalar(one.limit(1)) is not None for one in (*ids, *texts))


def without(content: bytes, person: str, pseudonym: str) -> bytes:
    """JSON with a pseudonym in place of the person's id, and without the name beside it."""
    return _encoded(_replaced(json.loads(content), person, pseudonym))


def _replaced(found: Any, person: str, pseudonym: str) -> Any:
    if found == person:
        return pseudonym
    if isinstance(found, dict):
        named = cast("dict[str, Any]", found)
        is_theirs = person in named.values()
        return {
            key: NO_NAME if is_theirs and key in NAMES and value else _replaced(value, person, pseudonym)
            for key, value in named.items()
        }
    if isinstance(found, list):
        listed = cast("list[Any]", found)
        if listed[:1] == [person] and 1 < len(listed) <= SITTER:
            return [pseudonym, *(name and NO_NAME for name in listed[1:])]
        return [_replaced(value, person, pseudonym) for value in listed]
    return found


def without_names(record: bytes, seats_held: set[int]) -> bytes:
    found = json.loads(record)
    for seat, named in enumerate(found["game"]["seats"]):
        if seat in seats_held and not named["kind"].startswith("bot:"):
            named |= {"name": NO_NAME, "kind": without_name(named["kind"])}
    return _encoded(found)


def without_name(kind: str) -> str:
    """The kind of a program contains its name."""
    return PROGRAM if kind.startswith(PROGRAM) else kind


def _encoded(found: Any) -> bytes:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()
