"""The page as it is handed out: packed where that is understood, kept by browsers while it stays the same."""

import gzip
from pathlib import Path

import pytest

from royalcrypt.server.http import static_files
from royalcrypt.server.http.static_files import negotiate, read_files
from tests.server.harness import Host, with_server


@pytest.fixture
def page(tmp_path: Path) -> Path:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<p>built</p>")
    (folder / "sw.js").write_text("keep()")
    (folder / "assets" / "app-1a2b.js").write_text("play()")
    (folder / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(b"play()"))
    (folder / "assets" / "app-1a2b.js.br").write_bytes(b"as brotli packs it")
    return folder


def test_the_built_page_hides_the_one_that_says_there_is_none(page: Path, tmp_path: Path) -> None:
    other = tmp_path / "pages"
    (other / "admin").mkdir(parents=True)
    (other / "index.html").write_text("none")
    (other / "admin" / "index.html").write_text("host")
    found = read_files(page, other)
    assert found["/index.html"].contents[""] == b"<p>built</p>"
    assert sorted(found) == ["/admin/index.html", "/assets/app-1a2b.js", "/index.html", "/sw.js"]


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("br;q=x", ""),
        ("deflate", ""),
        ("", ""),
        ("GZIP ; q=1", "gzip"),
    ],
)
def test_the_smallest_that_the_reader_understands_is_sent(page: Path, accepted: str, encoding: str) -> None:
    file = read_files(page)["/assets/app-1a2b.js"]
    assert negotiate(file, accepted) == (encoding, file.contents[encoding])


def test_what_has_a_digest_in_its_name_is_kept_for_ever_and_the_rest_is_asked_for_again(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "FILES", read_files(page))

    async def test(host: Host) -> None:
        async with host.client() as http:
            first = await http.get("/")
            assert (first.text, first.headers["cache-control"]) == ("<p>built</p>", "no-cache")
            assert first.headers["content-type"] == "text/html; charset=utf-8"
            again = await http.get("/", headers={"If-None-Match": first.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
            code = await http.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"})
            assert (code.text, code.headers["content-encoding"]) == ("play()", "gzip")
            assert "immutable" in code.headers["cache-control"]
            assert code.headers["vary"] == "Accept-Encoding"
            assert (await http.get("/assets/app-1a2b.js.gz")).status_code == 404
            assert "service-worker-allowed" not in code.headers
            worker = await http.get("/sw.js?language=pl")
            assert (worker.text, worker.headers["cache-control"]) == ("keep()", "no-cache")
            assert worker.headers["service-worker-allowed"] == "/"
            assert worker.headers["content-type"] == "text/javascript; charset=utf-8"

    with_server(test, tmp_path / "data")


def test_a_file_of_a_kind_nobody_expects_is_noticed_at_the_start(page: Path) -> None:
    (page / "notes.txt").write_text("?")
    with pytest.raises(KeyError):
        read_files(page)


SCREENS = {
    "/table/abc123/invitation": "/#/table/abc123/invitation",
    "/rules": "/#/rules",
    "//elsewhere.example/x": "/#/elsewhere.example/x",
    "/a%20b%0d%0aSet-Cookie:%20c": "/#/a%20b%0D%0ASet-Cookie%3A%20c",
}
NOTHING = (("/rules", "*/*"), ("/api/nowhere", "text/html"), ("/assets/gone-1a2b.js", "text/html"))


def test_who_reads_is_led_to_a_screen_whose_address_lost_its_sign_and_programs_to_nothing(
    tmp_path: Path,
) -> None:
    async def test(host: Host) -> None:
        async with host.client() as http:
            for asked, place in SCREENS.items():
                led = await http.get(host.url + asked, headers={"Accept": "text/html,*/*;q=0.8"})
                assert (led.status_code, led.headers["location"]) == (302, place)
                assert "set-cookie" not in led.headers
            for asked, accepted in NOTHING:
                told = await http.get(asked, headers={"Accept": accepted})
                assert (told.status_code, told.json()["code"]) == (404, "no_such_page")

    with_server(test, tmp_path / "data")
