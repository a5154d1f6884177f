"""Requests that no browser makes: refused with a reason and without a trace of how things are inside."""

import asyncio
import contextlib
from pathlib import Path
from urllib.parse import urlsplit

from royalcrypt.server.limits import HEAD_BYTES
from tests.server.harness import PATIENCE, Host, person, with_server
from tests.server.security.raw import Answer, ask, send_bytes

NOWHERE = (
    "/../keys.py", "/../../etc/passwd", "/%2e%2e/%2e%2e/keys.py", "/..%2f..%2fkeys.py", "/.%2e/keys.py",
    "/..%5c..%5ckeys.py", "/%252e%252e/keys.py", "/....//keys.py", "/;/../keys.py",
    "/index.html/../../keys.py",
    "//etc/passwd", "///etc/passwd", "/%2fetc/passwd", "/etc/passwd", "/%00", "/index.html%00",
    "/index.html%00.txt", "/%ff%fe", "/.git/config", "/server.key", "/royalcrypt.db", "/" + "a" * 5000,
    "/" + "a" * 240, "/" + "%F0%9F%94%A5" * 60, "/" + "a/" * 2000, "/%c0%ae%c0%ae/keys.py",
    "/file:///etc/passwd", "/C:/Windows/win.ini", "/con", "/index.html.bak", "/__init__.py",
)  # fmt: skip


def is_clean(answer: Answer) -> bool:
    """Nothing of files, code or libraries is told."""
    told = answer.body.lower()
    return not any(
        word in told for word in (b"traceback", b".py", b"royalcrypt/", b"litestar", b"errno", b"root:")
    )


def test_no_path_leads_out_of_the_pages(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        for path in NOWHERE:
            answer = await ask(host, "GET", path)
            assert (answer.status, answer.reason) == (404, "no_such_page"), path
            assert is_clean(answer), path

    with_server(test, tmp_path)


JSON = b"application/json"
BODIES: dict[str, tuple[bytes, bytes, int]] = {
    "nothing": (JSON, b"", 400),
    "no JSON": (JSON, b"{", 400),
    "half a sign": (JSON, b'{"name": "\xff\xfe"}', 400),
    "half a surrogate": (JSON, b'{"name": "\\ud800"}', 400),
    "a list": (JSON, b"[]", 400),
    "null": (JSON, b"null", 400),
    "a number for a name": (JSON, b'{"name": 7}', 400),
    "a name too much": (JSON, b'{"name": "Ada", "is_host": true}', 400),
    "endless nesting": (JSON, b"[" * 16_000, 400),
    "endless nesting inside": (JSON, b'{"name": ' + b'{"a":' * 2500 + b"}" * 2500, 400),
    "a huge number": (JSON, b'{"name": 1' + b"0" * 9000 + b"}", 400),
    "nothing to be seen": (JSON, b'{"name": " \\u0000\\u202e "}', 400),
    "too long": (JSON, b'{"name": "' + b"a" * 16_384 + b'"}', 413),
    "a form": (b"application/x-www-form-urlencoded", b"name=Ada", 415),
    "JSON that says it is text": (b"text/plain", b'{"name": "Ada"}', 415),
    "JSON in a form": (b"text/plain;charset=application/json", b'{"name": "Ada"}', 415),
    "a message pack": (b"application/x-msgpack", b"\x81\xa4name\xa3Ada", 415),
    "no kind at all": (b"", b'{"name": "Ada"}', 415),
    "a kind that cannot be": (b"\xff/\xfe;;=,", b'{"name": "Ada"}', 415),
}


def test_a_body_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        for words, (kind, body, status) in BODIES.items():
            answer = await ask(host, "POST", "/api/me", body, Content_Type=kind.decode("latin-1"))
            assert answer.status == status, words
            assert answer.reason in ("not_a_message", "message_too_long", "wrong_name"), words
            assert is_clean(answer), words
        assert [one async for one in host.service.people.all()] == []

    with_server(test, tmp_path)


def test_a_body_that_is_too_long_is_refused_whether_it_says_so_or_not(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        start = b"POST /api/me HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        announced = await send_bytes(host, start + b"Content-Length: 99999999999\r\n\r\n{")
        chunk = b"1000\r\n" + b" " * 0x1000 + b"\r\n"
        unannounced = await send_bytes(
            host, start + b"Transfer-Encoding: chunked\r\n\r\n" + 5 * chunk + b"0\r\n\r\n"
        )
        for answer in (announced, unannounced):
            assert (answer.status, answer.reason) == (413, "message_too_long")

    with_server(test, tmp_path)


def test_a_head_without_end_is_cut_off(tmp_path: Path) -> None:
    """Or any stranger could fill the memory with one request."""

    async def flood(host: Host, start: bytes, more: bytes) -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(host.url).port)
        writer.write(start)
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 64 * HEAD_BYTES.most and not reader.at_eof():
                writer.write(more)
                await asyncio.wait_for(writer.drain(), PATIENCE)
                await asyncio.sleep(0)
                sent += len(more)
        writer.close()
        return sent

    async def test(host: Host) -> None:
        start = b"GET / HTTP/1.1\r\nHost: x\r\n"
        chunked = b"POST /api/me HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        for words, begin, more in (
            ("one header", start + b"X-Odd: ", b"a" * 4096),
            ("many headers", start, b"X-Odd: a\r\n" * 400),
            ("an address", b"GET /", b"a" * 4096),
            ("what follows a body", chunked, b"X-Odd: a\r\n" * 400),
        ):
            assert await flood(host, begin, more) < 32 * HEAD_BYTES.most, words
        await asyncio.sleep(0)
        answer = await send_bytes(host, start + b"X-Odd: " + b"a" * 2 * HEAD_BYTES.most)
        assert (answer.status, answer.body) == (400, b"Request too large.")
        assert (await ask(host, "GET", "/health", X_Long="a" * 8000)).status == 200

    with_server(test, tmp_path)


def test_of_a_key_given_twice_the_last_counts_as_in_browsers(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        answer = await ask(host, "POST", "/api/me", b'{"name": "Ada", "name": "Bo"}')
        assert answer.status == 201
        assert b'"name":"Bo"' in answer.body

    with_server(test, tmp_path)


SMUGGLED = {
    "two lengths": b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
    "a length and chunks": b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"Content-Length: -1\r\n\r\n",
    "a NUL in a header": b"X-Odd: a\0b\r\n\r\n",
    "a line feed alone": b"X-Odd: a\nX-More: b\r\n\r\n",
    "a header without a name": b": nothing\r\n\r\n",
    "a space before the colon": b"Content-Length : 2\r\n\r\n{}",
}


def test_a_request_that_can_be_read_in_two_ways_is_not_read_at_all(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        for words, rest in SMUGGLED.items():
            answer = await send_bytes(host, b"POST /api/me HTTP/1.1\r\nHost: x\r\n" + rest)
            assert answer.status == 400, words
            assert is_clean(answer), words
        assert [one async for one in host.service.people.all()] == []

    with_server(test, tmp_path)


HOSTS = (
    "",
    "elsewhere.example",
    "127.0.0.1:99999",
    "a:b:c@d/%",
    "[::1",
    "\xff\xfe",
    "x" * 9000,
    "a, b",
    "../x",
)


def test_an_odd_host_header_gains_nothing(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        for odd in HOSTS:
            answer = await ask(host, "GET", "/api/bots", Host=odd)
            assert answer.status in (200, 400), odd
            assert is_clean(answer), odd
            assert not odd or odd.encode("latin-1") not in answer.body, odd
            assert "location" not in answer.headers, odd

    with_server(test, tmp_path)


def test_odd_cookies_are_no_cookies(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        name = host.service.identities.cookie_name
        for odd in (
            "",
            "=",
            ";;;",
            "\xff=\xfe",
            name,
            f"{name}=",
            f"{name}=.",
            f"{name}=\xff",
            f"{name}={'A' * 9000}",
        ):
            answer = await ask(host, "GET", "/api/me/games", Cookie=odd)
            assert (answer.status, answer.reason) == (401, "not_signed_in"), odd

    with_server(test, tmp_path)


def test_odd_values_of_our_own_headers_are_refused_like_wrong_ones(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo", is_connected=False) as bo:
            table = (await ada.open_table())["info"]["table"]
            for odd in ("\xff\xfe", "a b", "'; --", "%00"):
                answer = await ask(host, "GET", f"/api/tables/{table}", Cookie=bo.cookie, X_Table_Invite=odd)
                assert (answer.status, answer.reason) == (404, "no_such_table"), odd
                answer = await ask(host, "GET", "/api/host", Authorization=f"Bearer {odd}")
                assert (answer.status, answer.reason) == (401, "not_host"), odd

    with_server(test, tmp_path)


def test_the_server_goes_on_after_all_of_this_at_once(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        odd = [
            b"\0" * 100,
            b"GET / HTTP/9.9\r\n\r\n",
            b"\x16\x03\x01\x02\x00",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ]
        answers = await asyncio.gather(*(send_bytes(host, data) for data in odd * 10), return_exceptions=True)
        assert all(isinstance(answer, Answer) and answer.status == 400 for answer in answers)
        assert (await ask(host, "GET", "/health")).status == 200

    with_server(test, tmp_path)
