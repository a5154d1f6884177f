"""Attacks by people and programs with accounts, and by uploads."""

import asyncio
import json
from pathlib import Path

import msgspec

from royalcrypt.live.operations.duplicates import MAX_TABLES
from tests.attacks.by_socket import open_table
from tests.attacks.client import Attacker
from tests.attacks.declaring import attack
from tests.golden.games import GAMES
from tests.server.harness import Json

RECORD: Json = json.loads(Path(GAMES[1].path).read_text("utf-8"))
LARGEST = 512 * 1024 - 1000
"""Bytes of an uploaded record."""


async def flood(
    eve: Attacker,
    path: str,
    body: bytes | None = None,
    *,
    method: str = "POST",
    cookie: str = "",
    links: int = 8,
) -> None:
    """The same request as fast as possible."""

    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                await link.ask(method, path, body, Cookie=cookie, Accept_Encoding="gzip")

    await eve.crowd(links, attempt)


def padded(record: Json) -> bytes:
    return msgspec.json.encode(record | {"padding": ["x" * 100] * (LARGEST // 104)})


@attack("new accounts as fast as possible", "new_people")
async def sign_ups(eve: Attacker) -> None:
    await flood(eve, "/api/me", b'{"name": "Eve"}')


@attack(
    "300 listed tables by 20 people at one address",
    "listed_tables",
    "address_listed_tables",
    "address_new_tables",
)
async def lobby_flood(eve: Attacker) -> None:
    cookies = [await eve.sign_up() for _ in range(20)]

    async def fill(cookie: str) -> None:
        for _ in range(15):
            await open_table(eve, cookie, is_listed=True, players=2)

    async with asyncio.TaskGroup() as group:
        for cookie in cookies:
            group.create_task(eve.again(lambda cookie=cookie: fill(cookie)))


@attack("tables opened as fast as possible by five people", "new_tables", "address_new_tables")
async def new_tables(eve: Attacker) -> None:
    cookies = [await eve.sign_up() for _ in range(5)]
    body = msgspec.json.encode({"settings": {"players": 1}, "sit": [0], "start": True})
    await asyncio.gather(*(flood(eve, "/api/tables", body, cookie=cookie, links=2) for cookie in cookies))


@attack("duplicates of many tables", "new_tables", "address_new_tables")
async def duplicates(eve: Attacker) -> None:
    cookies = [await eve.sign_up() for _ in range(5)]
    body = msgspec.json.encode({"settings": {"players": 4}, "tables": MAX_TABLES})
    await asyncio.gather(*(flood(eve, "/api/duplicates", body, cookie=cookie, links=2) for cookie in cookies))


@attack("analyses of uploaded records by one address", compiled_bots="true")
async def analysis_flood(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            for number in range(1000):
                record = RECORD | {"id": f"eve-{number}"}
                await link.ask("POST", "/api/analysis", record)

    await eve.crowd(20, attempt)


@attack("replays of uploaded records", "replays")
async def replay_flood(eve: Attacker) -> None:
    await flood(eve, "/api/replay", msgspec.json.encode(RECORD))


@attack("replays of uploaded records of 512 KB", "replays")
async def big_replays(eve: Attacker) -> None:
    await flood(eve, "/api/replay", padded(RECORD))


@attack("uploads of 512 KB of nested brackets, numbers and keys", "replays")
async def nested_uploads(eve: Attacker) -> None:
    bodies = (
        b'{"a":' * 80_000 + b"1" + b"}" * 80_000,
        b'{"a":' + b"[" * 250_000 + b"]" * 250_000 + b"}",
        b'{"a":[' + b"1.5e300," * 60_000 + b"1]}",
        b"{" + b",".join(b'"%d":{}' % number for number in range(40_000)) + b"}",
    )
    await asyncio.gather(*(flood(eve, "/api/replay", body, links=2) for body in bodies))


@attack("moves of what-if lines of an uploaded record", "explorations")
async def line_flood(eve: Attacker) -> None:
    start: Json = {"record": RECORD, "move": 0, "seat": 0, "level": "heir", "line": []}
    body = start | {"chance": "new", "seed": 7, "since": 0}
    await flood(eve, "/api/line", msgspec.json.encode(body))


@attack("guesses at sign-in codes from twelve addresses", "sign_ins", "all_sign_ins")
async def code_guesses(eve: Attacker) -> None:
    base, _, last = eve.source.rpartition(".")
    many = [Attacker(eve.target, f"{base}.{int(last) + number}") for number in range(12)]
    await asyncio.gather(*(flood(each, "/api/sign-in", b'{"code": "ABCD-EFGH"}', links=1) for each in many))


@attack("guesses at recovery phrases from twelve addresses", "sign_ins", "all_sign_ins")
async def phrase_guesses(eve: Attacker) -> None:
    base, _, last = eve.source.rpartition(".")
    many = [Attacker(eve.target, f"{base}.{int(last) + number}") for number in range(12)]
    body = b'{"phrase": "babe bibo bubu dada dede didi dodo"}'
    await asyncio.gather(*(flood(each, "/api/sign-in/phrase", body, links=1) for each in many))


async def own_data(eve: Attacker, path: str) -> None:
    """Of somebody with tables and finished games."""
    cookie = await eve.sign_up()
    for _ in range(10):
        await open_table(eve, cookie)
    await flood(eve, path, method="GET", cookie=cookie)


@attack("exports of one's own data, on 8 connections", "requests", "exports")
async def data_exports(eve: Attacker) -> None:
    await own_data(eve, "/api/me/data")


@attack("exports of one's own records, on 8 connections", "requests", "exports")
async def record_exports(eve: Attacker) -> None:
    await own_data(eve, "/api/me/records")


@attack("one's own statistics and games, on 8 connections", "requests")
async def statistics(eve: Attacker) -> None:
    await asyncio.gather(own_data(eve, "/api/me/statistics"), own_data(eve, "/api/me/games"))


@attack("new names, each of which goes to the database, on 8 connections", "requests")
async def renames(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    await flood(eve, "/api/me", b'{"name": "Mallory"}', method="PATCH", cookie=cookie)


@attack("notes of 2,000 characters, on 8 connections", "requests")
async def notes(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    table = (await open_table(eve, cookie))["info"]["table"]
    body = msgspec.json.encode({"text": "\N{GHOST}" * 2000, "since": 0})
    await flood(eve, f"/api/tables/{table}/memo", body, method="PUT", cookie=cookie)


@attack("accounts made and deleted, each of which rewrites the database", "new_people", "requests")
async def deletions(eve: Attacker) -> None:
    async def attempt() -> None:
        cookie = await eve.sign_up()
        async with await eve.connect() as link:
            await link.ask("DELETE", "/api/me", {"name": f"Eve {eve.made}"}, Cookie=cookie)

    await eve.crowd(4, attempt)


@attack("codes and phrases made, on 8 connections", "codes")
async def codes_made(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    await asyncio.gather(
        flood(eve, "/api/me/codes", b"{}", cookie=cookie),
        flood(eve, "/api/me/recovery", b"{}", cookie=cookie),
    )
