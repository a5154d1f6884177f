"""Whoever floods the lobby hides nobody's table, and takes no place from people at other addresses."""

import asyncio
from functools import partial
from pathlib import Path

from royalcrypt.live.lists import LOBBY_PAGE
from royalcrypt.server import limits
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Opened, Sitter
from royalcrypt.tables.listings import OPEN_TIMEOUT
from royalcrypt.tables.settings import TableSettings
from tests.server.harness import Host, Json, Person, people, person, with_server
from tests.server.security.test_limits import at, closing, crowd

FLOODER = "127.0.0.2"
LISTED = {"settings": {"is_listed": True}, "sit": [0]}


async def codes_of(someone: Person, tables: int) -> list[str]:
    """What comes of so many listed tables that are opened at the same time: a table or a refusal each."""
    answers = await asyncio.gather(*(someone.http.post("/api/tables", json=LISTED) for _ in range(tables)))
    return sorted(answer.json().get("code", "opened") for answer in answers)


async def opened(
    host: Host, *, number: int = 0, players: int = 2, people: int = 1, start: bool = False
) -> str:
    """A listed table that no request opened, and so no limit counted."""
    registry = host.service.tables
    entry: Opened = commands.open_table(
        TableSettings(players=players, is_listed=True), "host", now=registry.now() + number * 1000
    )
    table = await registry.open(entry)
    for seat in range(people):
        sit = partial(commands.sit, sitter=Sitter(f"p{seat}", f"P{seat}"), seat=seat, entropy="")
        await registry.change(table.id, lambda found, now, sit=sit: sit(found, now=now))
    if start:
        await registry.change(table.id, lambda found, now: commands.start(found, "host", now=now))
    return table.id


async def pages(someone: Person) -> list[list[Json]]:
    found: list[list[Json]] = []
    after = ""
    while after is not None:
        page = await someone.ask("GET", f"/api/lobby?after={after}")
        found.append(page["tables"])
        after = page["next"]
    return found


def ids(tables: list[Json]) -> list[str]:
    return [info["table"] for info in tables]


def test_a_flood_of_tables_from_one_address_hides_no_table_of_another(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Eve") as eve, crowd(host, 44, FLOODER) as flood:
            mine = (await ada.open_table(is_listed=True))["info"]["table"]
            found = await asyncio.gather(*(codes_of(one, 5) for one in flood))
            codes = [code for each in found for code in each]
            assert codes.count("opened") == limits.ADDRESS_LISTED_TABLES.most
            assert set(codes) == {"opened", "too_many"}
            assert mine in ids(await eve.ask("GET", "/api/tables"))  # type: ignore[arg-type]
            await eve.send(type="follow", lobby=True)
            first = await eve.hear("lobby")
            assert mine in ids(first["tables"])
            assert "next" not in first
            await eve.post(f"/api/tables/{mine}/seats/1", {"entropy": ""})
            assert "opened" in await codes_of(eve, 1), "others list their tables as before"
            metrics = (await eve.http.get("/metrics")).text
            refused = len(codes) - limits.ADDRESS_LISTED_TABLES.most
            assert f'royalcrypt_limits_reached_total{{limit="address_listed_tables"}} {refused}' in metrics

    with_server(test, tmp_path)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert FLOODER.encode() not in stored, "addresses are not stored"


def test_a_person_lists_so_many_tables_at_once_from_whatever_address(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, at(FLOODER, host, cookies=ada.http.cookies) as elsewhere:
            other = Person(host, elsewhere, "Ada")
            found = await asyncio.gather(codes_of(ada, 10), codes_of(other, 10))
            assert [*found[0], *found[1]].count("opened") == limits.LISTED_TABLES.most
            await ada.open_table(is_listed=False)
            await ada.open_table(is_listed=True, players=1, start=True)

    with_server(test, tmp_path)


def test_tables_that_start_close_or_time_out_make_room_for_others(tmp_path: Path) -> None:
    late = [0]

    async def test(host: Host) -> None:
        clock = host.service.tables.now
        host.service.tables.now = lambda: clock() + late[0]  # type: ignore[method-assign]
        async with crowd(
            host, limits.ADDRESS_LISTED_TABLES.most // limits.LISTED_TABLES.most, FLOODER
        ) as full:
            for one in full:
                assert set(await codes_of(one, limits.LISTED_TABLES.most)) == {"opened"}
            async with crowd(host, 1, FLOODER) as (last,):
                tables = ids(await last.ask("GET", "/api/tables"))  # type: ignore[arg-type]
                owner = {info["table"]: info["owner"] for info in (await pages(last))[0]}
                of = {one.id: one for one in full}
                assert await codes_of(last, 1) == ["too_many"]
                await of[owner[tables[0]]].post(f"/api/tables/{tables[0]}/close")
                assert await codes_of(last, 2) == ["opened", "too_many"]
                await of[owner[tables[1]]].ask(
                    "PUT", f"/api/tables/{tables[1]}/seats/1/bot", {"level": "greedy"}
                )
                assert await codes_of(last, 1) == ["too_many"], "a full table waits until it starts"
                await of[owner[tables[1]]].post(f"/api/tables/{tables[1]}/start")
                assert await codes_of(last, 2) == ["opened", "too_many"]
                late[0] = OPEN_TIMEOUT + 1
                await host.service.deadlines.sweep()
                assert (
                    await codes_of(last, limits.LISTED_TABLES.most) == ["opened"] * limits.LISTED_TABLES.most
                )

    with_server(test, tmp_path)


def test_joinable_tables_come_first_and_every_table_is_on_some_page(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (eve,):
            room = [await opened(host, number=n) for n in range(LOBBY_PAGE + 20)]
            full = [await opened(host, number=n, people=2) for n in range(60)]
            running = [await opened(host, number=n, people=2, start=True) for n in range(30)]
            oldest = await opened(host, number=-100)
            found = await pages(eve)
            assert [len(page) for page in found] == [LOBBY_PAGE, LOBBY_PAGE, 11]
            shown = [table for page in found for table in ids(page)]
            assert shown == [*reversed(room), oldest, *reversed(full), *reversed(running)]
            await eve.send(type="follow", lobby=True)
            first = await eve.hear("lobby")
            assert ids(first["tables"]) == shown[:LOBBY_PAGE]
            assert first["tables"] == await eve.ask("GET", "/api/tables")
            rest = await eve.ask("GET", f"/api/lobby?after={first['next']}")
            assert ids(rest["tables"]) == shown[LOBBY_PAGE : 2 * LOBBY_PAGE]

    with_server(test, tmp_path)


def test_no_table_is_hidden_between_pages_by_what_opens_and_closes_meanwhile(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (eve,):
            tables = [await opened(host, number=n) for n in range(LOBBY_PAGE * 2)]
            first = await eve.ask("GET", "/api/lobby")
            last = ids(first["tables"])[-1]
            for table in (last, ids(first["tables"])[0]):
                await host.service.tables.change(table, closing)
            await asyncio.gather(*(opened(host, number=10_000 + n) for n in range(20)))
            second = await eve.ask("GET", f"/api/lobby?after={first['next']}")
            assert sorted(ids(first["tables"]) + ids(second["tables"])) == sorted(tables)
            assert second["next"] is None
            for wrong in ("3-1-abcdef", "0--abcdef", "0-1-", "x"):
                await eve.ask("GET", f"/api/lobby?after={wrong}", status=400)

    with_server(test, tmp_path)


def test_many_changes_at_once_come_in_messages_of_a_page_and_none_is_lost(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (eve,):
            await eve.tell(type="follow", lobby=True)
            tables = await asyncio.gather(*(opened(host, number=n) for n in range(LOBBY_PAGE * 3)))
            ends = [host.service.tables.change(table, closing) for table in tables]
            heard: set[str] = set()
            await asyncio.gather(*ends)
            while len(heard) < len(tables):
                message = await eve.hear("lobby")
                gone = message.get("gone", [])
                assert len(message["tables"]) + len(gone) <= LOBBY_PAGE
                heard.update(gone)

    with_server(test, tmp_path)
