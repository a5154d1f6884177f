"""What every answer tells the browser, whoever made it: a handler, the framework or the door."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from royalcrypt.server.http.security import HEADERS
from royalcrypt.server.http.static_files import FOLDERS
from tests.server.harness import Host, person, with_server
from tests.server.security.raw import ask

ANSWERS: dict[str, tuple[str, str, dict[str, str], int]] = {
    "a page": ("GET", "/", {}, 200),
    "a page without its content": ("HEAD", "/", {}, 200),
    "what methods a page has": ("OPTIONS", "/", {}, 204),
    "a page that is not there": ("GET", "/nowhere", {}, 404),
    "a wrong method on a page": ("POST", "/", {}, 405),
    "a method nobody needs": ("TRACE", "/api/me", {}, 405),
    "an answer": ("GET", "/api/bots", {}, 200),
    "an answer without its content": ("HEAD", "/api/bots", {}, 200),
    "a refusal": ("GET", "/api/me/games", {}, 401),
    "a wrong method": ("DELETE", "/api/bots", {}, 405),
    "nothing there": ("GET", "/api/nowhere", {}, 404),
    "no possible address": ("GET", "/api/%00", {}, 404),
    "another site": ("POST", "/api/me", {"Origin": "http://elsewhere.example"}, 403),
    "a body of another kind": ("POST", "/api/me", {"Content_Type": "text/plain"}, 415),
    "the host's part": ("GET", "/api/host", {}, 401),
    "a schema": ("GET", "/api/schema/openapi.json", {}, 200),
    "health": ("GET", "/health", {}, 200),
    "figures": ("GET", "/metrics", {}, 200),
    "the socket's address without a socket": ("GET", "/socket", {}, 405),
}


@pytest.mark.parametrize("public_url", [None, "https://crypt.example"])
def test_every_answer_has_every_header_and_none_says_what_runs_here(
    tmp_path: Path, public_url: str | None
) -> None:
    async def test(host: Host) -> None:
        for words, (method, path, headers, status) in ANSWERS.items():
            answer = await ask(host, method, path, b"{}" if method == "POST" else None, **headers)
            assert answer.status == status, words
            for name, value in HEADERS.items():
                assert answer.headers[name.lower()] == value, (words, name)
            assert ("strict-transport-security" in answer.headers) == (public_url is not None), words
            assert not {"server", "x-powered-by", "via"} & set(answer.headers), words
            assert not any(name.startswith("access-control-") for name in answer.headers), words
            if path.startswith("/api"):
                assert answer.headers["cache-control"] == "no-store", words

    with_server(test, tmp_path, public_url=public_url)


def test_the_policy_runs_no_script_but_our_own_files() -> None:
    parts = [part.split() for part in HEADERS["Content-Security-Policy"].split(";")]
    policy = {name: sources for name, *sources in parts}
    assert policy["default-src"] == ["'none'"]
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == ["'self'"]
    assert policy["worker-src"] == policy["manifest-src"] == ["'self'"]
    assert policy["frame-ancestors"] == policy["base-uri"] == ["'none'"]
    assert not re.search(r"unsafe|\*|https?:|nonce", HEADERS["Content-Security-Policy"])


class Inline(HTMLParser):
    """Collects what the policy forbids: a page with it would be broken."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._is_inside = tag in ("script", "style")
        self.found += [f"{tag} {name}" for name in given if name.startswith("on") or name == "style"]
        for name in ("src", "href", "action"):
            target = given.get(name) or ""
            if re.match(r"(?i)\s*(javascript:|data:text|https?:|//)", target) and tag != "a":
                self.found.append(f"{tag} {name}={target}")

    def handle_endtag(self, tag: str) -> None:
        self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._is_inside and data.strip():
            self.found.append(data)


def inline_in(text: str) -> list[str]:
    reader = Inline()
    reader.feed(text)
    return reader.found


def test_no_page_has_script_or_style_inside_or_from_elsewhere() -> None:
    pages = [page for folder in FOLDERS for page in folder.rglob("*.html")]
    assert pages
    for page in pages:
        assert inline_in(page.read_text("utf-8")) == [], page.name


@pytest.mark.parametrize(
    "planted",
    [
        "<script>alert(1)</script>",
        "<p onclick='x()'>",
        "<p style='color: red'>",
        "<script src='https://elsewhere.example/x.js'></script>",
        "<style>p { color: red }</style>",
    ],
)
def test_what_is_planted_in_a_page_would_be_found(planted: str) -> None:
    assert inline_in(f"<html><body>{planted}</body></html>")


def test_an_answer_without_its_content_says_how_long_it_would_be(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for path in ("/", "/api/me", "/api/bots"):
                whole, head = await ada.http.get(path), await ada.http.head(path)
                assert head.status_code == 200
                assert head.content == b""
                assert head.headers["content-length"] == whole.headers["content-length"]

    with_server(test, tmp_path)


METHODS = {
    "/api/me": {"DELETE", "GET", "OPTIONS", "PATCH", "POST"},
    "/api/me/device": {"DELETE", "OPTIONS"},
    "/api/tables": {"GET", "OPTIONS", "POST"},
    "/api/tables/never-was1/seats/0": {"DELETE", "OPTIONS", "POST"},
}


def test_nothing_is_changed_by_asking_what_methods_there_are(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for path, methods in METHODS.items():
                allowed = await ada.http.options(path)
                assert allowed.status_code == 204
                assert set(allowed.headers["allow"].split(", ")) == methods
                assert "content-type" not in allowed.headers
                refused = await ada.http.put(path)
                assert refused.status_code == 405
                assert set(refused.headers["allow"].split(", ")) == methods
            nowhere = await ada.http.options("/api/nowhere")
            assert (nowhere.status_code, nowhere.json()["code"]) == (404, "no_such_page")
            await ada.ask("GET", "/api/me", status=200)

    with_server(test, tmp_path)
