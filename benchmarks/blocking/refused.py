"""The largest inputs that routes and sockets refuse."""

from collections.abc import Iterator

from benchmarks.blocking.visit import Ask, Visit
from royalcrypt.live.wire.commands import MAX_MESSAGE_LENGTH

LONGEST_HEAD = 60_000
"""Bytes of a header or a query; a head may have 64 KiB."""
MARK = "\u0301"
"""A combining mark, of which the text cleaning keeps three in a row."""


def refused_requests(route: str, longest: int, visit: Visit) -> Iterator[Ask]:
    """Yield the largest bodies, if the route reads one of up to ``longest`` bytes, and the largest heads."""
    method, _, pattern = route.partition(" ")
    one = visit.rich(0)
    path = pattern.format(
        table_id=one.over[0],
        seat=0,
        duplicate_id=one.duplicate,
        day="2000-01-01",
        person_id="nobody",
        program_id="nobody",
        file_path="nothing.html",
    )
    is_host = pattern.startswith("/api/host")
    who = visit.host if is_host else visit.other(59)
    for body in bodies(longest) if longest else ():
        yield Ask(method, path, body, who)
    for name, value in heads():
        yield Ask(method, path, headers={name: value})
    yield Ask(method, path + "?viewer=" + "9" * LONGEST_HEAD)
    yield Ask(method, path + "?" + "a=b&" * (LONGEST_HEAD // 4))


def bodies(longest: int) -> Iterator[bytes]:
    for unit in (b"[]", b'{"":{}}', b'"\\u0041"', b"1"):
        several = b"[" + b",".join([unit] * ((longest - 20) // (len(unit) + 1))) + b"]"
        yield several
        yield b'{"name":' + several + b"}"
    half = longest // 2
    yield b"[" * half + b"]" * half
    yield b'{"a":' * (longest // 6 - 1) + b"1" + b"}" * (longest // 6 - 1)
    yield b'{"name":' + b"1" * (longest - 9) + b"}"
    yield b'{"name":"' + ("e" + MARK).encode() * ((longest - 11) // 3) + b'"}'
    yield b'{"name":"' + MARK.encode() * ((longest - 11) // 2) + b'"}'
    yield b"x" * (longest + 1)


def heads() -> Iterator[tuple[str, str]]:
    most = LONGEST_HEAD
    yield "Cookie", "a=b; " * (most // 5)
    yield "Cookie", 'a="' + "\\" * most
    yield "Authorization", "Bearer " + "x" * most
    yield "Accept-Language", "en;q=0," * (most // 7)
    yield "Accept-Encoding", "gzip;q=0," * (most // 9)
    yield "Content-Type", "application/json;" + "a=b;" * (most // 4)
    yield "Origin", "http://" + "x" * most
    yield "X-Forwarded-For", "1.2.3.4, " * (most // 9)
    yield "If-None-Match", '"x", ' * (most // 5)


def refused_messages(table: str) -> list[bytes]:
    """The largest messages of a socket that are refused."""
    most = MAX_MESSAGE_LENGTH - 100
    named = b'{"id":7,"table":"' + table.encode() + b'",'
    return [
        b"[" * most,
        b"[" * (most // 2) + b"]" * (most // 2),
        b"[" + b",".join([b"[]"] * (most // 3)) + b"]",
        b"[" + b",".join([b'{"":{}}'] * (most // 8)) + b"]",
        b'{"id":' + b"1" * most + b"}",
        b'{"id":7,"type":"' + b"x" * most + b'"}',
        named + b'"type":"say","text":"' + MARK.encode() * (most // 2) + b'"}',
        b'{"id":7,"type":"watch","table":"' + b"x" * most + b'"}',
        named + b'"type":"act","ply":1,"actions":[' + b",".join([b'{"do":"claim"}'] * (most // 16)) + b"]}",
    ]
