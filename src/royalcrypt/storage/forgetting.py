"""Takes a person out of everything that is kept, so that nothing leads back to them. All in one transaction.

Entries of journals are rewritten for this and for nothing else: whoever sat there becomes somebody without a
name, by another sign at every table. Seats, entropy and moves stay, so every game stays what it was.
"""

import json
import secrets
from typing import Any, cast

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, select, update

from royalcrypt.storage.database import Database
from royalcrypt.storage.dialects import mentions
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

GONE = "gone-"
"""What the sign of somebody without a name begins with; no person's id has its length."""
NOBODY = ""
NAMES = ("name", "keeper")
SITTER = len(Sitter._fields)
"""So long is a list at most that is somebody with their names."""
PROGRAM = "program"
TO_CLEANSE = "to_cleanse"
PERSONAL_TEXTS: tuple[tuple[Table, Column[Any]], ...] = ((journal, journal.c.entry), (tables, tables.c.told))
"""JSON in which ids of people stand, with their names beside them."""

IDS_OF_PEOPLE = [
    people.c.id,
    *(
        column
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name in ("person_id", "kept_by", "owner")
    ),
]
"""Wherever else a person is referred to."""


def new_sign() -> str:
    return GONE + secrets.token_urlsafe(8)


class Forgetting:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def tables_of(self, person: str) -> set[str]:
        """Tables whose journal knows somebody, or a program of theirs."""

        def work(sql: Connection) -> set[str]:
            found = (_mentioning(journal.c.entry, one) for one in everybody_of(sql, person))
            return {
                table for which in found for table in sql.scalars(select(journal.c.table_id).where(which))
            }

        return await self._database.read(work)

    async def forget(self, person: str) -> None:
        """A person, their programs, and all that is personal about them."""
        await self._database.run(lambda sql: forget(sql, person))

    async def is_mentioned(self, person: str) -> bool:
        return await self._database.read(lambda sql: is_mentioned(sql, person))

    async def programs_of(self, person: str) -> list[str]:
        return await self._database.read(lambda sql: everybody_of(sql, person)[1:])

    async def cleanse(self) -> bool:
        """Leave no byte in the file of who was forgotten; tells whether there was anything to do.

        Safe to be cut short, and to be done again.
        """
        mark = await self._database.ask(lambda sql: setting(sql, TO_CLEANSE, None))
        if mark is None:
            return False
        await self._database.cleanse()
        await self._database.run(lambda sql: _unmark(sql, mark))
        return True


def _unmark(sql: Connection, mark: str) -> None:
    """Unless somebody else was forgotten meanwhile."""
    if setting(sql, TO_CLEANSE, None) == mark:
        put_setting(sql, TO_CLEANSE, None)


def everybody_of(sql: Connection, person: str) -> list[str]:
    kept = select(programs.c.person_id).where(programs.c.kept_by == person).order_by(programs.c.person_id)
    return [person, *sql.scalars(kept)]


def forget(sql: Connection, person: str) -> None:
    while rate(sql):  # While it is known who played: what their games did to others stays.
        pass
    for one in reversed(everybody_of(sql, person)):
        _forget_one(sql, one)
    put_setting(sql, TO_CLEANSE, secrets.token_hex(8))


def _forget_one(sql: Connection, person: str) -> None:
    signs: dict[str, str] = {}
    _forget_in_records(sql, person)
    for table, text in PERSONAL_TEXTS:
        _forget_in(sql, table, text, person, signs)
    theirs = results.c.person_id == person
    sql.execute(update(results).where(theirs, results.c.kind.startswith(PROGRAM)).values(kind=PROGRAM))
    sql.execute(update(results).where(theirs).values(person_id=None, mu=None, sigma=None))
    sql.execute(update(seats).where(seats.c.person_id == person).values(person_id=None))
    sql.execute(delete(chat).where(chat.c.person_id == person))
    # What others share in stays, without the person; each row by a sign of its own.
    for day in list(sql.scalars(select(daily_tries.c.day).where(daily_tries.c.person_id == person))):
        which = (daily_tries.c.person_id == person, daily_tries.c.day == day)
        sql.execute(update(daily_tries).where(*which).values(person_id=new_sign()))
    for owned in list(sql.scalars(select(duplicates.c.id).where(duplicates.c.owner == person))):
        sql.execute(update(duplicates).where(duplicates.c.id == owned).values(owner=new_sign()))
    sql.execute(delete(people).where(people.c.id == person))  # and with them all rows that refer to them


def _forget_in(sql: Connection, table: Table, text: Column[Any], person: str, signs: dict[str, str]) -> None:
    """In every JSON text of a column; at one table by one sign, so that its journal still makes sense."""
    keys = list(table.primary_key.columns)
    for *key, content in sql.execute(select(*keys, text).where(_mentioning(text, person))).all():
        sign = signs.setdefault(cast("str", key[0]), new_sign())
        which = [column == value for column, value in zip(keys, key, strict=True)]
        sql.execute(update(table).where(*which).values({text: without(content, person, sign)}))


def _forget_in_records(sql: Connection, person: str) -> None:
    """Records know only names: those of the seats that the person held."""
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


def _mentioning(text: Column[Any], person: str) -> ColumnElement[bool]:
    """A plain search: ids are random, so whatever holds one is about the person."""
    return mentions(text, person.encode())


def is_mentioned(sql: Connection, person: str) -> bool:
    """Whether anything still leads to somebody."""
    texts = [select(text).where(_mentioning(text, person)) for _, text in PERSONAL_TEXTS]
    ids = [select(column).where(column == person) for column in IDS_OF_PEOPLE]
    return any(sql.scalar(one.limit(1)) is not None for one in (*ids, *texts))


def without(content: bytes, person: str, sign: str) -> bytes:
    """JSON in which nobody is that person: a sign in place of the id, and no name beside it."""
    return _written(_replaced(json.loads(content), person, sign))


def _replaced(found: Any, person: str, sign: str) -> Any:
    if found == person:
        return sign
    if isinstance(found, dict):
        named = cast("dict[str, Any]", found)
        is_theirs = person in named.values()
        return {
            key: NOBODY if is_theirs and key in NAMES and value else _replaced(value, person, sign)
            for key, value in named.items()
        }
    if isinstance(found, list):
        listed = cast("list[Any]", found)
        if listed[:1] == [person] and 1 < len(listed) <= SITTER:
            return [sign, *(name and NOBODY for name in listed[1:])]
        return [_replaced(value, person, sign) for value in listed]
    return found


def without_names(record: bytes, seats_held: set[int]) -> bytes:
    found = json.loads(record)
    for seat, named in enumerate(found["game"]["seats"]):
        if seat in seats_held and not named["kind"].startswith("bot:"):
            named |= {"name": NOBODY, "kind": without_name(named["kind"])}
    return _written(found)


def without_name(kind: str) -> str:
    """A program's kind says its name, too."""
    return PROGRAM if kind.startswith(PROGRAM) else kind


def _written(found: Any) -> bytes:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()
