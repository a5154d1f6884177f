"""Every command of the socket, sent by everybody: nobody acts for another seat, or listens at a door."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import get_args

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from royalcrypt.live.wire.commands import AnyCommand
from royalcrypt.tables.table import Table
from tests.server.harness import PATIENCE, Host, Json, Person, with_server
from tests.server.security.cast import Cast, cast

LISTENERS = ("stranger", "invited", "spectator", "seated", "owner")
# `invited` gives the link with `watch`, and only with that; in a running private game where the owner's seat
# 0 decides. `shown`, `done` and `update` are answers, everything else is the reason of a refusal.
TABLE = """
watch              | no_such_table shown         shown         shown         shown
watch as 0         | no_such_table not_your_seat not_your_seat not_your_seat shown
watch as 1         | no_such_table not_your_seat not_your_seat shown         not_your_seat
unwatch            | done          done          done          done          done
act                | not_watching  not_watching  not_seated    not_your_turn update
act for 0          | not_watching  not_watching  not_your_seat not_your_seat update
act for 1          | not_watching  not_watching  not_your_seat not_your_turn not_your_seat
say                | not_watching  not_watching  done          done          done
react              | not_watching  not_watching  done          done          done
follow             | done          done          done          done          done
ping               | done          done          done          done          done
"""
MESSAGES: dict[str, Json] = {
    "watch": {},
    "watch as 0": {"seat": 0},
    "watch as 1": {"seat": 1},
    "unwatch": {},
    "act": {"ply": 4, "actions": [{"do": "recover"}]},
    "act for 0": {"ply": 4, "seat": 0, "actions": [{"do": "recover"}]},
    "act for 1": {"ply": 4, "seat": 1, "actions": [{"do": "recover"}]},
    "say": {"text": "hello"},
    "react": {"reaction": "hello"},
}
ROWS = {row.partition("|")[0].strip(): row.partition("|")[2].split() for row in TABLE.strip().splitlines()}


def test_every_command_has_its_row_in_the_table() -> None:
    there = {str(kind.__struct_config__.tag) for kind in get_args(AnyCommand)}
    assert {name.split()[0] for name in ROWS} == there


@contextlib.asynccontextmanager
async def listening(people: Cast, actor: str, table: Table) -> AsyncGenerator[Person]:
    """Connected; those who may watch the table already do, but for the invited, who come just now."""
    name = people.host.service.identities.cookie_name
    cookie = people.cookies["stranger" if actor == "invited" else actor]
    async with people.host.client(cookies={name: cookie}) as http:
        one = Person(people.host, http, actor)
        await one.connect()
        if actor in ("spectator", "seated", "owner"):
            assert (await one.watch(table.id, invite=table.invite))["type"] == "shown"
        try:
            yield one
        finally:
            await one.disconnect()


async def told(one: Person, command: str, table: Table) -> str:
    kind = command.split(maxsplit=1)[0]
    message: Json = {"type": kind} | MESSAGES.get(command, {})
    if kind not in ("follow", "ping"):
        message["table"] = table.id
    if kind == "watch" and one.name != "stranger":
        message["invite"] = table.invite
    answer = await one.tell(**message)
    return answer["reason"]["code"] if answer["type"] == "refused" else answer["type"]


def test_each_may_do_what_is_theirs_and_nothing_else(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with cast(host) as people:
            for command, row in ROWS.items():
                for actor, expected in zip(LISTENERS, row, strict=True):
                    table = await people.set_table("running", leader=0)
                    async with listening(people, actor, table) as one:
                        assert await told(one, command, table) == expected, (command, actor)
                    after = await host.service.tables.table(table.id)
                    assert (after.ply > table.ply) == (expected == "update"), (command, actor)

    with_server(test, tmp_path)


REFUSED = {
    "nobody": "not_signed_in",
    "foreign": "not_signed_in",
    "tampered": "not_signed_in",
    "revoked": "not_signed_in",
    "banned": "banned",
    "host": "wrong_token",
}


def test_who_is_not_known_is_told_so_and_nothing_else(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with cast(host) as people:
            await people.set_table("running")
            for actor, reason in REFUSED.items():
                heard, code = await all_that_is_told(host, people.headers[actor])
                assert [message["type"] for message in heard] == ["refused"], actor
                assert heard[0]["reason"]["code"] == reason, actor
                assert code == 1008, actor

    with_server(test, tmp_path)


async def all_that_is_told(host: Host, headers: dict[str, str]) -> tuple[list[Json], int | None]:
    """To somebody who asks for much, until the server ends it."""
    heard: list[Json] = []
    async with asyncio.timeout(PATIENCE), connect(host.socket_url, additional_headers=headers) as socket:
        with contextlib.suppress(ConnectionClosed):
            await socket.send('{"type":"follow","lobby":true,"games":true}')
        with contextlib.suppress(ConnectionClosed):
            while True:
                heard.append(msgspec.json.decode(await socket.recv()))
    return heard, socket.close_code


def test_chat_is_heard_by_those_at_the_table_and_spectators_talk_among_themselves(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with contextlib.AsyncExitStack() as stack:
            people = await stack.enter_async_context(cast(host))
            table = await people.set_table("running")
            listeners = [
                await stack.enter_async_context(listening(people, actor, table)) for actor in LISTENERS
            ]
            stranger, _, spectator, seated, owner = listeners
            await seated.tell(type="say", table=table.id, text="for the table")
            await spectator.tell(type="say", table=table.id, text="among ourselves")
            await spectator.tell(type="react", table=table.id, reaction="laugh")
            for one in listeners:
                await one.tell(type="ping")
            for one, hears_table, hears_spectators in (
                (stranger, False, False),
                (owner, True, False),
                (seated, True, False),
                (spectator, True, True),
            ):
                heard = b"".join(one.received)
                assert (b"for the table" in heard) == hears_table, one.name
                assert (b"among ourselves" in heard) == hears_spectators, one.name
                assert (b"laugh" in heard) == hears_spectators, one.name
            for one, lines in ((owner, 1), (spectator, 2)):
                assert len((await one.watch(table.id, invite=table.invite))["chat"]) == lines, one.name
            await spectator.tell(type="unwatch", table=table.id)
            await seated.tell(type="say", table=table.id, text="gone?")
            await spectator.tell(type="ping")
            assert b"gone?" not in b"".join(spectator.received)

    with_server(test, tmp_path)
