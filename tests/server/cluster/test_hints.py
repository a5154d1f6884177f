"""A table at two processes shows the same at both, and only processes of one server believe each other."""

import json
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sqlalchemy import Connection, text

from royalcrypt.server.cluster.hints import PROCESS, TABLE, HintCipher, PresenceHint, TableHint, encode_hint
from royalcrypt.tables import commands
from royalcrypt.tables.entries import Moved, decode_entry
from tests.server.cluster.pairs import Meet, Pair, elsewhere, reads_at, until_seen
from tests.server.harness import Person, any_action, catch_up, person, play_on, seated

KEY = b"k" * 32


def updates(someone: Person) -> dict[int, Any]:
    """By ply; without what only one of somebody's windows is told."""
    found = [json.loads(message) for message in someone.received]
    return {
        message["ply"]: {name: value for name, value in message.items() if name != "re"}
        for message in found
        if message["type"] == "update" and "info" not in message
    }


def test_windows_at_two_processes_get_the_same_updates(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        async with AsyncExitStack() as stack:
            enter = stack.enter_async_context
            ada, bo = await enter(person(hosts.first, "Ada")), await enter(person(hosts.second, "Bo"))
            table = await seated([ada, bo], is_listed=True)
            cleo = await enter(person(hosts.first, "Cleo"))
            twins = [
                (ada, await enter(elsewhere(ada, hosts.second))),
                (bo, await enter(elsewhere(bo, hosts.first))),
                (cleo, await enter(elsewhere(cleo, hosts.second))),
            ]
            for one, twin in twins:
                for window in (one, twin):
                    await window.watch(table)
            for host in hosts:
                await until_seen(host, table, ada, bo, cleo)
            assert await play_on([ada, bo], table, random.Random(5)) > 10
            for one, twin in twins:
                for window in (one, twin):
                    await catch_up(window, ada.ply)
                assert updates(one) == updates(twin)
                assert len(updates(one)) > 10

    meet(test)


def test_a_shared_screen_keeps_the_seat_it_shows_at_each_process(meet: Meet) -> None:
    async def test(hosts: Pair) -> None:
        async with person(hosts.first) as ada, elsewhere(ada, hosts.second) as twin:
            opened = await ada.open_table(players=2, sit=(0, 1), start=True)
            table = opened["info"]["table"]
            await ada.watch(table)
            await twin.watch(table, seat=1)
            await until_seen(hosts.first, table, ada)
            seat = ada.view["actor"]
            await ada.watch(table, seat=seat)
            await ada.act(table, any_action(ada.view, random.Random(2)), seat=seat)
            await catch_up(twin, ada.ply)
            assert twin.view["seat"] == 1

    meet(test)


def test_forged_hints_are_ignored(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hosts: Pair) -> None:
        async with person(hosts.first, "Ada") as ada, person(hosts.second, "Bo") as bo:
            table = await seated([ada, bo])
            await until_seen(hosts.second, table, ada)
            registry, peers = hosts.second.service.tables, hosts.second.service.peers
            ply = registry.loaded[table].table.ply
            reads = reads_at(hosts.second, monkeypatch)
            forged = TableHint("elsewhere", table, ply + 1)
            there = PresenceHint("elsewhere", ("a stranger",))
            stranger, other = HintCipher(KEY), hosts.first.service.peers._cipher
            for topic in ((TABLE + table), (PROCESS + peers.process)):
                for hint in (
                    stranger.encrypt(encode_hint(forged), topic),
                    stranger.encrypt(encode_hint(there), topic),
                    other.encrypt(encode_hint(forged), (PROCESS + "another")),
                    other.encrypt(encode_hint(there), (TABLE + "another")),
                    other.encrypt(b"of another version", topic),
                    b"",
                    b"\x00" * 40,
                ):
                    peers.on_message(topic, hint)
            assert reads == []
            assert registry.loaded[table].table.ply == ply
            assert "a stranger" not in hosts.second.service.hub.remote_people(table)

    meet(test)


def test_a_table_that_is_ahead_of_its_journal_goes_back_to_it(meet: Meet) -> None:
    """As after a standby took over that lacks the last move: nothing is kept beyond the gap."""

    async def test(hosts: Pair) -> None:
        async with person(hosts.first, "Ada") as ada, person(hosts.second, "Bo") as bo:
            table = await seated([ada, bo])
            chance = random.Random(4)
            await play_on([ada, bo], table, chance, most=6)
            for each in (ada, bo):
                await each.watch(table)
            last = ada.ply - 1
            await hosts.first.service.state.database.run(lambda sql: forget(sql, table, last))
            mover = ada if ada.view["actor"] == 0 else bo
            answer = await mover.act(table, any_action(mover.view, chance))
            assert (answer["type"], answer["ply"]) == ("refused", last)
            assert answer["view"]["actor"] == mover.view["actor"]
            kept = await hosts.first.service.journal.entries(table)
            assert len(kept) == last

    meet(test)


def test_a_table_whose_last_entry_is_another_one_in_the_journal_is_read_again(meet: Meet) -> None:
    """As after a failover, when another process has already stored another move at the same ply."""

    async def test(hosts: Pair) -> None:
        async with person(hosts.first, "Ada") as ada, person(hosts.second, "Bo") as bo:
            table = await seated([ada, bo])
            await play_on([ada, bo], table, random.Random(4), most=5)
            journal, last = hosts.first.service.journal, ada.ply - 1
            lost = (await journal.entries(table))[last]
            await hosts.first.service.state.database.run(lambda sql: forget(sql, table, last))
            await hosts.second.service.tables.recover(table, last, None)
            behind = hosts.second.service.tables.loaded[table].table
            assert behind.game is not None
            assert behind.actor is not None
            seat, who = behind.actor, behind.seats[behind.actor].person or ""
            was = decode_entry(lost)
            assert isinstance(was, Moved)
            other = next(move for move in behind.game.view(seat).moves() if str(move) != was.move)
            await hosts.second.service.tables.change(
                table, lambda found, now: commands.act(found, who, seat, last, other, now=now)
            )
            assert (await journal.entries(table))[last] != lost
            ours = hosts.first.service.tables.loaded[table]
            assert ours.table.ply == last + 1
            found = (await journal.entries(table))[last]
            await hosts.first.service.tables.recover(table, last, found)
            theirs = hosts.second.service.tables.loaded[table].table
            assert ours.table.view(None) == theirs.view(None)

    meet(test)


def forget(sql: Connection, table: str, ply: int) -> None:
    for statement in (
        "DELETE FROM journal WHERE table_id = :table AND ply >= :ply",
        "UPDATE tables SET ply = :ply WHERE id = :table",
    ):
        sql.execute(text(statement), {"table": table, "ply": ply})


def test_only_processes_of_one_server_read_each_other_and_each_hint_once() -> None:
    one, other, stranger = HintCipher(KEY), HintCipher(KEY), HintCipher(b"o" * 32)
    first, second = one.encrypt(b"Ada holds a crown", "table:x"), one.encrypt(b"Ada holds a crown", "table:x")
    assert first != second
    assert b"crown" not in first + second
    assert (one.is_own(first), other.is_own(first)) == (True, False)
    for envelope in (
        first[:-1],
        first[:10],
        b"",
        first[:-1] + bytes([first[-1] ^ 1]),
        first[:20] + bytes([first[20] ^ 1]) + first[21:],
        bytes([first[0] ^ 1]) + first[1:],
    ):
        assert other.decrypt(envelope, "table:x") is None
    assert other.decrypt(first, "table:y") is None
    assert stranger.decrypt(first, "table:x") is None
    assert other.decrypt(first, "table:x") == b"Ada holds a crown"
    assert other.decrypt(first, "table:x") is None, "it is said again, by whomever"
    assert other.decrypt(second, "table:x") == b"Ada holds a crown"
