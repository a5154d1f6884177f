"""Export and deletion of all data about one person; a deletion is one transaction.

Only deletions rewrite journal entries: the person's id is replaced by a random pseudonym, different at each
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

# The export leaves out all credentials: digests, keys and device ids.
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
"""Maps each part of the export to the rows and columns to select."""
OWNER_COLUMNS = ("person_id", "kept_by", "owner", "id")
"""Columns that may contain the person's id; the first one that a part has is used."""
PSEUDONYM_PREFIX = "gone-"
"""Prefix of all pseudonyms, which differ in length from people's ids."""
NO_NAME = ""
NAMES = ("name", "keeper")
SITTER_LENGTH = len(Sitter._fields)
"""Maximum length of a JSON list that encodes a ``Sitter`` (a person's id with names)."""
PROGRAM = "program"
TO_VACUUM = "to_cleanse"
"""Setting that marks deletions whose bytes are still in the database files."""
PERSONAL_TEXTS: tuple[tuple[Table, Column[Any]], ...] = (
    (schema.journal, schema.journal.c.entry),
    (schema.tables, schema.tables.c.told),
)
"""JSON columns that contain people's ids together with their names."""
PERSON_IDS = [
    people.c.id,
    *(
        column
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if column.name in ("person_id", "kept_by", "owner")
    ),
]
"""All other columns that contain people's ids."""


class PersonalData(Store):
    @snapshot
    def export(self, sql: Connection, person: str) -> dict[str, list[dict[str, Any]]]:
        """Return every row about a person, grouped by part of the export."""
        return {part: _exported_rows(sql, wanted, person) for part, wanted in PARTS.items()}

    @transaction
    def delete(self, sql: Connection, person: str) -> None:
        """Delete a person, their programs, and all personal data of both."""
        while rate(sql):  # Rate pending games first, so that they still count for the other players.
            pass
        for one in reversed(_with_programs(sql, person)):
            _delete_one(sql, one)
        put_setting(sql, TO_VACUUM, secrets.token_hex(8))

    @snapshot
    def is_mentioned(self, sql: Connection, person: str) -> bool:
        """Whether any stored data still refers to a person."""
        texts = [select(text).where(_mentions(sql, text, person)) for _, text in PERSONAL_TEXTS]
        ids = [select(column).where(column == person) for column in PERSON_IDS]
        return any(sql.scalar(one.limit(1)) is not None for one in (*ids, *texts))

    @snapshot
    def programs_of(self, sql: Connection, person: str) -> list[str]:
        return _with_programs(sql, person)[1:]

    async def vacuum(self) -> bool:
        """Remove the bytes of deleted people from the files; returns False if there was nothing to do.

        Safe to interrupt and repeat.
        """
        mark = await self.database.ask(lambda sql: setting(sql, TO_VACUUM, None))
        if mark is None:
            return False
        await self.database.vacuum()
        await self._unmark(mark)
        return True

    @transaction
    def _unmark(self, sql: Connection, mark: str) -> None:
        """Remove the mark of a deletion, unless another person was deleted since."""
        if setting(sql, TO_VACUUM, None) == mark:
            put_setting(sql, TO_VACUUM, None)


def _exported_rows(sql: Connection, wanted: Any, person: str) -> list[dict[str, Any]]:
    """Return the rows of one part; columns of bytes are decoded as JSON."""
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
    # Rows that also concern others stay, each with a different pseudonym.
    for day in list(sql.scalars(select(daily_tries.c.day).where(daily_tries.c.person_id == person))):
        which = (daily_tries.c.person_id == person, daily_tries.c.day == day)
        sql.execute(update(daily_tries).where(*which).values(person_id=new_pseudonym()))
    for owned in list(sql.scalars(select(duplicates.c.id).where(duplicates.c.owner == person))):
        sql.execute(update(duplicates).where(duplicates.c.id == owned).values(owner=new_pseudonym()))
    sql.execute(delete(people).where(people.c.id == person))  # cascades to all rows that refer to them


def new_pseudonym() -> str:
    return PSEUDONYM_PREFIX + secrets.token_urlsafe(8)


def _rewrite_records(sql: Connection, person: str) -> None:
    """Remove the names at the person's seats from records, which contain names but no ids."""
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
    """Match texts that contain the id; ids are random, so accidental matches do not occur."""
    part = literal(person.encode(), LargeBinary)
    is_sqlite = sql.dialect.name == "sqlite"
    return (func.instr(text, part) if is_sqlite else func.position(part.op("IN")(text))) > 0


def without(content: bytes, person: str, pseudonym: str) -> bytes:
    """Return JSON with the person's id replaced by a pseudonym, and without the name next to it."""
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
    """Return a record without names at these seats; a program's ``kind`` contains its name, too."""
    found = json.loads(record)
    for seat, named in enumerate(found["game"]["seats"]):
        if seat in seats_held and not named["kind"].startswith("bot:"):
            named["name"] = NO_NAME
            if named["kind"].startswith(PROGRAM):
                named["kind"] = PROGRAM
    return _encoded(found)


def _encoded(found: Any) -> bytes:
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()
