"""No other site acts in a visitor's name: neither by requests nor by sockets."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from royalcrypt.server.http.security import is_cross_site, origin_of
from tests.server.harness import Host, person, with_server
from tests.server.security.raw import ask, knock

LOCAL = "127.0.0.1:8642"
PUBLIC = "https://crypt.example"

OWN = {
    "the same": ("http://127.0.0.1:8642", LOCAL, None),
    "by the name of this machine": ("http://localhost:8642", "localhost:8642", None),
    "by IPv6": ("http://[::1]:8642", "[::1]:8642", None),
    "in upper case": ("HTTP://LOCALHOST:8642", "localhost:8642", None),
    "the usual port said once": ("http://crypt.example", "crypt.example:80", None),
    "behind a proxy that we do not know of": ("https://crypt.example", "crypt.example", None),
    "behind a proxy that names us": (PUBLIC, "crypt.example", PUBLIC),
    "behind a proxy that names itself": (PUBLIC, LOCAL, PUBLIC),
    "behind a proxy, the usual port said": (PUBLIC, LOCAL, PUBLIC + ":443"),
    "behind a proxy at another port": (PUBLIC + ":8443", LOCAL, PUBLIC + ":8443"),
    "behind a proxy in upper case": (PUBLIC, LOCAL, "https://CRYPT.example"),
    "beside a proxy": ("http://192.168.0.7:8642", "192.168.0.7:8642", PUBLIC),
}
FOREIGN = {
    "another name": ("http://elsewhere.example", LOCAL, None),
    "none at all": ("null", LOCAL, None),
    "another port": ("http://127.0.0.1:8643", LOCAL, None),
    "the usual port": ("http://127.0.0.1", LOCAL, None),
    "a part of the name": ("http://127.0.0.1:86421", LOCAL, None),
    "our name below another": ("http://127.0.0.1.elsewhere.example:8642", LOCAL, None),
    "a name below ours": ("https://evil.crypt.example", "crypt.example", PUBLIC),
    "our name as a person": ("http://127.0.0.1:8642@elsewhere.example", LOCAL, None),
    "another scheme": ("ftp://127.0.0.1:8642", LOCAL, None),
    "an extension": ("chrome-extension://127.0.0.1:8642", LOCAL, None),
    "a file": ("file://", LOCAL, None),
    "half an address": ("http://[", LOCAL, None),
    "no port that could be": ("http://127.0.0.1:99999", LOCAL, None),
    "no host": ("http://", LOCAL, None),
    "no host here either": ("http://", "", None),
    "signs that cannot be": ("http://\xff\xfe", LOCAL, None),
    "a local page, to the public": ("http://127.0.0.1:8642", "crypt.example", PUBLIC),
    "unencrypted, to the public": ("http://crypt.example", "crypt.example", PUBLIC),
    "unencrypted, at our own port": ("http://crypt.example:443", "crypt.example:443", PUBLIC),
    "the public at another port": (PUBLIC + ":444", "crypt.example", PUBLIC),
}


def asked_from(origin: str, host: str, public_url: str | None) -> bool:
    headers = {b"origin": origin.encode("latin-1"), b"host": host.encode("latin-1")}
    return is_cross_site(headers, public_url)


@pytest.mark.parametrize(("origin", "host", "public_url"), OWN.values(), ids=OWN)
def test_our_own_pages_are_no_strangers(origin: str, host: str, public_url: str | None) -> None:
    assert not asked_from(origin, host, public_url)


@pytest.mark.parametrize(("origin", "host", "public_url"), FOREIGN.values(), ids=FOREIGN)
def test_other_sites_are_strangers(origin: str, host: str, public_url: str | None) -> None:
    assert asked_from(origin, host, public_url)


def test_a_browser_that_says_whose_page_asks_is_believed() -> None:
    host = {b"host": LOCAL.encode(), b"origin": b"http://" + LOCAL.encode()}
    for site, is_strange in (
        (b"cross-site", True),
        (b"same-site", True),
        (b"same-origin", False),
        (b"none", False),
    ):
        assert is_cross_site(host | {b"sec-fetch-site": site}, None) == is_strange
        assert is_cross_site({b"host": LOCAL.encode(), b"sec-fetch-site": site}, None) == is_strange


def test_what_names_no_site_is_none() -> None:
    assert origin_of("null") is origin_of("") is origin_of("https:///x") is None
    assert origin_of("https://A.example") == ("https", "a.example", 443)


CHANGES = (
    ("POST", "/api/me", b'{"name": "Ada"}'),
    ("PATCH", "/api/me", b'{"name": "Ada"}'),
    ("DELETE", "/api/me/device", None),
    ("POST", "/api/me/codes", None),
    ("POST", "/api/sign-in", b'{"code": "0000-0000"}'),
    ("POST", "/api/tables", b"{}"),
    ("PUT", "/api/host/notice", b'{"text": "hello"}'),
    ("POST", "/", b""),
    ("TRACE", "/", None),
)


def test_nothing_is_changed_for_another_site_not_even_with_the_visitors_cookie(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            for method, path, body in CHANGES:
                for said in ({"Origin": "http://elsewhere.example"}, {"Sec_Fetch_Site": "cross-site"}):
                    credentials = {"Cookie": ada.cookie, **host.host_headers()}
                    answer = await ask(host, method, path, body, **credentials, **said)
                    assert (answer.status, answer.reason) == (403, "foreign_origin"), (method, path)
                    assert "set-cookie" not in answer.headers
            assert (await ada.ask("GET", "/api/me"))["name"] == "Ada"
            assert host.service.host_rules.notice == ""
            assert await host.service.journal.count_in_progress() == 0

    with_server(test, tmp_path)


def test_what_another_site_may_ask_for_it_cannot_read(tmp_path: Path) -> None:
    """Safe methods are answered, and no header lets the browser hand the answer over."""

    async def test(host: Host) -> None:
        async with person(host) as ada:
            for method in ("GET", "HEAD", "OPTIONS"):
                headers = {"Origin": "http://elsewhere.example", "Access_Control_Request_Method": "POST"}
                answer = await ask(host, method, "/api/me", None, Cookie=ada.cookie, **headers)
                assert answer.status in (200, 204)
                assert not any(name.startswith("access-control") for name in answer.headers)
                assert answer.headers["cross-origin-resource-policy"] == "same-origin"

    with_server(test, tmp_path)


@pytest.mark.parametrize("public_url", [None, PUBLIC])
def test_a_socket_opens_for_our_own_pages_only(tmp_path: Path, public_url: str | None) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            cookie = {"Cookie": ada.cookie}
            place = urlsplit(host.url)
            own = [host.url, f"HTTP://{place.netloc}", *([PUBLIC] if public_url else [])]
            strange = [
                "http://elsewhere.example",
                "null",
                "http://[",
                f"http://{place.hostname}",
                f"http://{place.hostname}:{(place.port or 0) + 1}",
                f"http://localhost:{place.port}",
                *([] if public_url else [PUBLIC]),
            ]
            for origin in own:
                assert (await knock(host, Origin=origin, **cookie)).status == 101, origin
            for origin in strange:
                answer = await knock(host, Origin=origin, **cookie)
                assert (answer.status, answer.body) == (403, b""), origin
            for site in ("cross-site", "same-site"):
                assert (await knock(host, Sec_Fetch_Site=site, **cookie)).status == 403
            assert (await knock(host, **cookie)).status == 101, "programs say no Origin"

    with_server(test, tmp_path, public_url=public_url)
