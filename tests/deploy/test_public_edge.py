"""Both shipped proxies with a real server: TLS, whom they take somebody for, room for a class."""

import asyncio
import http.client
import re
import ssl
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from tests.attacks.campaign import limits_reached
from tests.attacks.client import Attacker, Target
from tests.attacks.routes import BehindHAProxy, Nginx
from tests.attacks.witness import Honest
from tests.deploy.haproxy import HAProxy
from tests.deploy.proxy import Proxy, make_certificate
from tests.server.harness import Host
from tests.server.processes import REAL, Process
from tests.services.processes import free_port

CLASS = 30
"""People behind one address."""


class Site(NamedTuple):
    target: Target
    proxy: Proxy | HAProxy
    server: Process

    def ask(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        with closing(
            http.client.HTTPSConnection("localhost", self.target.port, context=self.target.tls)
        ) as link:
            link.putrequest(method, path)
            for name, text in headers.items():
                link.putheader(name.replace("_", "-"), text)
            link.endheaders()
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()


@pytest.fixture(scope="module", params=(Nginx, BehindHAProxy), ids=lambda route: route.name)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    route: Nginx = request.param()
    certificate, key = make_certificate(folder)
    port = free_port()
    options = ("serve", "--port", str(port), "--metrics", "public", "--log-level", "warning")
    with (
        Process(folder / "data", *options, program=REAL, **route.settings()) as server,
        route.proxy(port, certificate, key) as proxy,
    ):
        yield Site(Target(route.port, str(certificate)), proxy, server)
        assert "Traceback" not in server.complaints()


def test_haproxy_takes_its_configuration(tmp_path: Path) -> None:
    haproxy = HAProxy([8642, 8643], *make_certificate(tmp_path))
    verdict = haproxy.verdict()
    haproxy.__exit__()
    assert verdict.returncode == 0, verdict.stderr
    assert "WARNING" not in verdict.stderr


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_old_versions_of_tls_are_refused(site: Site, version: ssl.TLSVersion) -> None:
    context = ssl.create_default_context(cafile=site.target.certificate)
    context.minimum_version = context.maximum_version = version
    context.set_ciphers("ALL:@SECLEVEL=0")
    with (
        pytest.raises((ssl.SSLError, ConnectionError)),
        closing(http.client.HTTPSConnection("localhost", site.target.port, context=context)) as link,
    ):
        link.connect()


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_present_versions_of_tls_are_spoken(site: Site, version: ssl.TLSVersion) -> None:
    context = ssl.create_default_context(cafile=site.target.certificate)
    context.minimum_version = context.maximum_version = version
    with closing(http.client.HTTPSConnection("localhost", site.target.port, context=context)) as link:
        link.request("GET", "/health")
        assert link.getresponse().status == 200


def test_browsers_are_told_to_come_by_https_only(site: Site) -> None:
    status, headers, _ = site.ask("/")
    assert status == 200
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    with closing(http.client.HTTPConnection("localhost", site.proxy.http)) as link:
        link.request("GET", "/api/tables?near=1", headers={"Host": f"localhost:{site.target.port}"})
        answer = link.getresponse()
    assert answer.status == 308
    assert answer.headers["Location"] == f"{site.target.url}/api/tables?near=1"


def test_whoever_signs_up_gets_a_cookie_for_https_and_a_socket(site: Site) -> None:
    async def test() -> None:
        eve = Attacker(site.target, "127.0.3.1")
        cookie = await eve.sign_up()
        assert cookie.startswith("__Host-")
        async with await eve.socket(cookie) as link:
            assert b'"welcome"' in await link.hear()

    asyncio.run(test())


@pytest.mark.parametrize(
    "path",
    [
        "/metrics",
        "/metrics/",
        "//metrics",
        "/%6detrics",
        "/metrics%2f",
        "/./metrics",
        "/api/../metrics",
        "/metrics?x=1",
    ],
)
@pytest.mark.parametrize("headers", [{}, {"X_Forwarded_For": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"}])
def test_no_spelling_of_a_request_gets_at_the_metrics(site: Site, path: str, headers: dict[str, str]) -> None:
    """The server itself would show them to everybody here, as in the compose file."""
    _, _, body = site.ask(path, **headers)
    assert b"royalcrypt_" not in body


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("X_Forwarded_For", "127.0.4.1"),
        ("x_forwarded_for", "127.0.4.2"),
        ("Forwarded", "127.0.4.3"),
        ("X_Real_IP", "127.0.4.4"),
        ("X_Forwarded_For", "127.0.0.1"),  # a trusted one, as visitors may have behind some Docker networks
    ],
)
def test_nobody_evades_a_limit_by_naming_another_address(site: Site, name: str, source: str) -> None:
    async def test() -> list[int]:
        async with await Attacker(site.target, source).connect() as link:
            return [
                (await link.ask("POST", "/api/sign-in", {"code": "ABCD-EFGH"}, **{name: named})).status
                for named in (f"203.0.113.{number}, 127.0.0.1" for number in range(8))
            ]

    statuses = asyncio.run(test())
    assert statuses.count(429) == 3, statuses


def test_a_class_behind_one_address_loads_the_page_and_gets_its_sockets(tmp_path: Path) -> None:
    async def test(target: Target) -> None:
        page = re.compile(r'"(/assets/[^"]+)"')
        host = Host(f"https://localhost:{target.port}")

        async def arrive(stack: AsyncExitStack, number: int) -> None:
            way = httpx.AsyncHTTPTransport(
                local_address="127.0.5.1", verify=target.tls or False, limits=httpx.Limits(max_connections=6)
            )
            client = httpx.AsyncClient(base_url=host.url, transport=way, timeout=60)
            http = await stack.enter_async_context(client)
            someone = Honest(host, http, f"Pupil {number}", target.tls)
            files = page.findall((await http.get("/")).raise_for_status().text)
            answers = await asyncio.gather(*(http.get(path) for path in files * 3))
            assert {answer.status_code for answer in answers} == {200}
            await someone.post("/api/me", {"name": someone.name})
            await someone.arrive("127.0.5.1")
            stack.push_async_callback(someone.disconnect)
            assert (await someone.tell(type="ping"))["type"] == "done"

        async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
            for number in range(CLASS):
                group.create_task(arrive(stack, number))

    for kind in (Nginx, BehindHAProxy):
        route = kind()
        port = free_port()
        options = ("serve", "--port", str(port), "--no-rate-limits")
        with (
            Process(tmp_path / kind.name, *options, program=REAL, **route.settings()),
            route.to(port) as target,
        ):
            asyncio.run(test(target))
            assert limits_reached(port) == {}
