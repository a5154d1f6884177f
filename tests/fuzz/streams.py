"""Bytes that no well-behaved client sends, as Hypothesis strategies: requests, chunked bodies, frames.

``{cookie}``, ``{host}`` and ``{table-here}`` stand for what is known only when they are sent.
"""

import re

import msgspec
from hypothesis import strategies as st

from tests.server.faults.storms import JSON, WELL_FORMED, Now, damaged

Draw = st.DrawFn
MUCH = re.compile(rb"<([^<>]+)>@([0-9]+)@")
"""Much of the same, shorter to print."""


def expanded(data: bytes) -> bytes:
    return MUCH.sub(lambda found: found[1] * int(found[2]), data)


METHODS = st.sampled_from(
    [b"GET"] * 6
    + [b"POST"] * 3
    + [b"HEAD", b"PUT", b"DELETE", b"OPTIONS", b"PATCH", b"TRACE", b"CONNECT"]
    + [b"get", b"G ET", b"\xff", b"", b"PRI", b"GET\0", b"M-SEARCH"]
)
PATHS = st.sampled_from(
    [b"/health"] * 4
    + [b"/api/me", b"/api/tables", b"/api/bots", b"/api/tables/{table-here}", b"/", b"/socket"] * 2
    + [
        b"*",
        b"http://elsewhere/health",
        b"/%00",
        b"//",
        b"/\xff\xfe",
        b"/" + b"a" * 300,
        b"/<b>@70000@",
    ]
    + [
        b"/health?\0=\n",
        b"/api/me?\xc3(",
        b"",
        b"elsewhere:443",
        b"/api/tables/%ed%a0%80aaaaaa",
        b"/health HTTP/1.1",
    ]
)
VERSIONS = st.sampled_from(
    [b" HTTP/1.1"] * 12 + [b" HTTP/1.0", b" HTTP/2.0", b" HTTP/9.9", b" HTTP/1.1\0", b"", b" ICE/1.0"]
)
HOST, COOKIE = b"Host: {host}", b"Cookie: {cookie}"
UPGRADE = (
    b"Connection: Upgrade",
    b"Upgrade: websocket",
    b"Sec-WebSocket-Version: 13",
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
FIELDS = (
    *(
        b"Content-Length: " + length
        for length in (b"0", b"2", b"5", b"-1", b"+5", b"5, 6", b"1e3", b"0x5", b"9" * 30, b"5 5", b"")
    ),
    *(
        b"Transfer-Encoding: " + coding
        for coding in (b"chunked", b"identity", b"chunked, chunked", b"xchunked", b"gzip", b"\x0bchunked")
    ),
    b"Transfer-Encoding : chunked",
    b"Connection: close",
    b"Connection: keep-alive",
    b"Connection: Upgrade, close",
    b"Expect: 100-continue",
    b"Expect: the worst",
    b"Content-Type: application/json",
    b"Content-Type: ;;=,\xff",
    b"Cookie: royalcrypt=\xff\0; a=b; ;;",
    b"Cookie: <c=d; >@3000@",
    b"Authorization: Bearer \xff\xfe",
    b"Authorization: Bearer",
    b"Origin: http://[::1",
    b"Origin: null",
    b"Upgrade: h2c",
    b"Upgrade: websocket",
    b"Sec-WebSocket-Protocol: royalcrypt, bearer.x",
    b"Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99",
    b"Sec-WebSocket-Version: 12",
    b"Sec-WebSocket-Key: short",
    b"X-Forwarded-For: \xff, 127.0.0.1",
    b"X-Forwarded-Proto: gopher",
    b"X-Table-Invite: " + b"i" * 70,
    b"Range: bytes=0-,-1,5-2",
    b"If-None-Match: *",
    b"Accept-Encoding: gzip;q=nan, br;q=-1",
    b"Accept-Language: \xff",
    b"X: <x>@70000@",
    b"no colon at all",
    b": no name",
    b" folded: line",
    b"nul\0: nul",
    b"Host: elsewhere",
    b"\r",
    b"\n",
    HOST,
    COOKIE,
    *UPGRADE,
)
BODIES = (
    *(
        b"",
        b"{}",
        b"hello",
        b'{"name":"Mallory"}',
        b"<[>@5000@",
        b"\xff\xfe",
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    ),
    *(
        b"5\r\nhello\r\n0\r\n\r\n",
        b"2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
        b"5\r\nhel",
        b"ffffffffffffffff\r\nx",
        b"-1\r\n\r\n",
    ),
    *(
        b"0\r\n\r\nGET /health HTTP/1.1\r\n\r\n",
        b'5;ext="\0"\r\nhello\r\n0\r\n\r\n',
        b"<1\r\na\r\n>@300@",
        b"\r\n\r\n",
        b"0\r\n<T: t\r\n>@5000@",
    ),
)


@st.composite
def requests(draw: Draw) -> bytes:
    start = draw(METHODS) + b" " + expanded(draw(PATHS)) + draw(VERSIONS)
    usual = [HOST] if draw(st.integers(0, 9)) else []
    fields = draw(st.just([COOKIE]) | st.lists(st.sampled_from(FIELDS), max_size=3))
    body = b"" if draw(st.booleans()) else expanded(draw(st.sampled_from(BODIES)))
    match draw(st.integers(0, 3)):
        case 0:
            fields.append(b"Content-Length: " + str(len(body)).encode())
        case 1:
            fields.append(b"Content-Length: " + str(draw(st.integers(0, 2 * len(body) + 9))).encode())
        case _:
            pass
    end = draw(st.sampled_from([b"\r\n\r\n"] * 9 + [b"\n\n", b"\r\n", b""]))
    return b"\r\n".join([start, *usual, *map(expanded, fields)]) + end + body


def sound(method: bytes, path: bytes, body: bytes = b"") -> bytes:
    kind = b"Content-Type: application/json"
    length = b"Content-Length: " + str(len(body)).encode()
    return (
        b"\r\n".join([method + b" " + path + b" HTTP/1.1", HOST, COOKIE, kind, length]) + b"\r\n\r\n" + body
    )


SOUND = st.sampled_from(
    [
        sound(b"GET", b"/health"),
        sound(b"HEAD", b"/api/bots"),
        sound(b"GET", b"/api/tables/{table-here}"),
        sound(b"GET", b"/api/tables/{table-here}/record"),
        sound(b"PATCH", b"/api/me", b'{"name":"Mallory"}'),
        sound(b"POST", b"/api/replay", b"{}"),
    ]
)
"""Requests in order."""


@st.composite
def handshakes(draw: Draw) -> bytes:
    """Of a socket; most are in order, others lack something, or come with a body."""
    fields = [HOST, COOKIE, *UPGRADE]
    if draw(st.integers(0, 3)) == 0:
        fields.remove(draw(st.sampled_from(fields)))
    fields += draw(st.lists(st.sampled_from(FIELDS), max_size=1))
    start = draw(
        st.sampled_from(
            [b"GET /socket HTTP/1.1"] * 6 + [b"POST /socket HTTP/1.1", b"GET /socket?protocol=9 HTTP/1.1"]
        )
    )
    after = draw(st.sampled_from([b""] * 6 + [b"hello", b"\x89\x80aaaa", b"GET /health HTTP/1.1\r\n\r\n"]))
    return b"\r\n".join([start, *map(expanded, fields)]) + b"\r\n\r\n" + after


GREETING = b"\r\n".join([b"GET /socket HTTP/1.1", HOST, COOKIE, *UPGRADE]) + b"\r\n\r\n"
TABLES = {Now.MINE: "{table-here}", Now.THEIRS: "a-private-table", Now.OVER: "never-was1"}
NUMBERS = {Now.PLY: 7, Now.BEFORE: 6, Now.AFTER: 8, Now.NUMBER: 9}


def written(template: object) -> bytes:
    """A command as it is sent."""
    return msgspec.json.encode(filled(template), enc_hook=str) if not is_huge(template) else b"{}"


def is_huge(template: object) -> bool:
    """Whether it has an integer that JSON of msgspec does not write."""
    match template:
        case dict():
            return any(map(is_huge, template.values()))  # pyright: ignore[reportUnknownArgumentType]
        case list():
            return any(map(is_huge, template))  # pyright: ignore[reportUnknownArgumentType]
        case int():
            return not -(2**63) <= template < 2**64
        case str():
            return any("\ud800" <= sign <= "\udfff" for sign in template)
        case _:
            return False


def filled(template: object) -> object:
    match template:
        case dict():
            return {str(name): filled(value) for name, value in template.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case list():
            return [filled(value) for value in template]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case Now():
            return TABLES.get(template) or NUMBERS[template]
        case _:
            return template


COMMANDS = (WELL_FORMED | damaged() | JSON).map(written)
WATCH = b'{"type":"watch","table":"{table-here}"}'
TEXTS = (
    COMMANDS
    | st.sampled_from(
        [
            WATCH,
            b'{"type":"ping","id":1}',
            b"\xff\xfe",
            b"\xed\xa0\x80",
            b"\xe2\x82",
            b"<x>@16385@",
            b"<{>@9000@",
            b"",
        ]
    )
).map(expanded)
CLOSE_CODES = st.sampled_from(
    [b"", b"\x03", b"\x03\xe8", b"\x03\xed", b"\xff\xff", b"\x03\xe8\xff", b"\x03\xe8" + b"r" * 130]
)
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def frame(
    opcode: int,
    payload: bytes,
    *,
    fin: bool = True,
    rsv: int = 0,
    masked: bool = True,
    length: int | None = None,
) -> bytes:
    """One frame; a ``length`` is announced instead of the true one, in eight bytes."""
    head = bytes([fin << 7 | rsv << 4 | opcode])
    size = len(payload)
    mask = masked << 7
    if length is not None:
        head += bytes([mask | 127]) + length.to_bytes(8)
    elif size < 126:
        head += bytes([mask | size])
    else:
        head += (
            bytes([mask | 126]) + size.to_bytes(2)
            if size < 1 << 16
            else bytes([mask | 127]) + size.to_bytes(8)
        )
    if not masked:
        return head + payload
    key = bytes(4) if b"{table-here}" in payload else b"\x5a\x00\xff\x81"
    return head + key + bytes(one ^ key[at % 4] for at, one in enumerate(payload))


@st.composite
def frames(draw: Draw) -> bytes:
    """Mostly a command in order; else anything that a frame can be and must not."""
    if draw(st.integers(0, 2)):
        return frame(TEXT, draw(TEXTS))
    opcode = draw(st.sampled_from([0, TEXT, BINARY, CLOSE, PING, PONG, 3, 7, 11, 15]))
    payload = draw(CLOSE_CODES if opcode == CLOSE else TEXTS | st.binary(max_size=200))
    return frame(
        opcode,
        payload,
        fin=bool(draw(st.integers(0, 4))),
        rsv=draw(st.sampled_from([0] * 6 + [1, 2, 4, 7])),
        masked=bool(draw(st.integers(0, 6))),
        length=draw(st.sampled_from([None] * 8 + [0, 3, 125, 16_385, 2**31, 2**63 - 1, 2**63, 2**64 - 1])),
    )


@st.composite
def fragments(draw: Draw) -> bytes:
    """A message in parts, with control frames between them; the last part may be missing."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    found = b""
    for at, part in enumerate(parts):
        is_last = at == len(parts) - 1 and bool(draw(st.integers(0, 4)))
        found += frame(0 if at else TEXT, part, fin=is_last)
        between = draw(
            st.sampled_from(
                [b""] * 3
                + [frame(PING, b"between"), frame(PONG, b""), frame(TEXT, b"{}"), frame(PING, b"", fin=False)]
            )
        )
        found += between
    return found


def pieces(data: bytes, cuts: list[float]) -> list[bytes]:
    """Data in several segments."""
    places = sorted({round(cut * len(data)) for cut in cuts})
    return [data[a:b] for a, b in zip([0, *places], [*places, len(data)], strict=True) if a < b]


CUTS = st.lists(st.floats(0, 1), max_size=3)
NOISE = st.binary(min_size=1, max_size=200)
