"""The protocols of the socket: programs get complete views, the page the changes of them."""

import random
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from tests.server.harness import Host, Json, Person, any_action, catch_up, people, person, seated, with_server
from tests.server.keeping import robot


async def as_view(someone: Person, table: str) -> Json:
    """The view that comes with the whole table."""
    return (await someone.watch(table))["view"]


@pytest.mark.parametrize("protocol", [1, 2])
def test_an_update_has_the_view_or_its_changes(tmp_path: Path, protocol: int) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            for each in players:
                await each.disconnect()
                each.protocol = protocol
                assert (await each.connect())["protocol"] == protocol
            table = await seated(players, leader=0)
            chance = random.Random(protocol)
            for _ in range(12):
                actor: int = players[0].view["actor"]
                mover = players[actor]
                made = await mover.act(table, any_action(mover.view, chance))
                assert ("view" in made, "changes" in made) == (protocol == 1, protocol == 2)
                for each in players:
                    await catch_up(each, made["ply"])
                    assert each.view == await as_view(each, table)
            refused = await players[0].act(table, {"do": "recover"}, ply=0)
            assert (refused["type"], refused["view"]) == ("refused", players[0].view)

    with_server(test, tmp_path)


def test_who_names_no_protocol_gets_the_first(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, robot(ada, is_connected=False) as program:
            assert (await program.connect())["protocol"] == 1

    with_server(test, tmp_path)


def test_a_protocol_that_there_is_not_is_refused(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            ada.protocol = 3
            with pytest.raises(ConnectionClosed) as closed:
                await ada.connect()
            [refused] = map(msgspec.json.decode, ada.received)
            assert refused["reason"]["code"] == "wrong_protocol"
            assert refused["reason"]["details"] == {"newest": 2}
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1008

    with_server(test, tmp_path)


def test_a_page_of_an_earlier_version_is_told_to_reload_and_a_program_is_not(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, robot(ada, is_connected=False) as program:
            ada.protocol = 1
            assert (await ada.connect())["notice"]
            ada.protocol = 2
            await ada.disconnect()
            assert "notice" not in await ada.connect()
            assert "notice" not in await program.connect(origin=host.url)

    with_server(test, tmp_path)
