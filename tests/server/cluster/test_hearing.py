"""Who is told of a move: each process where the table is open, by name, and nobody else."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from royalcrypt.server.cluster.hints import EVERYBODY, AnyHint, ListingHint, PresenceHint, TableHint
from royalcrypt.server.cluster.peer_bus import REPLY_SECONDS, SILENT_SECONDS
from tests.server.cluster.pairs import (
    QUICK,
    Meet,
    Pair,
    elsewhere,
    hear_until,
    until_seen,
    until_up,
)
from tests.server.harness import Host, Person, any_action, catch_up, person, play_on, seated, serving, until


def heard_by(host: Host, monkeypatch: pytest.MonkeyPatch) -> list[AnyHint]:
    """All that a process hears and heeds from now on."""
    peers, heard = host.service.peers, list[AnyHint]()
    handle = peers._handle

    def note(table: str, hint: AnyHint) -> None:
        heard.append(hint)
        handle(table, hint)

    monkeypatch.setattr(peers, "_handle", note)
    return heard


def envelopes_at(host: Host, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that a process is handed from now on but for what is said to everybody, its own words included."""
    peers, handed = host.service.peers, list[bytes]()
    on_message = peers.on_message

    def note(topic: str, hint: bytes) -> None:
        if topic != EVERYBODY:
            handed.append(hint)
        on_message(topic, hint)

    monkeypatch.setattr(peers, "on_message", note)
    return handed


@asynccontextmanager
async def two_at_a_table(hosts: Pair) -> AsyncGenerator[tuple[Person, Person, str]]:
    """Each at another process, and both of these know."""
    async with person(hosts.first, "Ada") as ada, person(hosts.second, "Bo") as bo:
        table = await seated([ada, bo])
        await until_seen(hosts.first, table, bo)
        await until_seen(hosts.second, table, ada)
        await asyncio.sleep(REPLY_SECONDS)
        yield ada, bo, table


async def let_one_move(people: list[Person], table: str, seed: int) -> None:
    await play_on(people, table, random.Random(seed), most=1)


def moves_in(heard: list[AnyHint]) -> list[TableHint]:
    return [hint for hint in heard if isinstance(hint, TableHint)]


def test_the_lobby_is_heeded_only_where_somebody_looks_at_it(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hosts: Pair) -> None:
        async with person(hosts.first, "Ada") as ada, person(hosts.second, "Bo") as bo:
            handed, heard = (of(hosts.second, monkeypatch) for of in (envelopes_at, heard_by))
            before = (await ada.open_table(players=2, is_listed=True))["info"]["table"]
            await until(lambda: len(handed) >= 2)  # of a table that is opened, and of somebody who sits down
            await bo.tell(type="follow", lobby=True)
            shown = next(json.loads(raw) for raw in bo.received if b'"lobby"' in raw)
            assert [info["table"] for info in shown["tables"]] == [before], "it is read as it is by then"
            assert not any(isinstance(hint, ListingHint) for hint in heard)
            after = (await ada.open_table(players=2, is_listed=True))["info"]["table"]
            await hear_until(bo, lambda told: after in [info["table"] for info in told.get("tables", [])])
            assert ListingHint(hosts.first.service.peers.process, after) in heard

    meet(test)


def test_what_changes_while_somebody_begins_to_follow_their_games_is_told_them(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list is read before it is heard what others say of it, and in between is the change."""

    async def test(hosts: Pair) -> None:
        async with two_at_a_table(hosts) as (ada, bo, table):
            channel = hosts.second.service.peers.channel
            assert channel is not None
            subscribe, asked = channel.subscribe, list[str]()
            monkeypatch.setattr(channel, "subscribe", asked.append)
            await bo.tell(type="follow", games=True)
            (listed,) = next(json.loads(raw) for raw in bo.received if b'"games"' in raw)["games"]
            await let_one_move([ada, bo], table, 5)
            monkeypatch.setattr(channel, "subscribe", subscribe)
            for topic in asked:
                subscribe(topic)
            told = await hear_until(bo, lambda message: message["type"] == "games")
            (changed,) = told["games"]
            assert changed != listed

    meet(test)


def test_a_move_is_told_where_its_table_is_open_and_does_not_come_back(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(hosts: Pair) -> None:
        async with two_at_a_table(hosts) as (ada, bo, table), serving_too(hosts) as third:
            heard = {host: heard_by(host, monkeypatch) for host in (*hosts, third)}
            handed = {host: envelopes_at(host, monkeypatch) for host in hosts}
            moves = await play_on([ada, bo], table, random.Random(3), most=8)
            await catch_up(ada, bo.ply)
            await catch_up(bo, ada.ply)
            assert sum(len(moves_in(heard[host])) for host in hosts) == moves
            for host in hosts:
                assert not any(map(host.service.peers._cipher.is_own, handed[host]))
            assert moves_in(heard[third]) == []

    meet(test)


@asynccontextmanager
async def serving_too(hosts: Pair) -> AsyncGenerator[Host]:
    """A third process of the same server."""
    settings = hosts.first.service.settings
    folder = Path(settings.data).with_name("c")
    async with serving(folder, database=settings.database, channel=settings.channel) as third:
        await until_up(third)
        yield third


def test_a_process_that_comes_later_is_told_as_well(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hosts: Pair) -> None:
        async with AsyncExitStack() as stack:
            ada, bo, table = await stack.enter_async_context(two_at_a_table(hosts))
            third = await stack.enter_async_context(serving_too(hosts))
            twin = await stack.enter_async_context(elsewhere(ada, third))
            await twin.watch(table)
            await play_on([ada, bo], table, random.Random(4), most=4)
            await catch_up(twin, max(ada.ply, bo.ply))
            name = third.service.peers.process
            await until(lambda: all(name in host.service.hub.remote_presence(table) for host in hosts))
            heard = heard_by(third, monkeypatch)
            moves = await play_on([ada, bo], table, random.Random(5), most=4)
            await catch_up(twin, max(ada.ply, bo.ply))
            assert len(moves_in(heard)) == moves

    meet(test)


def test_a_process_that_was_held_up_is_known_again(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hosts: Pair) -> None:
        async with two_at_a_table(hosts) as (ada, bo, table):
            monkeypatch.setattr(hosts.second.service.peers, "heartbeat", lambda: None)
            await asyncio.sleep(2 * QUICK)
            peers = hosts.first.service.peers
            peers._up_since -= 2 * SILENT_SECONDS
            peers._processes.clear()
            peers._remove_silent_processes()
            assert not hosts.first.service.hub.remote_presence(table)
            await until_seen(hosts.first, table, bo)
            peers._remove_silent_processes()
            assert hosts.first.service.hub.remote_presence(table), "who answers is alive"
            heard = [heard_by(host, monkeypatch) for host in hosts]
            moves = await play_on([ada, bo], table, random.Random(6), most=6)
            await catch_up(ada, bo.ply)
            await catch_up(bo, ada.ply)
            assert sum(len(moves_in(hints)) for hints in heard) == moves

    meet(test)


def test_a_process_that_was_not_told_says_that_it_is_there(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when its first word was lost: a look finds the move, and others the process."""

    async def test(hosts: Pair) -> None:
        async with two_at_a_table(hosts) as (ada, bo, table):
            hub, second = hosts.first.service.hub, hosts.second.service
            while ada.view["actor"] != 0:
                await let_one_move([ada, bo], table, 7)
                await catch_up(ada, bo.ply)
            hub.set_remote_presence(table, second.peers.process, frozenset())
            await ada.act(table, any_action(ada.view, random.Random(8)))
            heard = heard_by(hosts.first, monkeypatch)
            await second.poll()
            await catch_up(bo, ada.ply)
            await until_seen(hosts.first, table, bo)
            assert any(isinstance(hint, PresenceHint) for hint in heard)
            await asyncio.sleep(0.1)
            before = len(heard)
            await second.poll()
            await asyncio.sleep(0.1)
            assert not any(isinstance(hint, PresenceHint) for hint in heard[before:]), "nothing was missed"

    meet(test)


@pytest.mark.parametrize("gather", [True, False])
def test_who_came_in_apart_is_told_so_where_they_can_be_brought_together(gather: bool, meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        async with two_at_a_table(hosts) as (ada, bo, _), person(hosts.first, "Cleo") as cleo:
            for each in (ada, bo):
                await hear_until(each, lambda message: message.get("present") == [True, True])
                assert is_apart(each) is gather
            await seated([cleo])
            await hear_until(cleo, lambda message: message["type"] == "presence")
            assert not is_apart(cleo)

    meet(test, gather=gather)


def is_apart(someone: Person) -> bool:
    """By what was last told of who is present."""
    told = [message for raw in someone.received if (message := json.loads(raw))["type"] == "presence"]
    return told[-1].get("is_apart", False)
