"""Whoever is forgotten is gone as a whole or not at all, from every place that knows people."""

import asyncio
import json
import random
import shutil
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.people import People, Person
from royalcrypt.storage.personal_data import PARTS, PERSON_IDS, PSEUDONYM_PREFIX, PersonalData, without
from royalcrypt.storage.schema import metadata
from royalcrypt.storage.sqlite.connection import open_raw
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.tables.entries import Left, Opened, Sat, Sitter, decode_entry, encode_entry
from royalcrypt.tables.journal import SeatResult
from royalcrypt.tables.settings import TableSettings
from tests.storage.kinds import ON_SQLITE
from tests.storage.lines import line
from tests.storage.power import PowerVfs, Told, cut

ANNA, BEN = "Anna_1234567", "Ben_98765432"
NAME = "Anastazja"
CUTS = 60


def entries() -> list[bytes]:
    opened = Opened(
        at=1,
        settings=TableSettings(),
        owner=ANNA,
        secret="00",
        invite="i",
        reserved=(None, Sitter(ANNA, NAME)),
    )
    found = (opened, Sat(2, 0, ANNA, NAME, "e0"), Sat(3, 1, BEN, "Ben", "e1"), Left(4, ANNA))
    return [encode_entry(entry) for entry in found]


def test_entries_keep_their_sense_without_the_person() -> None:
    opened, sat, other, left = (decode_entry(without(entry, ANNA, "gone-x")) for entry in entries())
    assert isinstance(opened, Opened)
    assert (opened.owner, opened.reserved) == ("gone-x", (None, Sitter("gone-x", "")))
    assert sat == Sat(2, 0, "gone-x", "", "e0")
    assert other == Sat(3, 1, BEN, "Ben", "e1")
    assert left == Left(4, "gone-x")
    assert not any(word.encode() in encode_entry(opened) + encode_entry(sat) for word in (ANNA, NAME))


def test_every_place_that_knows_people_is_known() -> None:
    """Whoever adds a table says what becomes of it when somebody goes: here, and in ``PARTS``."""
    columns = {f"{column.table.name}.{column.name}" for column in PERSON_IDS}
    referring = {
        f"{table.name}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if any(key.column.table.name == "people" for key in column.foreign_keys)
    }
    assert referring <= columns
    taken = {column.table.name for wanted in PARTS.values() for column in wanted.selected_columns}
    assert {name.partition(".")[0] for name in columns} - taken == {"codes"}, "which last ten minutes"


def record_of(*names: str) -> bytes:
    seats = [{"name": name, "kind": "human"} for name in names]
    return json.dumps({"game": {"seats": seats}, "result": {}}).encode()


async def fill(database: SqliteDatabase) -> None:
    people = People(database)
    await people.add(Person(ANNA, NAME, 1), "phone")
    await people.add(Person(BEN, "Ben", 1), "tablet")
    await people.keep_phrase(ANNA, b"digest", 5)
    results = tuple(
        SeatResult(seat, person, "human", 2, "AAAAAA", 30, 1, is_winner=True)
        for seat, person in enumerate((ANNA, BEN))
    )
    for number in range(4):
        table = f"table-{number}"
        told = json.dumps({"owner": ANNA, "seats": [{"person": ANNA, "name": NAME}] * 20}).encode()
        for ply, entry in enumerate(entries()):
            one = line(table, ply, people=(ANNA, BEN), info=told)
            is_last = ply == 3
            kept = msgspec.structs.replace(
                one,
                entry=entry,
                record=record_of(NAME, "Ben") if is_last else None,
                results=results if is_last else (),
            )
            await SqlJournal(database).append(kept)


def traces(path: Path) -> int:
    """How many rows know the person by id or by name."""
    with closing(open_raw(path)) as raw:
        assert raw.pragma("integrity_check") == "ok"
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        found = 0
        for table in metadata.sorted_tables:
            for row in raw.execute(f"SELECT * FROM {table.name}"):
                text = b"|".join(one if isinstance(one, bytes) else str(one).encode() for one in row)
                found += ANNA.encode() in text or NAME.encode() in text
        return found


def test_a_power_cut_leaves_a_person_whole_or_gone(empty_database: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(empty_database, tmp_path / "crypt.db"))
    vfs = PowerVfs("farewell")

    async def prepare() -> None:
        database = await SqliteDatabase.open(path)
        await fill(database)
        await database.close()

    async def leave() -> None:
        database = await SqliteDatabase.open(path, vfs=vfs.name)
        await PersonalData(database).delete(ANNA)
        vfs.notes.append(Told("forgotten"))
        assert await PersonalData(database).vacuum()
        vfs.notes.append(Told("cleansed"))
        await database.close()

    async def finish(path: Path) -> None:
        """As the next server does."""
        database = await SqliteDatabase.open(path)
        await PersonalData(database).vacuum()
        await database.close()

    asyncio.run(prepare())
    whole, before = traces(path), {"crypt.db": path.read_bytes()}
    asyncio.run(leave())
    chance, seen = random.Random(1), set[int]()
    after = tmp_path / "after"
    for _ in range(CUTS):
        notes = vfs.notes[: chance.randint(0, len(vfs.notes))]
        shutil.rmtree(after, ignore_errors=True)
        after.mkdir()
        files = cut(before, notes, chance)
        for name, data in files.items():
            (after / name).write_bytes(data)
        left = traces(after / "crypt.db")
        assert left in (0, whole)
        assert left == 0 or Told("forgotten") not in notes
        if Told("cleansed") in notes:
            assert not any(ANNA.encode() in data or NAME.encode() in data for data in files.values())
        seen.add(left)
        asyncio.run(finish(after / "crypt.db"))
        found = b"".join(path.read_bytes() for path in after.glob("crypt.db*"))
        assert (ANNA.encode() in found or NAME.encode() in found) is bool(left)
    assert seen == {0, whole}


@pytest.mark.anyio
@ON_SQLITE
async def test_what_was_replaced_long_ago_is_taken_out_of_the_file_as_well(
    database: SqliteDatabase, path: Path
) -> None:
    await fill(database)
    await People(database).update(ANNA, name="Zenobia")
    await PersonalData(database).delete(ANNA)

    def bytes_left() -> list[str]:
        files = b"".join(file.read_bytes() for file in path.parent.glob("crypt.db*"))
        return [word for word in (ANNA, NAME, "Zenobia") if word.encode() in files]

    assert bytes_left() != [], "a deleted row leaves its bytes"
    assert await PersonalData(database).vacuum()
    assert bytes_left() == []
    assert not await PersonalData(database).vacuum()
    assert not await PersonalData(database).is_mentioned(ANNA)


@pytest.mark.anyio
async def test_at_each_table_somebody_who_is_gone_has_another_sign(database: SqliteDatabase) -> None:
    await fill(database)
    await PersonalData(database).delete(ANNA)
    signs: set[str] = set()
    for number in range(4):
        sat = decode_entry((await SqlJournal(database).entries(f"table-{number}"))[1])
        assert isinstance(sat, Sat)
        assert sat.person.startswith(PSEUDONYM_PREFIX)
        signs.add(sat.person)
    assert len(signs) == 4


@pytest.mark.anyio
async def test_what_fails_half_way_leaves_the_person_whole(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(database)

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("royalcrypt.storage.personal_data.put_setting", fail)
    with pytest.raises(RuntimeError):
        await PersonalData(database).delete(ANNA)
    assert await People(database).find(ANNA) is not None
    assert (await SqlJournal(database).entries("table-0")) == entries()
