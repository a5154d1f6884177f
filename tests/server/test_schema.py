"""The socket's schema and its description for client authors hold for what is really said."""

import json
import random
import re
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest

from royalcrypt.live.connection import Close
from royalcrypt.live.lists import LOBBY_PAGE
from royalcrypt.live.operations.orders import NewOrders
from royalcrypt.live.session import MAX_WATCHED
from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH, AnyCommand, decode_command
from royalcrypt.live.wire.messages import AnyMessage, Reason, socket_schema
from royalcrypt.live.wire.tables import NewTable
from royalcrypt.server import limits
from royalcrypt.server.limits import DAY, HOUR, MINUTE
from royalcrypt.tables.texts import MAX_CHAT_LENGTH, Reaction
from tests.server.harness import Host, Json, people, play_on, seated, with_server

SCHEMA: Json = json.loads(socket_schema())
WIRE = (Path(__file__).parents[2] / "docs" / "wire.md").read_text("utf-8")
EXAMPLES: list[Json] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", WIRE, re.DOTALL)]
MESSAGES = [example for example in EXAMPLES if "type" in example]


def tags(union: Any) -> set[str]:
    return {kind.__struct_config__.tag for kind in get_args(union)}


def validator(of: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(SCHEMA | {"$ref": f"#/$defs/{of}"})


COMMAND, MESSAGE = validator("AnyCommand"), validator("AnyMessage")


def check(message: Json) -> None:
    """Valid, and with no field that the schema does not name."""
    kind = MESSAGE if message["type"] in tags(AnyMessage) else COMMAND
    kind.validate(message)
    named = SCHEMA["$defs"][message["type"].title()]["properties"]
    assert message.keys() <= named.keys()


def test_every_message_is_in_the_schema_and_everything_there_says_what_it_is() -> None:
    parts = SCHEMA["$defs"]
    for union, name in ((AnyCommand, "AnyCommand"), (AnyMessage, "AnyMessage")):
        assert set(parts[name]["discriminator"]["mapping"]) == tags(union)
    silent = {name for name, part in parts.items() if not part.get("description")}
    assert silent == {"AnyCommand", "AnyMessage"}


def test_all_that_is_said_in_a_lively_hour_follows_the_schema(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 4) as (ada, bo, eve, finn):
            sent: list[Json] = []

            async def tell(who: Any, **message: Any) -> None:
                sent.append({"id": 1} | message)
                await who.tell(**message)

            assert await ada.ask("GET", "/api/schema/socket.json") == SCHEMA
            await tell(eve, type="follow", lobby=True, games=True)
            shy = (await ada.open_table(players=1, is_listed=True, spectators=False))["info"]["table"]
            await tell(finn, type="watch", table=shy, since=0, seat=None, invite=None)
            await ada.post(f"/api/tables/{shy}/start")
            await finn.hear("gone")
            clock = {"kind": "live", "move": 45, "bank": 5}
            table = await seated([ada, bo], is_listed=True, clock=clock, collectors="BABBAB", leader=0)
            await tell(eve, type="watch", table=table)
            await tell(bo, type="say", table=table, text="hi")
            await tell(bo, type="react", table=table, reaction="hello")
            await tell(ada, type="act", table=table, ply=0, actions=[{"do": "recover"}])
            await tell(ada, type="ping")
            await ada.ask("PUT", "/api/host/notice", {"text": "hi"}, headers=host.host_headers())
            await play_on([ada, bo], table, random.Random(0))
            await host.service.flush()
            await ada.post(f"/api/tables/{table}/rematch", {"entropy": ""})
            await tell(eve, type="unwatch", table=table)
            await eve.hear("lobby")
            await tell(bo, type="follow", games=True)
            heard = [msgspec.json.decode(raw) for who in (ada, bo, eve, finn) for raw in who.received]
            for message in (*heard, *sent):
                check(message)
            assert {message["type"] for message in heard} == tags(AnyMessage)
            assert {message["type"] for message in sent} == tags(AnyCommand)

    with_server(test, tmp_path)


def test_a_game_against_the_ghost_follows_the_schema_too(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 1) as (ada,):
            table = await seated([ada], collectors="ABABAB", remembers=False)
            await play_on([ada], table, random.Random(1))
            for raw in ada.received:
                check(msgspec.json.decode(raw))

    with_server(test, tmp_path)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "ping"},
        {"type": "ping", "id": -1},
        {"type": "ping", "id": 2**53},
        {"type": "ping", "more": 1},
        {"type": "pong"},
        {"id": 1},
        {"type": "watch", "table": "six_66"},
        {"type": "watch", "table": "short"},
        {"type": "watch", "table": "6BSQvIA0Y2sa", "seat": 4},
        {"type": "act", "table": "6BSQvIA0Y2sa", "ply": 1, "actions": []},
        {"type": "act", "table": "6BSQvIA0Y2sa", "ply": 1, "actions": [{"do": "dance"}]},
        {"type": "act", "table": "6BSQvIA0Y2sa", "ply": 1.5, "actions": [{"do": "peek"}]},
        {"type": "act", "table": "6BSQvIA0Y2sa", "ply": 1, "actions": [{"do": "peek", "flip": [5]}]},
        {"type": "act", "table": "6BSQvIA0Y2sa", "ply": 1, "actions": [{"do": "peek"}] * 4},
        {"type": "act", "table": "6BSQvIA0Y2sa", "ply": 1, "actions": [{"do": "peek"}] * 5},
        {"type": "say", "table": "6BSQvIA0Y2sa", "text": "x" * 1001},
        {"type": "react", "table": "6BSQvIA0Y2sa", "reaction": "tomato"},
        {"type": "follow", "lobby": "yes"},
    ],
)
def test_the_server_understands_what_the_schema_allows_and_nothing_else(message: Json) -> None:
    try:
        decode_command(msgspec.json.encode(message))
    except msgspec.ValidationError:
        is_understood = False
    else:
        is_understood = True
    assert COMMAND.is_valid(message) is is_understood


BODIES: dict[str, Any] = {"settings": NewTable, "orders": NewOrders, "code": Reason}
"""What is no message, by a field that only it has."""


def test_the_description_has_a_valid_example_of_every_message() -> None:
    for example in MESSAGES:
        check(example)
    assert {example["type"] for example in MESSAGES} == tags(AnyCommand) | tags(AnyMessage)
    for tag in tags(AnyCommand) | tags(AnyMessage):
        assert re.search(rf"^### (\w+, )?{tag}\b", WIRE, re.MULTILINE), tag
    for example in EXAMPLES:
        if "type" not in example:
            (kind,) = [kind for name, kind in BODIES.items() if name in example]
            msgspec.convert(example, kind)


def test_the_description_names_every_request(tmp_path: Path) -> None:
    async def test(host: Host) -> set[str]:
        async with host.client() as http:
            paths = (await http.get("/api/schema/openapi.json")).json()["paths"]
        return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}

    real = {request for request in with_server(test, tmp_path) if "/api/host" not in request}
    assert set(re.findall(r"^\| `([A-Z]+ /\S*)` \|", WIRE, re.MULTILINE)) == real


RATES = {
    "messages": limits.MESSAGES,
    "chat and reactions": limits.TALK,
    "`watch`, and links tried over REST": limits.WATCH,
    "requests, also for files": limits.ADDRESS_REQUESTS,
    "changes over REST": limits.REQUESTS,
    "new tables and rematches": limits.NEW_TABLES,
    "tables of all people, duplicates and programs": limits.ADDRESS_TABLES,
    "new people": limits.NEW_PEOPLE,
    "sockets opened": limits.HANDSHAKES,
    "programs and tokens made": limits.TOKENS,
    "wrong tokens tried": limits.TOKEN_ATTEMPTS,
    "pings, pongs and parts of messages": limits.FRAMES,
    "messages of a program": limits.PROGRAM_MESSAGES,
    "changes over REST by programs": limits.PROGRAM_REQUESTS,
    "new tables and rematches of programs": limits.PROGRAM_TABLES,
    "replays": limits.REPLAYS,
    "analyses": limits.ANALYSES,
    "moves of lines ([what if](#what-if))": limits.EXPLORATIONS,
    "codes and phrases made": limits.CODES,
    "codes and phrases tried": limits.SIGN_INS,
    "e-mail addresses given": limits.ADDRESSES,
    "confirmation e-mails received": limits.MAILBOXES,
    "confirmation e-mails requested": limits.NEW_ADDRESSES,
}
PERIODS = {"a second": 1.0, "a minute": MINUTE, "an hour": HOUR, "a day": DAY}


def test_the_description_names_close_codes_and_limits_as_they_are() -> None:
    assert {int(code) for code in re.findall(r"^\| (1\d{3}) \|", WIRE, re.MULTILINE)} == set(Close)
    assert f"A message has {MAX_MESSAGE_LENGTH // 1024} KiB at most" in WIRE
    assert f"watches {MAX_WATCHED} tables at most" in WIRE
    assert f"{limits.QUEUED_MESSAGES.most} unread messages or {limits.QUEUED_BYTES.most // 1024} KiB" in WIRE
    assert f"more than {limits.FRAGMENTS.most} parts" in WIRE
    assert f"at most {limits.HEADERS.most} headers and {limits.HEAD_BYTES.most // 1024} KiB" in WIRE
    assert f"complete after {limits.REQUEST_TIME.seconds:.0f} seconds" in WIRE
    assert f"address {limits.REQUESTS_AT_ONCE.most} requests" in WIRE
    assert (
        f"least {limits.READ_BYTES.most // 1024} KiB of a response in {limits.READ_TIME.seconds:.0f} s"
        in WIRE
    )
    assert f"a table has {limits.SPECTATORS.most} spectators' connections at most" in WIRE
    assert f"1 to {MAX_CHAT_LENGTH} visible characters" in WIRE
    assert "one of eight reactions" in WIRE
    assert len(get_args(Reaction)) == 8
    listed, of_address = limits.LISTED_TABLES.most, limits.ADDRESS_LISTED_TABLES.most
    assert f"at {listed} listed tables at most, and all people at one address at {of_address}." in WIRE
    assert f"A message has {LOBBY_PAGE} tables at most." in WIRE
    assert f"A person keeps {limits.PROGRAMS.most} programs at most." in WIRE
    assert f"has {limits.PROGRAM_SOCKETS.most} sockets at most" in WIRE
    assert f"A person has {limits.PERSON_SOCKETS.most} sockets at most" in WIRE
    assert f"sits at {limits.PROGRAM_SEATS.most} tables at a time" in WIRE
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| (\d+) \| ([\d.]+) (a \w+|an hour) \|$", WIRE, re.MULTILINE)
    told = {what: (int(burst), float(then) / PERIODS[period]) for what, burst, then, period in rows}
    assert told == {what: (rate.burst, rate.per_second) for what, rate in RATES.items()}
