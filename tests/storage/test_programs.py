"""Programs, who keeps them, and the tokens they are known by."""

import msgspec
import pytest

from royalcrypt.storage.people import People, Person, Program, Programs, ProgramWithKeeper
from royalcrypt.storage.sqlite.database import SqliteDatabase

pytestmark = pytest.mark.anyio

ANNA = Person(id="anna", name="Anna", created=10)
ROBOT = Person(id="robot", name="Robot", created=20)


@pytest.fixture
async def programs(database: SqliteDatabase) -> Programs:
    await People(database).add(ANNA, "phone")
    programs = Programs(database)
    assert await programs.add(ROBOT, "anna", b"first", most=2)
    return programs


async def test_a_program_is_somebody_with_a_keeper_and_known_by_its_token(
    programs: Programs, database: SqliteDatabase
) -> None:
    assert await programs.find_by_token(b"first") == ProgramWithKeeper(ROBOT, ANNA)
    assert await programs.find_by_token(b"other") is None
    assert await People(database).find("robot") == ROBOT
    assert await programs.of("anna") == [Program("robot", "Robot", 20, None)]
    assert await programs.of("robot") == []


async def test_nobody_keeps_more_than_there_is_room_for(programs: Programs, database: SqliteDatabase) -> None:
    assert await programs.add(Person("second", "Second", 30), "anna", b"second", most=2)
    assert not await programs.add(Person("third", "Third", 40), "anna", b"third", most=2)
    assert [program.id for program in await programs.of("anna")] == ["robot", "second"]
    assert await People(database).find("third") is None


async def test_a_new_token_replaces_the_old_one(programs: Programs) -> None:
    await programs.store_use(b"first", 50)
    assert (await programs.of("anna"))[0].used == 50
    await programs.renew("robot", b"second", 60)
    assert await programs.find_by_token(b"first") is None
    assert await programs.find_by_token(b"second") == ProgramWithKeeper(ROBOT, ANNA)
    assert (await programs.of("anna"))[0].used is None


async def test_a_removed_program_is_gone_with_its_token(programs: Programs, database: SqliteDatabase) -> None:
    await programs.remove("robot", 70)
    assert await programs.find_by_token(b"first") is None
    assert await programs.of("anna") == []
    assert await People(database).find("robot") == ROBOT, "what it played was played by somebody"
    another = msgspec.structs.replace(ROBOT, id="another")
    assert await programs.add(another, "anna", b"first", most=1)
