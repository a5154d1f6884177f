"""Attacks by plain HTTP: no account is needed."""

import asyncio
import base64
from contextlib import AsyncExitStack

from tests.attacks.client import Attacker, Link, garbage
from tests.attacks.declaring import attack

PAGE = "/"
MEGABYTE = 2**20
MANY = 320
"""Connections; more than one address may have."""


@attack("nothing: the honest people alone")
async def nothing(_: Attacker) -> None:
    await asyncio.Event().wait()


@attack("24 MB of pipelined requests, answers unread")
async def pipelined_unread(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect(is_deaf=True) as link:
            batch = link.request("GET", "/api/me") * 400
            for _ in range(24 * MEGABYTE // len(batch)):
                await link.send(batch)
            await asyncio.Event().wait()

    await eve.again(attempt)


@attack("pipelined requests, answers read at 4 KB a second")
async def pipelined_slowly_read(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect(is_deaf=True) as link, asyncio.TaskGroup() as group:
            batch = link.request("GET", "/api/bots") * 400

            async def read() -> None:
                await read_slowly(link, 4000)
                raise ConnectionError

            group.create_task(read())
            while True:
                await link.send(batch)

    async def tried() -> None:
        try:
            await attempt()
        except* OSError as cut_off:
            raise ConnectionError from cut_off

    await eve.crowd(8, tried)


@attack("request bodies of 16 KB, pipelined on 50 connections, answers unread")
async def pipelined_bodies(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect(is_deaf=True) as link:
            batch = link.request("POST", "/api/sign-in", b'"' + b"x" * 16_000 + b'"') * 8
            while True:
                await link.send(batch)

    await eve.crowd(50, attempt)


@attack("a head of 8 MB in one piece", "head_bytes")
async def huge_head(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            await link.send(link.head("GET", PAGE, X_Long="x" * 8 * MEGABYTE))
            await link.answer()

    await eve.crowd(4, attempt)


@attack("heads of 2,000 headers", "headers", "head_bytes")
async def many_headers(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            await link.send(link.head("GET", PAGE, **{f"X_{number}": "y" for number in range(2000)}))
            await link.answer()

    await eve.crowd(8, attempt)


@attack("heads sent a byte at a time on 150 connections")
async def dripped_heads(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            for byte in link.head("GET", PAGE, X_Slow="z" * 1000):
                await link.send(bytes([byte]))
                await asyncio.sleep(0.2)

    await eve.crowd(150, attempt)


@attack("bodies sent a byte at a time on 150 connections")
async def dripped_bodies(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            await link.send(link.head("POST", "/api/replay", Content_Length="500000"))
            while True:
                await link.send(b" ")
                await asyncio.sleep(0.2)

    await eve.crowd(150, attempt)


async def held_open(eve: Attacker, said: bytes, count: int = MANY) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            await link.send(said)
            await link.read_all()

    await eve.crowd(count, attempt)


@attack("320 half-sent requests from one address", "max_connections_per_address")
async def half_sent(eve: Attacker) -> None:
    await held_open(eve, b"GET / HTTP/1.1\r\nHost: x\r\n")


@attack(
    "600 half-sent requests, on a server for 500 connections",
    "max_connections_per_address",
    max_connections="500",
)
async def half_sent_to_small_server(eve: Attacker) -> None:
    await held_open(eve, b"GET / HTTP/1.1\r\nHost: x\r\n", 600)


@attack("600 half-sent requests from 60 addresses, on a server for 500 connections", max_connections="500")
async def half_sent_from_many(eve: Attacker) -> None:
    base, _, last = eve.source.rpartition(".")
    many = [Attacker(eve.target, f"{base}.{int(last) + number}") for number in range(60)]
    await asyncio.gather(*(held_open(each, b"GET / HTTP/1.1\r\nHost: x\r\n", 10) for each in many))


@attack("1,000 idle connections from one address", "max_connections_per_address")
async def idle_connections(eve: Attacker) -> None:
    await held_open(eve, b"", 1000)


@attack("320 keep-alive connections, a request a second each", "max_connections_per_address")
async def keep_alive(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                await link.ask("GET", "/api/bots")
                await asyncio.sleep(1)

    await eve.crowd(MANY, attempt)


@attack("connections opened and closed as fast as possible")
async def churn(eve: Attacker) -> None:
    while True:
        try:
            async with await eve.connect():
                pass
        except OSError:
            await asyncio.sleep(0)


@attack("requests for a page, each on its own connection, as fast as possible")
async def page_churn(eve: Attacker) -> None:
    async def attempt() -> None:
        while True:
            async with await eve.connect() as link:
                await link.ask("GET", PAGE)

    await eve.crowd(16, attempt)


@attack("requests as fast as possible on 50 connections")
async def request_flood(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                await link.ask("GET", "/api/tables")

    await eve.crowd(50, attempt)


@attack("random bytes, also such as begin TLS")
async def random_bytes(eve: Attacker) -> None:
    async def attempt() -> None:
        for start in (b"", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET / HTTP/1.1\r\n"):
            async with await eve.connect() as link:
                await link.send(start + garbage(64 * 1024))
                await link.read_all()

    await eve.crowd(8, attempt)


@attack("chunked bodies without an end")
async def endless_chunks(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            await link.send(
                link.head("POST", "/api/replay", Content_Type="application/json", Transfer_Encoding="chunked")
            )
            while True:
                await link.send(b"4000\r\n" + b" " * 0x4000 + b"\r\n")

    await eve.crowd(8, attempt)


@attack("chunked bodies in chunks of one byte")
async def tiny_chunks(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            await link.send(
                link.head("POST", "/api/replay", Content_Type="application/json", Transfer_Encoding="chunked")
            )
            while True:
                await link.send(b"1\r\n \r\n" * 2000)

    await eve.crowd(8, attempt)


@attack("bodies for routes that want none, and for pages that do not exist")
async def unwanted_bodies(eve: Attacker) -> None:
    async def attempt() -> None:
        for method, path in (
            ("POST", "/nowhere"),
            ("GET", PAGE),
            ("PUT", "/api/tables"),
            ("POST", "/health"),
        ):
            async with await eve.connect() as link:
                await link.send(link.head(method, path, Content_Length=str(64 * MEGABYTE)))
                for _ in range(64):
                    await link.send(bytes(MEGABYTE))
                await link.read_all()

    await eve.crowd(4, attempt)


async def read_slowly(link: Link, speed: int) -> None:
    """So many bytes a second, to the end."""
    while await link.reader.read(speed // 10):  # noqa: ASYNC110 (slowly is the point)
        await asyncio.sleep(0.1)


async def largest_file(eve: Attacker) -> str:
    """The path of the page's bundle."""
    async with await eve.connect() as link:
        page = (await link.ask("GET", PAGE)).body.decode()
    return "/assets/" + page.partition("/assets/")[2].partition('"')[0]


@attack("150 connections that ask for the page's bundle and read 1 KB a second")
async def slow_readers(eve: Attacker) -> None:
    path = await largest_file(eve)

    async def attempt() -> None:
        async with await eve.connect(is_deaf=True) as link:
            await link.send(link.head("GET", path))
            await read_slowly(link, 1000)

    await eve.crowd(150, attempt)


@attack("ranges, changed ETags and compressed copies of files, as fast as possible on 8 connections")
async def conditional_requests(eve: Attacker) -> None:
    path = await largest_file(eve)
    ranges = "bytes=" + ",".join(f"{number}-" for number in range(1000))

    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                await link.ask("GET", path, Range=ranges)
                await link.ask("GET", path, If_None_Match=", ".join(['"abc"'] * 1000))
                await link.ask("GET", path, Accept_Encoding=", ".join(["gzip;q=0.1"] * 1000))

    await eve.crowd(8, attempt)


@attack("HEAD, OPTIONS and unknown methods, as fast as possible on 8 connections")
async def other_methods(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                for method in ("HEAD", "OPTIONS", "PROPFIND"):
                    await link.ask(method, "/api/tables")

    await eve.crowd(8, attempt)


@attack("long, encoded and climbing paths, as fast as possible on 8 connections")
async def strange_paths(eve: Attacker) -> None:
    paths = (
        "/" + "a" * 30_000,
        "/" + "%2e%2e/" * 2000,
        "/api/" + "a/" * 10_000,
        "/%00%ff",
        "/?" + "a=b&" * 8000,
    )

    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                for path in paths:
                    await link.ask("GET", path)

    await eve.crowd(8, attempt)


@attack("cookies that nobody was given, as fast as possible on 8 connections")
async def wrong_cookies(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                junk = base64.urlsafe_b64encode(garbage(1500)).decode()
                await link.ask("GET", "/api/me", Cookie=f"royalcrypt={junk}; " + "a=b; " * 500)

    await eve.crowd(8, attempt)


@attack("wrong tokens of programs and of the host, on 8 connections", "token_attempts", "host_tokens")
async def wrong_tokens(eve: Attacker) -> None:
    async def attempt() -> None:
        async with await eve.connect() as link:
            while True:
                junk = base64.urlsafe_b64encode(garbage(24)).decode()
                for path in ("/api/me", "/api/host", "/metrics"):
                    await link.ask("GET", path, Authorization=f"Bearer {junk}")

    await eve.crowd(8, attempt)


@attack("100 connections that ask 60 times for large documents and hang up without reading")
async def unread_documents(eve: Attacker) -> None:
    async def attempt() -> None:
        async with AsyncExitStack() as stack:
            links = [await stack.enter_async_context(await eve.connect(is_deaf=True)) for _ in range(100)]
            for link in links:
                await link.send(link.head("GET", "/api/schema/openapi.json") * 60)
            await asyncio.sleep(2)

    await eve.again(attempt)
