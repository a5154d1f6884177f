"""People, their devices, and codes that work once."""

import asyncio

import pytest
from sqlalchemy.exc import IntegrityError

from royalcrypt.storage.people import People, Person
from royalcrypt.storage.sqlite.database import SqliteDatabase

pytestmark = pytest.mark.anyio

ANNA = Person(id="anna", name="Anna", created=10)


@pytest.fixture
async def people(database: SqliteDatabase) -> People:
    people = People(database)
    await people.add(ANNA, "phone")
    return people


async def test_a_person_is_found_as_they_were_added(people: People) -> None:
    assert await people.find("anna") == ANNA
    assert await people.find("nobody") is None


async def test_nobody_is_added_twice_nor_half(people: People) -> None:
    with pytest.raises(IntegrityError):
        await people.add(Person(id="ben", name="Ben", created=11), "phone")
    assert await people.find("ben") is None


async def test_names_mutes_and_bans_can_be_altered(people: People) -> None:
    assert await people.update("anna", name="Änne")
    assert await people.update("anna", is_muted=True)
    assert await people.update("anna", is_banned=True)
    assert await people.find("anna") == Person("anna", "Änne", 10, is_muted=True, is_banned=True)
    assert await people.update("anna", is_muted=False)
    assert await people.find("anna") == Person("anna", "Änne", 10, is_banned=True)


async def test_altering_nobody_says_so(people: People) -> None:
    assert not await people.update("nobody", name="Ben")
    assert not await people.update("nobody", is_banned=True)


async def test_everybody_is_listed_whatever_the_page(people: People) -> None:
    for number in range(6):
        await people.add(Person(f"b{number}", "B", 1), f"device-{number}")
    for page in (1, 3, 7, 50):
        found = [person.id async for person in people.all(page=page)]
        assert found == ["anna", *(f"b{number}" for number in range(6))]


async def test_a_device_is_valid_for_its_person_until_it_is_revoked(people: People) -> None:
    await people.add(Person("ben", "Ben", 11), "laptop")
    await people.add_device("anna", "tablet", 12)
    assert await people.is_device_valid("anna", "phone")
    assert await people.is_device_valid("anna", "tablet")
    assert not await people.is_device_valid("anna", "laptop")
    assert not await people.revoke_device("ben", "phone", 13)
    assert await people.revoke_device("anna", "phone", 13)
    assert not await people.revoke_device("anna", "phone", 14)
    assert not await people.is_device_valid("anna", "phone")
    assert await people.is_device_valid("anna", "tablet")


async def test_somebody_can_be_signed_out_everywhere(people: People) -> None:
    await people.add_device("anna", "tablet", 12)
    await people.add(Person("ben", "Ben", 11), "laptop")
    assert await people.revoke_all("anna", 20) == 2
    assert await people.revoke_all("anna", 21) == 0
    assert not await people.is_device_valid("anna", "tablet")
    assert await people.is_device_valid("ben", "laptop")


async def test_a_code_works_once_however_many_try_at_once(people: People) -> None:
    await people.keep_code(b"digest", "anna", 100)
    tried = await asyncio.gather(*(people.redeem_code(b"digest", 50) for _ in range(50)))
    assert sorted(filter(None, tried)) == ["anna"]
    assert await people.redeem_code(b"unknown", 50) is None


async def test_a_code_expires(people: People) -> None:
    await people.keep_code(b"digest", "anna", 100)
    assert await people.redeem_code(b"digest", 100) is None
    assert await people.redeem_code(b"digest", 50) is None


async def test_expired_codes_are_purged(people: People) -> None:
    for number in range(4):
        await people.keep_code(bytes([number]), "anna", number)
    assert await people.purge_codes(1) == 2
    assert await people.redeem_code(b"\x02", 1) == "anna"


async def test_a_code_is_somebodys(people: People) -> None:
    with pytest.raises(IntegrityError):
        await people.keep_code(b"digest", "nobody", 100)
