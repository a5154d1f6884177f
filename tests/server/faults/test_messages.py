"""Messages out of order, twice, too late, too long, or no messages at all."""

import asyncio
import random
from pathlib import Path
from typing import Any

import msgspec

from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH
from tests.server.harness import (
    Host,
    Json,
    Person,
    any_action,
    catch_up,
    people,
    play_on,
    seated,
    with_server,
)
from tests.server.processes import REAL, Process

NOT_MESSAGES: list[str | bytes] = [
    "",
    " ",
    "null",
    "[]",
    "{}",
    '"ping"',
    "{",
    '{"type":"ping"',
    '{"type":"ping"}}',
    '{"type":"ping"}{"type":"ping"}',
    "\ufeff{}",
    '{"type":"ping","id":1}\x00',
    '{"type":"PING"}',
    '{"type":"welcome"}',
    '{"type":["ping"]}',
    '{"type":"ping","extra":1}',
    '{"type":"ping","id":-1}',
    '{"type":"ping","id":1.5}',
    '{"type":"ping","id":9007199254740992}',
    '{"type":"ping","id":' + "9" * 5000 + "}",
    '{"type":"ping","id":1e999}',
    '{"type":"say","table":"aaaaaa","text":"\\ud800"}',
    '{"type":"say","table":"aaaaaa","text":"' + "x" * 1001 + '"}',
    '{"type":"watch","table":"../../etc/passwd"}',
    '{"type":"watch","table":"aaaaaa\\u0000"}',
    '{"type":"act","table":"aaaaaa","ply":0,"actions":[]}',
    '{"type":"act","table":"aaaaaa","ply":true,"actions":[{"do":"recover"}]}',
    '{"type":"act","table":"aaaaaa","ply":0,"actions":[{"do":"recover"}' + ',{"do":"recover"}' * 4 + "]}",
    '{"type":"act","table":"aaaaaa","ply":0,"actions":[{"do":"claim","place":[{"slot":9,"dice":1,"effort":1}]}]}',
    "[" * MAX_MESSAGE_LENGTH,
    '{"a":' * (MAX_MESSAGE_LENGTH // 5),
    "x" * MAX_MESSAGE_LENGTH,
    b"",
    b'{"type":"ping"}',
    b"\xff" * MAX_MESSAGE_LENGTH,
]


def test_what_is_no_message_is_refused_and_nothing_else_happens(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players)
            before = await host.service.journal.entries(table)
            for text in NOT_MESSAGES:
                await players[0].send_raw(text)
                refused = await players[0].hear("refused")
                assert refused["reason"]["code"] == "not_a_message", text[:100]
                assert refused["reason"]["text"]
                assert all(" " not in str(detail) for detail in refused["reason"]["details"].values()), text[
                    :100
                ]
            assert await host.service.journal.entries(table) == before
            await play_on(players, table, random.Random(1), most=5)

    with_server(test, tmp_path)


NUMBERED = [
    '{"id":7,"type":"nonsense"}',
    '{"type":"ping","extra":[],"id":7}',
    '{"type":"say","table":"aaaaaa","text":"\\udc00","id":7}',
    '{"type":"act","id":7}',
    '{"id":7}',
    '{"type":"ping","id":7,"deep":' + "[" * 500 + "]" * 500 + "}",
    b'{"type":"ping","id":7}',
]


def test_a_number_that_can_be_read_is_answered(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            for text in NUMBERED:
                await ada.send_raw(text)
                assert (await ada.hear_any())["re"] == 7, text

    with_server(test, tmp_path)


def refusal(answer: Json) -> str:
    """The code of a refusal that says everything it should."""
    assert answer["type"] == "refused", answer
    assert answer["reason"]["text"]
    assert isinstance(answer["reason"]["details"], dict)
    return answer["reason"]["code"]


def test_commands_out_of_place_are_refused_with_the_table_as_it_stands(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 3) as (ada, bo, eve):
            over = await seated([ada, bo])
            await play_on([ada, bo], over, random.Random(5))
            theirs = await seated([bo, eve])
            table = await seated([ada, bo], leader=0)
            recover = {"do": "recover"}
            kept = [await host.service.journal.entries(each) for each in (over, theirs, table)]

            async def told(someone: Person, at: str = table, **more: Any) -> str:
                command = {"ply": ply, "actions": [recover]} | more
                answer = await someone.tell(type="act", table=at, **command)
                if at == table:
                    assert answer["ply"] == ply
                    assert answer["view"] == someone.view
                    assert answer["view"]["actor"] == 0
                return refusal(answer)

            ply = ada.ply
            assert await told(bo) == "not_your_turn"
            assert await told(ada, seat=1) == "not_your_seat"
            assert await told(ada, seat=3) == "wrong_seat"
            assert await told(ada, ply=ply - 1) == "stale"
            assert await told(ada, ply=0) == "stale"
            assert await told(ada, ply=ply + 1) == "ply_ahead"
            assert await told(ada, actions=[{"do": "decline"}]) == "not_now"
            assert await told(ada, actions=[recover, recover]) == "turn_has_ended"
            for parts in ({"flip": [1]}, {"slot": 1}, {"place": [{"slot": 0, "dice": 1, "effort": 1}]}):
                assert await told(ada, actions=[recover | parts]) == "not_a_message"
            assert await told(ada, over) == "game_over"
            assert await told(ada, theirs) == "not_watching"
            assert await told(ada, "nosuchtable") == "not_watching"
            assert await told(eve, "nosuchtable") == "not_watching"
            assert refusal(await ada.watch(theirs)) == "no_such_table"
            assert refusal(await ada.watch(theirs, invite="guess")) == "no_such_table"
            assert refusal(await ada.watch("nosuchtable")) == "no_such_table"
            assert refusal(await ada.watch(table, seat=1)) == "not_your_seat"
            assert [await host.service.journal.entries(each) for each in (over, theirs, table)] == kept

    with_server(test, tmp_path)


def test_of_a_command_sent_again_and_again_one_counts(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players, leader=0)
            ada, bo = players
            ply, action = ada.ply, any_action(ada.view, random.Random(2))
            again = [{"type": "act", "table": table, "ply": ply, "actions": [action]}] * 5
            answers = [await ada.answer(number) for number in [await ada.send(**one) for one in again]]
            assert [answer["type"] for answer in answers] == ["update"] + ["refused"] * 4
            assert {refusal(answer) for answer in answers[1:]} == {"already_done"}
            assert len(await host.service.journal.entries(table)) == ply + 1
            await catch_up(bo, ply + 1)
            while bo.view["actor"] == 1:
                await bo.act(table, any_action(bo.view, random.Random(3)))
            delayed = await ada.tell(**again[0])
            assert refusal(delayed) == "already_done"
            assert delayed["ply"] == bo.ply

    with_server(test, tmp_path)


def test_commands_that_overtook_each_other_do_no_harm(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players, leader=0)
            ada, _ = players
            command = {"type": "act", "table": table, "actions": [{"do": "recover"}]}
            later = await ada.send(**command, ply=ada.ply + 1)
            earlier = await ada.send(**command, ply=ada.ply)
            assert refusal(await ada.answer(later)) == "ply_ahead"
            assert (await ada.answer(earlier))["type"] == "update"

    with_server(test, tmp_path)


TOO_LONG: list[list[str] | list[bytes]] = [
    ["x" * (MAX_MESSAGE_LENGTH + 1)],
    ["x" * MAX_MESSAGE_LENGTH, "x"],
    [b"\x00" * (MAX_MESSAGE_LENGTH + 1)],
    ['{"type":"ping","id":"' + "é" * (MAX_MESSAGE_LENGTH // 2) + '"}'],
]


def test_what_is_too_long_ends_only_the_senders_socket(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as players:
            table = await seated(players)
            ada = players[0]
            for parts in TOO_LONG:
                assert ada.socket is not None
                await ada.socket.send(parts)
                await ada.socket.wait_closed()
                assert ada.socket.close_code == 1009
                await ada.connect()
                await ada.watch(table)
                await play_on(players, table, random.Random(1), most=2)

    with_server(test, tmp_path)


def test_a_message_in_many_pieces_is_one(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            assert ada.socket is not None
            await ada.socket.send(list(msgspec.json.encode({"type": "ping", "id": 12}).decode()))
            assert (await ada.hear_any())["re"] == 12

    with_server(test, tmp_path)


def test_a_stranger_cannot_fill_the_log_with_rubbish(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            for rubbish, code in ((b"\xff\xfe", 1007), (b"x" * (MAX_MESSAGE_LENGTH + 1), 1009)):
                assert ada.socket is not None
                await ada.socket.send(rubbish, text=True)
                await ada.socket.wait_closed()
                assert ada.socket.close_code == code
                await ada.connect()
            assert ada.socket is not None
            ada.socket.transport.write(b"\xff\xff\xff\xff")
            await ada.socket.wait_closed()
            assert ada.socket.close_code == 1002

    with Process(tmp_path / "data", "serve", "--port", "0", program=REAL) as server:
        asyncio.run(test(Host(server.url)))
        assert server.end() == 0
        assert server.complaints() == ""
