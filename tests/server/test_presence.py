"""Who has the table open, and how many look on."""

from pathlib import Path

from tests.server.harness import Host, Json, Person, people, person, seated, with_server


async def presence_until(someone: Person, present: list[bool], spectators: int) -> Json:
    while True:
        message = await someone.hear("presence")
        if (message["present"], message["spectators"]) == (present, spectators):
            return message


def test_coming_and_going_is_told_to_all_at_the_table(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two, person(host, "Eve") as eve:
            ada, bo = two
            table = await seated(two, is_listed=True)
            await presence_until(ada, [True, True], 0)
            shown = await eve.watch(table)
            assert (shown["present"], shown["spectators"]) == ([True, True], 1)
            await presence_until(ada, [True, True], 1)
            await bo.disconnect()
            await presence_until(ada, [True, False], 1)
            await presence_until(eve, [True, False], 1)
            await eve.tell(type="unwatch", table=table)
            await presence_until(ada, [True, False], 0)
            await bo.connect()
            assert (await bo.watch(table))["present"] == [True, True]
            await presence_until(ada, [True, True], 0)

    with_server(test, tmp_path)


def test_a_spectator_who_sits_down_is_present_and_looks_on_no_more(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            table = (await ada.open_table(is_listed=True))["info"]["table"]
            await ada.watch(table)
            await bo.watch(table)
            await presence_until(ada, [True, False], 1)
            await bo.post(f"/api/tables/{table}/seats/1", {"entropy": ""})
            await presence_until(ada, [True, True], 0)
            await bo.ask("DELETE", f"/api/tables/{table}/seats/1")
            await presence_until(ada, [True, False], 1)

    with_server(test, tmp_path)


def test_a_second_seat_of_ones_own_is_present_too(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            table = (await ada.open_table())["info"]["table"]
            await ada.watch(table)
            await presence_until(ada, [True, False], 0)
            await ada.post(f"/api/tables/{table}/seats/1", {"entropy": ""})
            await presence_until(ada, [True, True], 0)

    with_server(test, tmp_path)


def test_a_person_on_two_devices_is_there_until_both_are_gone(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as two:
            ada, bo = two
            table = await seated(two)
            phone = Person(host, bo.http, "Bo")
            await phone.connect()
            await phone.watch(table)
            await bo.disconnect()
            await phone.tell(type="ping")
            await host.service.flush()
            assert host.service.hub.present(await host.service.tables.table(table)) == (True, True)
            await phone.disconnect()
            await presence_until(ada, [True, False], 0)

    with_server(test, tmp_path)
