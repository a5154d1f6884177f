"""Export and deletion of all data about one person. A deletion is one transaction.

Only a deletion rewrites journal entries: the person's id becomes a random pseudonym, a different one at each
table, and the name is removed. Seats, entropy and moves stay, so every game stays valid.
"""

import json
import secrets
from collections import defaultdict
from typing import Any, cast

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    Table,
    delete,
    func,
    literal,
    select,
    update,
)

from royalcrypt.storage import schema
from royalcrypt.storage.database import Store, snapshot, transaction
from royalcrypt.storage.ratings import rate
from royalcrypt.storage.schema import chat, daily_tries, duplicates, people, programs, records, results, seats
from royalcrypt.storage.server_state import put_setting, setting
from royalcrypt.tables.entries import Sitter

# The export leaves out everything that signs somebody in: digests, keys and ids of devices.
PARTS: dict[str, Any] = {
    "person": select(people),
    "devices": select(schema.devices.c.created, schema.devices.c.revoked, schema.devices.c.person_id),
    "recovery_phrase": select(schema.recoveries.c.created, schema.recoveries.c.person_id),
    "programs": select(people.c.id, people.c.name, people.c.created, programs.c.kept_by).join_from(
        programs, people, people.c.id == programs.c.person_id
    ),
    "tokens": select(schema.tokens.c.created, schema.tokens.c.used, schema.tokens.c.person_id),
    "mail": select(*schema.addresses.c["address", "language", "asked", "confirmed", "person_id"]),
    "letters": select(schema.letters),
    "seats": select(seats),
    "results": select(results),
    "rating": select(schema.ratings),
    "memos": select(schema.memos),
    "standing_orders": select(schema.standing_orders),
    "daily_tries": select(daily_tries),
    "duplicates": select(duplicates),
    "chat": select(chat),
}
"""By part of the export, what to select."""
OWNER_COLUMNS = ("person_id", "kept_by", "owner", "id")
"""The first of these that a part has names the person."""
PSEUDONYM_PREFIX = "gone-"
"""Prefix of all pseudonyms. They differ in length from people's ids."""
NO_NAME = ""
NAMES = ("name", "keeper")
SITTER_LENGTH = len(Sitter._fields)
"""The longest list that is a person's id with names."""
PROGRAM = "program"
TO_VACUUM = "to_cleanse"
"""The setting that marks deletions whose bytes are still in the files."""
PERSONAL_TEXTS: tuple[tuple[Table, Column[Any]], ...] = (
    (schema.journal, schema.journal.c.entry),
    (schema.tables, schema.tables.c.told),
)
"""JSON that holds ids of people, with names beside them."""
PERSON_IDS = [
    people.c.id,
    *(
        column
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if column.name in ("person_id", "kept_by", "owner")
    ),
]
"""All other columns that refer to people."""


class PersonalData(Store):
    @snapshot
    def export(self, sql: Connection, person: str) -> dict[str, list[dict[str, Any]]]:
        """By part, every row about a person."""
        return {part: _exported_rows(sql, wanted, person) for part, wanted in PARTS.items()}

    @transaction
    def delete(self, sql: Connection, person: str) -> None:
        """Delete a person, their programs, and all personal data of both."""
        while rate(sql):  # First, so that their games still count for the others.
            pass
        for one in reversed(_with_programs(sql, person)):
            _delete_one(sql, one)
        put_setting(sql, TO_VACUUM, secrets.token_hex(8))

    @snapshot
    def is_mentioned(self, sql: Connection, person: str) -> bool:
        """Whether anything still refers to a person."""
        texts = [select(text).where(_mentions(sql, text, person)) for _, text in PERSONAL_TEXTS]
        ids = [select(column).where(column == person) for column in PERSON_IDS]
        return any(sql.scalar(one.limit(1)) is not None for one in (*ids, *texts))

    @snapshot
    def programs_of(self, sql: Connection, person: str) -> list[str]:
        return _with_programs(sql, person)[1:]

    async def vacuum(self) -> bool:
        """Remove the bytes of deleted people from the files. False if there was nothing to do.

        It may be interrupted and repeated.
        """
        mark = await self.database.ask(lambda sql: setting(sql, TO_VACUUM, None))
        if mark is None:
            return False
        await self.database.vacuum()
        await self._unmark(mark)
        return True

    @transaction
    def _unmark(self, sql: Connection, mark: str) -> None:
        """Unless another person was deleted meanwhile."""
        if setting(sql, TO_VACUUM, None) == mark:
            put_setting(sql, TO_VACUUM, None)


def _exported_rows(sql: Connection, wanted: Any, person: str) -> list[dict[str, Any]]:
    """Rows of one part. Their bytes hold JSON."""
    columns = {column.name: column for column in wanted.selected_columns}
    owner = next(columns[name] for name in OWNER_COLUMNS if name in columns)
    return [
        {
            key: value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            for key, value in row.items()
        }
        for row in sql.execute(wanted.where(owner == person)).mappings()
    ]


def _with_programs(sql: Connection, person: str) -> list[str]:
    kept = select(programs.c.person_id).where(programs.c.kept_by == person).order_by(programs.c.person_id)
    return [person, *sql.scalars(kept)]


def _delete_one(sql: Connection, person: str) -> None:
    _rewrite_records(sql, person)
    pseudonyms: defaultdict[str, str] = defaultdict(new_pseudonym)
    for table, text in PERSONAL_TEXTS:
        keys = list(table.primary_key.columns)
        for *key, content in sql.execute(select(*keys, text).where(_mentions(sql, text, person))).all():
            which = [column == value for column, value in zip(keys, key, strict=True)]
            rewritten = without(content, person, pseudonyms[key[0]])
            sql.execute(update(table).where(*which).values({text: rewritten}))
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


def new_pseudonym() -> str:
    return PSEUDONYM_PREFIX + secrets.token_urlsafe(8)


def _rewrite_records(sql: Connection, person: str) -> None:
    """Records hold only names: remove those of the seats that the person held."""
    held = select(results.c.table_id, results.c.seat).where(results.c.person_id == person)
    sat = select(seats.c.table_id, seats.c.seat).where(seats.c.person_id == person)
    seats_held: defaultdict[str, set[int]] = defaultdict(set)
    for table, seat in sql.execute(held.union(sat)):
        seats_held[table].add(seat)
    found = select(records.c.table_id, records.c.record).where(records.c.table_id.in_(seats_held))
    for table, record in sql.execute(found).all():
        values = {"record": without_names(record, seats_held[table])}
        sql.execute(update(records).where(records.c.table_id == table).values(values))


def _mentions(sql: Connection, text: Column[Any], person: str) -> ColumnElement[bool]:
    """A plain search for the id: ids are random, so it cannot occur by accident."""
    part = literal(person.encode(), LargeBinary)
    is_sqlite = sql.dialect.name == "sqlite"
    return (func.instr(text, part) if is_sqlite else func.position(part.op("IN")(text))) > 0


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
        if listed[:1] == [person] and 1 < len(listed) <= SITTER_LENGTH:
            return [pseudonym, *(name and NO_NAME for name in listed[1:])]
        return [_replaced(value, person, pseudonym) for value in listed]
    return found


def without_names(record: bytes, seats_held: set[int]) -> bytes:
    """A record without the names at these seats. The kind of a program contains its name."""
    found = json.loads(record)
    for seat, named in enumerate(found["game"]["seats"]):
        if seat in seats_held and not named["kind"].startswith("bot:"):
            named["name"] = NO_NAME
            if named["kind"].startswith(PROGRAM):
                named["kind"] = PROGRAM
    return _encoded(found)


def _encoded(found: Any) -> bytes:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()
