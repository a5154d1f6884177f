"""What was said stays, in order, for those it was said to."""

import pytest
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from royalcrypt.live.stores import StoredChatLine
from royalcrypt.storage import schema
from royalcrypt.storage.journal import SqlJournal
from royalcrypt.storage.sqlite.database import SqliteDatabase
from royalcrypt.storage.table_data import ChatLines
from royalcrypt.tables.texts import Audience
from tests.storage.lines import line

pytestmark = pytest.mark.anyio


def said(
    text: str, audience: Audience = Audience.TABLE, person: str = "anna", table: str = "crypt"
) -> StoredChatLine:
    return StoredChatLine(table, audience, person, person.title(), text, at=7)


@pytest.fixture
async def chat(journal: SqlJournal, database: SqliteDatabase) -> ChatLines:
    await journal.append(line("crypt"))
    await journal.append(line("other"))
    return ChatLines(database)


async def test_a_line_gets_an_id_and_comes_back(chat: ChatLines) -> None:
    kept = await chat.add(said("Good luck!"))
    assert kept.id > 0
    assert await chat.recent("crypt", Audience.TABLE) == [kept]


async def test_the_last_lines_come_the_oldest_first(chat: ChatLines) -> None:
    for number in range(6):
        await chat.add(said(str(number)))
    assert [found.text for found in await chat.recent("crypt", Audience.TABLE, limit=3)] == ["3", "4", "5"]


async def test_players_and_spectators_and_tables_are_apart(chat: ChatLines) -> None:
    await chat.add(said("to players"))
    await chat.add(said("to spectators", Audience.SPECTATORS))
    await chat.add(said("elsewhere", table="other"))
    assert [found.text for found in await chat.recent("crypt", Audience.TABLE)] == ["to players"]
    assert [found.text for found in await chat.recent("crypt", Audience.SPECTATORS)] == ["to spectators"]


async def test_ids_of_deleted_lines_are_not_used_again(chat: ChatLines, database: SqliteDatabase) -> None:
    await chat.add(said("rude", person="ben"))
    await chat.add(said("polite"))
    last = await chat.add(said("ruder", person="ben"))
    await database.run(
        lambda sql: sql.execute(delete(schema.chat).where(schema.chat.c.person_id == "ben")).close()
    )
    assert [found.text for found in await chat.recent("crypt", Audience.TABLE)] == ["polite"]
    assert (await chat.add(said("more"))).id > last.id


async def test_all_of_it_is_read_whatever_the_page(chat: ChatLines) -> None:
    for number in range(5):
        await chat.add(said(str(number), table="crypt" if number % 2 else "other"))
    for page in (1, 2, 5, 9):
        assert [found.text async for found in chat.all(page=page)] == list("01234")


async def test_nobody_talks_at_a_table_that_is_not_there(chat: ChatLines) -> None:
    with pytest.raises(IntegrityError):
        await chat.add(said("Hello?", table="nowhere"))
