"""What a flood from one address costs the server and the people who play, over real TCP."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.server.harness import PATIENCE, Host, Person, person
from tests.server.processes import REAL, Process

PLACES = 300
"""Of the server in these tests."""
SENT = 24 * 1024 * 1024
MOST_GROWTH = 50
"""In MB."""
SLOWEST = 0.25
"""Seconds that nine of ten round trips take at most, beyond their time without a flood."""
REQUEST = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
ATTACKER = ("127.0.0.3", 0)
FRAMES = {
    "pings": b"\x89\x80\0\0\0\0",
    "pongs": b"\x8a\x80\0\0\0\0",
    "parts": b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 100,
}
"""Of no content, as clients send them."""


@pytest.fixture
def process(tmp_path: Path) -> Generator[Process]:
    options = ("serve", "--port", "0", "--no-browser", "--max-connections", str(PLACES))
    with Process(tmp_path / "data", *options, program=REAL) as running:
        yield running


def memory(process: Process) -> float:
    """Resident memory of the server, in MB."""
    (line,) = [
        line
        for line in Path(f"/proc/{process.process.pid}/status").read_text("ascii").splitlines()
        if line.startswith("VmRSS")
    ]
    return int(line.split()[1]) / 1024


async def open_from(
    address: tuple[str, int], process: Process
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", process.port, local_addr=address)


async def push(writer: asyncio.StreamWriter, data: bytes, *, seconds: float) -> None:
    """Send as much of this as the server takes in this time."""
    with suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(seconds):
            for start in range(0, len(data), 65536):
                writer.write(data[start : start + 65536])
                await writer.drain()


async def is_answered(process: Process, address: tuple[str, int] = ("127.0.0.1", 0)) -> bool:
    """Whether a new visitor gets an answer."""
    reader, writer = await open_from(address, process)
    try:
        async with asyncio.timeout(PATIENCE):
            writer.write(REQUEST)
            return (await reader.readline()).startswith(b"HTTP/1.1 200")
    except ConnectionError:
        return False
    finally:
        writer.close()


async def round_trips(someone: Person, during: Awaitable[object]) -> float:
    """Return the time within which nine of ten messages are answered while something else goes on."""
    task, found = asyncio.ensure_future(during), list[float]()
    while not task.done():
        began = time.perf_counter()
        await someone.tell(type="ping")
        found.append(time.perf_counter() - began)
        await asyncio.sleep(0.08)  # Fifteen a second are allowed.
    await task
    return sorted(found)[len(found) * 9 // 10]


async def check_round_trips(someone: Person, flood: Awaitable[object]) -> None:
    calm = await round_trips(someone, asyncio.sleep(1))
    assert await round_trips(someone, flood) < calm + SLOWEST


def test_pipelined_requests_whose_answers_nobody_reads_cost_little_memory(process: Process) -> None:
    async def test() -> None:
        host = Host(process.url)
        async with person(host) as ada:
            before = memory(process)
            reader, writer = await open_from(ATTACKER, process)
            flood = push(writer, REQUEST * (SENT // len(REQUEST)), seconds=4)
            await check_round_trips(ada, flood)
            assert memory(process) - before < MOST_GROWTH
            writer.transport.abort()
            del reader
            async with asyncio.timeout(PATIENCE):
                while memory(process) - before > MOST_GROWTH / 2:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)

    asyncio.run(test())


async def upgraded(someone: Person, process: Process) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A socket without a library."""
    reader, writer = await open_from(ATTACKER, process)
    lines = (
        "GET /socket?protocol=2 HTTP/1.1", f"Host: 127.0.0.1:{process.port}", f"Cookie: {someone.cookie}",
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "",
    )  # fmt: skip
    writer.write("\r\n".join(lines).encode())
    await reader.readuntil(b"\r\n\r\n")
    return reader, writer


@pytest.mark.parametrize("kind", FRAMES)
def test_a_flood_of_small_frames_does_not_slow_others_down(process: Process, kind: str) -> None:
    """The flooder opens another socket as soon as one is closed."""

    async def test() -> None:
        host = Host(process.url)

        async def flood() -> None:
            data = FRAMES[kind] * (1_000_000 // len(FRAMES[kind]))
            end = time.monotonic() + 3
            while time.monotonic() < end:
                with suppress(ConnectionError, asyncio.IncompleteReadError):
                    _, writer = await upgraded(bo, process)
                    await push(writer, data, seconds=end - time.monotonic())
                    writer.transport.abort()

        async with person(host) as ada, person(host, "Bo", is_connected=False) as bo:
            before = memory(process)
            await check_round_trips(ada, flood())
            assert memory(process) - before < MOST_GROWTH

    asyncio.run(test())


@asynccontextmanager
async def half_sent(process: Process, count: int) -> AsyncGenerator[list[asyncio.StreamWriter]]:
    async with AsyncExitStack() as stack:
        writers = list[asyncio.StreamWriter]()
        for _ in range(count):
            _, writer = await open_from(ATTACKER, process)
            stack.callback(writer.close)
            writer.write(HALF)
            writers.append(writer)
        yield writers


def test_half_sent_requests_of_one_address_keep_nobody_out(process: Process) -> None:
    async def test() -> None:
        host = Host(process.url)
        async with person(host) as ada, half_sent(process, PLACES + 20):
            assert await is_answered(process)
            assert await is_answered(process, ATTACKER)
            assert (await ada.tell(type="ping"))["type"] == "done"
            async with person(host, "Bo") as bo:
                assert (await bo.tell(type="ping"))["type"] == "done"

    asyncio.run(test())


def test_somebody_new_gets_in_while_one_address_opens_connections_again_and_again(process: Process) -> None:
    async def test() -> None:
        host = Host(process.url)

        async def storm() -> None:
            end = time.monotonic() + 3
            while time.monotonic() < end:
                with suppress(ConnectionError):
                    async with half_sent(process, PLACES):
                        pass

        async with person(host) as ada:
            task = asyncio.ensure_future(check_round_trips(ada, storm()))
            answered = 0
            while not task.done():
                assert await is_answered(process, (f"127.0.1.{answered % 250}", 0))
                answered += 1
            await task
            assert answered > 20

    asyncio.run(test())
