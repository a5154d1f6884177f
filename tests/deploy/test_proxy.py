"""The proxy's configuration is one that nginx takes, and does what the server needs."""

import re
import ssl
import subprocess
import threading
from contextlib import closing
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

import pytest

from royalcrypt.server.http.replays import MAX_RECORD_SIZE
from royalcrypt.server.run import PING_SECONDS
from tests.deploy.proxy import TEMPLATES, VARIABLE, Proxy, make_certificate, one_by_one, prepare
from tests.deploy.shipped import PARTS

SITE = (TEMPLATES / "royalcrypt.conf.template").read_text("utf-8")
MAIN = (TEMPLATES / "nginx.conf.template").read_text("utf-8")
GIVEN = {name: text for name, text in PARTS["proxy"].environment.items() if name.startswith("PROXY_")}


def location(path: str) -> str:
    found = re.search(rf"location (?:= |\^~ )?{re.escape(path)} {{\n(.*?)\n    }}", SITE, re.DOTALL)
    assert found, path
    return found[1]


def value(text: str, name: str) -> str:
    found = re.search(rf"^\s*{name} (.*?);", text, re.MULTILINE)
    assert found, name
    return found[1]


def test_nginx_takes_it(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    variables = GIVEN | {
        "PROXY_SERVERS": one_by_one(GIVEN["PROXY_SERVERS"], [8642, 8643]),
        "PROXY_CERTIFICATE": str(certificate),
        "PROXY_CERTIFICATE_KEY": str(key),
    }
    proxy = Proxy(variables, PARTS["proxy"].command)
    with_nothing_running = proxy.verdict()
    proxy.__exit__()
    assert with_nothing_running.returncode == 0, with_nothing_running.stderr
    assert "[warn]" not in with_nothing_running.stderr.replace('[warn] the "user" directive', "")


def test_the_compose_file_says_all_that_the_templates_ask_for() -> None:
    assert set(GIVEN) == {*VARIABLE.findall(SITE), *VARIABLE.findall(MAIN)}


def test_sockets_are_passed_on_and_outlive_a_ping_or_two() -> None:
    assert value(SITE, "proxy_set_header Upgrade") == "$http_upgrade"
    assert value(SITE, "proxy_set_header Connection") == "$royalcrypt_connection"
    for name in ("proxy_read_timeout", "proxy_send_timeout"):
        assert int(value(location("/socket"), name).removesuffix("s")) >= 3 * PING_SECONDS


def test_nothing_is_packed_and_nobody_is_tied_to_a_server() -> None:
    """Sockets of one table are brought together, whoever's they are."""
    assert value(SITE, "gzip") == "off"
    assert not re.search(r"ip_hash|sticky|cookie|gzip on", SITE + MAIN)
    assert re.findall(r"\bhash .*;", SITE) == ["hash $arg_near;"]
    assert value(SITE, "proxy_next_upstream") == "error timeout"


def test_sockets_near_each_other_come_to_one_server_and_to_another_when_it_is_gone(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path)
    servers = [Namesake() for _ in range(3)]
    variables = GIVEN | {
        "PROXY_SERVERS": one_by_one(GIVEN["PROXY_SERVERS"], [server.server_port for server in servers]),
        "PROXY_CERTIFICATE": str(certificate),
        "PROXY_CERTIFICATE_KEY": str(key),
    }
    try:
        with Proxy(variables, PARTS["proxy"].command) as proxy:
            assert len({asked(proxy, "/socket") for _ in range(6)}) > 1, "nobody is tied to a server"
            near: dict[str, set[int]] = {
                key: {asked(proxy, f"/socket?near={key}") for _ in range(6)} for key in "abcdefgh"
            }
            assert {len(found) for found in near.values()} == {1}
            assert len({server for found in near.values() for server in found}) > 1, "tables are spread"
            (gone,) = near["a"]
            next(server for server in servers if server.server_port == gone).close()
            assert len({asked(proxy, "/socket?near=a") for _ in range(6)} - {gone}) == 1
    finally:
        for server in servers:
            server.close()


class Namesake(ThreadingHTTPServer):
    """Answers everything with its own port."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            port = str(cast("Namesake", self.server).server_port).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(port)))
            self.end_headers()
            self.wfile.write(port)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Nobody reads it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), self.Answers)
        self._serving = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})
        self._serving.start()

    def close(self) -> None:
        """Once more does no harm."""
        self.shutdown()
        self._serving.join()
        self.server_close()


def asked(proxy: Proxy, path: str) -> int:
    context = ssl.create_default_context(cafile=proxy.variables["PROXY_CERTIFICATE"])
    with closing(HTTPSConnection("localhost", proxy.port, context=context)) as connection:
        connection.request("GET", path)
        return int(connection.getresponse().read())


def test_records_fit_through_and_figures_do_not_get_out() -> None:
    assert value(SITE, "client_max_body_size") == "1m"
    assert MAX_RECORD_SIZE < 2**20
    assert location("/metrics").strip().startswith("return 404;")


def test_nothing_that_is_secret_is_logged() -> None:
    assert value(MAIN, "access_log") == "off"
    assert value(location("/mail/"), "error_log") == "/dev/null"


@pytest.mark.parametrize(("place", "port"), [("crypt.example.org", "443"), ("localhost:8443", "8443")])
def test_what_a_host_needs_is_prepared_once_and_for_their_eyes_only(
    place: str, port: str, tmp_path: Path
) -> None:
    assert prepare(tmp_path, place).count("Written") == 2
    made = (tmp_path / ".env").read_text("utf-8")
    assert f"\nPUBLIC_URL=https://{place}\n" in made
    assert f"\nHTTPS_PORT={port}\n" in made
    first, second = re.findall(r"^(?:POSTGRES|REDIS)_PASSWORD=([0-9a-f]{48})$", made, re.MULTILINE)
    assert first != second
    assert prepare(tmp_path, "other.example.org") == ""
    assert (tmp_path / ".env").read_text("utf-8") == made
    kept = [tmp_path / ".env", *(tmp_path / "deploy" / "certificates").iterdir()]
    assert [path.name for path in kept if path.stat().st_mode & 0o077] == []


def test_the_certificate_to_try_with_names_the_host(tmp_path: Path) -> None:
    certificate, key = make_certificate(tmp_path, "crypt.example.org:8443")
    ssl.create_default_context().load_cert_chain(certificate, key)
    asked = ["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", str(certificate)]
    names = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    assert "DNS:crypt.example.org, DNS:localhost, IP Address:127.0.0.1" in names


def test_the_proxy_may_open_as_many_files_as_it_has_connections() -> None:
    most = int(value(MAIN, "worker_rlimit_nofile"))
    assert most == PARTS["proxy"].given["ulimits"]["nofile"]
    assert most >= 2 * int(value(MAIN, "worker_connections"))
