"""Attacks over WebSockets."""

import asyncio
import random
from functools import partial

import msgspec

from tests.attacks.client import CONTINUATION, PING, PONG, TEXT, Attacker, Link, frame, garbage
from tests.attacks.declaring import attack
from tests.server.harness import Json, any_action

MEGABIT = 125_000
"""Bytes a second."""
STEP = 0.02
"""Seconds between two pieces of a steady stream."""


async def stream(link: Link, frames: bytes, *, speed: float) -> None:
    """Send these frames again and again at so many bytes a second, and read all that comes."""
    piece = frames * max(1, round(speed * STEP / len(frames)))

    async def write() -> None:
        clock = asyncio.get_running_loop()
        due = clock.time()
        while True:
            await link.send(piece)
            due = max(due + len(piece) / speed, clock.time() - 1)
            await asyncio.sleep(due - clock.time())

    writing = asyncio.create_task(write())
    try:
        await link.read_all()
    finally:
        writing.cancel()


async def flood(eve: Attacker, frames: bytes, *, speed: float = 10 * MEGABIT, sockets: int = 1) -> None:
    cookies = [await eve.sign_up() for _ in range(min(sockets, 4))]

    async def attempt() -> None:
        async with await eve.socket(random.choice(cookies)) as link:
            await stream(link, frames, speed=speed)

    await eve.crowd(sockets, attempt)


@attack("10 Mbit/s of pings on one socket", "frames", "messages")
async def ping_flood(eve: Attacker) -> None:
    await flood(eve, frame(PING))


@attack("10 Mbit/s of pings with 125 bytes on each of four sockets", "frames", "messages")
async def long_pings(eve: Attacker) -> None:
    await flood(eve, frame(PING, b"x" * 125), sockets=4)


@attack("10 Mbit/s of pongs on one socket", "frames", "messages")
async def pong_flood(eve: Attacker) -> None:
    await flood(eve, frame(PONG))


@attack("pings on a socket that reads nothing", "frames", "messages")
async def unread_pongs(eve: Attacker) -> None:
    cookie = await eve.sign_up()

    async def attempt() -> None:
        async with await eve.socket(cookie, is_deaf=True) as link:
            piece = frame(PING, b"x" * 125) * 100
            while True:
                await link.send(piece)

    await eve.again(attempt)


@attack("10 Mbit/s of empty fragments of one message", "fragments", "frames", "messages")
async def empty_fragments(eve: Attacker) -> None:
    cookie = await eve.sign_up()

    async def attempt() -> None:
        async with await eve.socket(cookie) as link:
            await link.send(frame(TEXT, b"{", is_last=False))
            await stream(link, frame(CONTINUATION, is_last=False), speed=10 * MEGABIT)

    await eve.again(attempt)


@attack("messages of one byte, as many as fit, on four sockets", "messages")
async def tiny_messages(eve: Attacker) -> None:
    await flood(eve, frame(TEXT, b"1"), sockets=4)


@attack("invalid JSON of 2 KB on four sockets", "messages")
async def invalid_json(eve: Attacker) -> None:
    await flood(eve, frame(TEXT, b"[" * 2000), sockets=4)


@attack("messages of 16 KB on four sockets, 40 Mbit/s each", "messages")
async def big_messages(eve: Attacker) -> None:
    text = msgspec.json.encode(
        {"type": "act", "table": "A" * 12, "ply": 1, "actions": [{"do": "x" * 16_000}]}
    )
    await flood(eve, frame(TEXT, text), speed=40 * MEGABIT, sockets=4)


@attack("messages over the limit of size")
async def oversized_messages(eve: Attacker) -> None:
    await flood(eve, frame(TEXT, b"x" * 2**20), speed=100 * MEGABIT, sockets=2)


@attack("frames with random bytes")
async def random_frames(eve: Attacker) -> None:
    await flood(eve, garbage(20_000), sockets=4)


@attack("handshakes without a cookie, as fast as possible", "handshakes")
async def handshakes_of_nobody(eve: Attacker) -> None:
    async def attempt() -> None:
        while True:
            async with await eve.connect() as link:
                await link.upgrade()
                await link.hear()

    await eve.crowd(8, attempt)


@attack("handshakes with a cookie, as fast as possible", "handshakes")
async def handshakes(eve: Attacker) -> None:
    cookie = await eve.sign_up()

    async def attempt() -> None:
        while True:
            async with await eve.connect() as link:
                await link.upgrade(cookie)
                await link.hear()

    await eve.crowd(8, attempt)


async def open_table(eve: Attacker, cookie: str, **settings: object) -> Json:
    """A running game for one, unless the settings say otherwise."""
    wanted: Json = {"settings": {"players": 1} | settings, "sit": [0], "entropy": "eve"}
    wanted["start"] = settings.get("players", 1) == 1
    async with await eve.connect() as link:
        answer = await link.ask("POST", "/api/tables", wanted, Cookie=cookie)
    if answer.status != 201:
        raise ValueError(answer.status, answer.body)
    return msgspec.json.decode(answer.body)


async def repeated(eve: Attacker, cookie: str, texts: list[bytes]) -> None:
    """The same messages over and over on one socket, ten times as fast as the limit allows."""
    await eve.again(lambda: on_socket(eve, cookie, b"".join(frame(TEXT, text) for text in texts)))


async def on_socket(eve: Attacker, cookie: str, frames: bytes) -> None:
    async with await eve.socket(cookie) as link:
        await stream(link, frames, speed=50 * len(frames))


@attack("watch and unwatch of one table, 100 a second", "messages", "watch")
async def watch_flood(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    table = (await open_table(eve, cookie))["info"]["table"]
    texts = [msgspec.json.encode({"type": kind, "table": table}) for kind in ("watch", "unwatch")]
    await repeated(eve, cookie, texts)


@attack("follow of lobby and games, 50 a second on each of eight sockets", "messages")
async def follow_flood(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    follow = frame(TEXT, msgspec.json.encode({"type": "follow", "lobby": True, "games": True}))
    await eve.crowd(8, lambda: on_socket(eve, cookie, follow))


@attack("chat to a listed table that eight sockets watch", "chat", "messages")
async def chat_flood(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    table = (await open_table(eve, cookie, is_listed=True, players=2))["info"]["table"]
    watch = frame(TEXT, msgspec.json.encode({"type": "watch", "table": table}))
    say = frame(TEXT, msgspec.json.encode({"type": "say", "table": table, "text": "\N{GHOST}" * 300}))

    async def watching() -> None:
        async with await eve.socket(cookie) as link:
            await link.send(watch)
            await link.read_all()

    async def talking() -> None:
        async with await eve.socket(cookie) as link:
            await link.send(watch)
            await stream(link, say, speed=50 * len(say))

    await asyncio.gather(eve.crowd(8, watching), eve.again(talking))


async def play_alone(eve: Attacker, cookie: str, table: str) -> None:
    """A game at random, as fast as a connection may."""
    chance = random.Random(table)
    async with await eve.socket(cookie, protocol=1) as link:
        await link.say(type="watch", table=table)
        while True:
            message: Json = msgspec.json.decode(await link.hear())
            view = message.get("view")
            if view and view["phase"] != "over":
                await asyncio.sleep(0.07)
                action = any_action(view, chance)
                await link.say(type="act", table=table, ply=message["ply"], actions=[action])


@attack("20 sockets that watch eight busy tables each and read nothing")
async def deaf_watchers(eve: Attacker) -> None:
    cookies = [await eve.sign_up() for _ in range(12)]
    async with asyncio.TaskGroup() as group:
        watches = b""
        for cookie in cookies[:8]:
            table = (await open_table(eve, cookie, is_listed=True))["info"]["table"]
            watches += frame(TEXT, msgspec.json.encode({"type": "watch", "table": table}))
            group.create_task(eve.again(partial(play_alone, eve, cookie, table)))

        async def watch(cookie: str) -> None:
            async with await eve.socket(cookie, is_deaf=True) as link:
                while True:
                    await link.send(watches)
                    await asyncio.sleep(2)

        for cookie in cookies[8:]:
            group.create_task(eve.crowd(5, partial(watch, cookie)))


@attack("refused moves on 16 sockets, three times as fast as the limit", "messages")
async def refused_moves(eve: Attacker) -> None:
    cookies = [await eve.sign_up() for _ in range(4)]
    async with asyncio.TaskGroup() as group:
        for number in range(16):
            cookie = cookies[number % 4]
            opened = await open_table(eve, cookie)
            wrong = {
                "type": "act",
                "table": opened["info"]["table"],
                "ply": 9999,
                "actions": [{"do": "recover"}],
            }
            group.create_task(repeated(eve, cookie, [msgspec.json.encode(wrong)]))


@attack("a program with sockets that read nothing and watch", "program_sockets", "program_messages")
async def deaf_program(eve: Attacker) -> None:
    cookie = await eve.sign_up()
    async with await eve.connect() as link:
        made = await link.ask("POST", "/api/me/programs", {"name": "Eve's"}, Cookie=cookie)
    token = msgspec.json.decode(made.body)["token"]
    table = (await open_table(eve, cookie, is_listed=True, players=2))["info"]["table"]
    watch = frame(TEXT, msgspec.json.encode({"type": "watch", "table": table}))

    async def attempt() -> None:
        async with await eve.connect(is_deaf=True) as link:
            await link.upgrade(Authorization=f"Bearer {token}")
            while True:
                await link.send(watch)
                await asyncio.sleep(0.05)

    await eve.crowd(10, attempt)
