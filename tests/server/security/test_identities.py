"""Nobody takes over an identity: cookies cannot be made, planted, carried over or kept."""

import asyncio
from http.cookies import Morsel, SimpleCookie
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.server.accounts.identities import COOKIE_SECONDS, Caller
from royalcrypt.server.service import Service
from tests.server.harness import PATIENCE, Host, Person, person, serving, with_server
from tests.server.security.raw import ask

PUBLIC = "https://crypt.example"


def cookie_in(answer: httpx.Response) -> "Morsel[str]":
    (cookie,) = SimpleCookie(answer.headers["set-cookie"]).values()
    return cookie


async def status_with(host: Host, cookie: str) -> int:
    name = host.service.identities.cookie_name
    return (await ask(host, "GET", "/api/me/games", Cookie=f"{name}={cookie}")).status


def test_a_device_that_is_not_known_is_told_so_without_a_refusal(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, host.client() as newcomer:
            for cookie in ({}, {"Cookie": f"{host.service.identities.cookie_name}=forged"}):
                answer = await newcomer.get("/api/me", headers=cookie)
                assert (answer.status_code, answer.content) == (200, b"null")
                assert "set-cookie" not in answer.headers
            assert await ada.ask("GET", "/api/me") == {"person": ada.id, "name": "Ada", "is_muted": False}

    with_server(test, tmp_path)


def value_of(someone: Person) -> str:
    return someone.cookie.partition("=")[2]


async def signed_in(someone: Person, elsewhere: httpx.AsyncClient) -> httpx.Response:
    code = (await someone.post("/api/me/codes"))["code"]
    return await elsewhere.post("/api/sign-in", json={"code": code})


@pytest.mark.parametrize("public_url", [None, "http://crypt.example", PUBLIC])
def test_cookies_are_for_this_server_alone_and_not_for_scripts(
    tmp_path: Path, public_url: str | None
) -> None:
    async def test(host: Host) -> None:
        is_secure = public_url == PUBLIC
        async with host.client() as http, host.client() as elsewhere:
            begun = await http.post("/api/me", json={"name": "Ada"})
            own = cookie_in(begun)
            headers = {"Cookie": f"{own.key}={own.value}"}
            code = (await http.post("/api/me/codes", headers=headers)).json()["code"]
            again = await elsewhere.post("/api/sign-in", json={"code": code})
            gone = await http.delete("/api/me/device", headers=headers)
            for answer, lasts in ((begun, COOKIE_SECONDS), (again, COOKIE_SECONDS), (gone, 0)):
                cookie = cookie_in(answer)
                assert cookie["httponly"]
                assert cookie["samesite"].lower() == "lax"
                assert cookie["path"] == "/"
                assert cookie["domain"] == ""
                assert bool(cookie["secure"]) == is_secure
                assert cookie.key.startswith("__Host-") == is_secure
                assert int(cookie["max-age"]) == lasts
            assert cookie_in(gone).value == ""

    with_server(test, tmp_path, public_url=public_url)


def test_a_cookie_altered_anywhere_is_nobodys(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            value = value_of(ada)
            assert await status_with(host, value) == 200
            # The last sign holds bits that mean nothing, so it is left out.
            for place in range(len(value) - 1):
                other = "A" if value[place] != "A" else "B"
                assert await status_with(host, value[:place] + other + value[place + 1 :]) == 401, place
            for cut in (value[:-2], value[2:], value + value, value.rpartition(".")[0]):
                assert await status_with(host, cut) == 401, cut

    with_server(test, tmp_path)


def test_a_cookie_of_another_server_is_nobodys(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with (
            serving(tmp_path / "another") as another,
            person(host, is_connected=False) as here,
            person(another, is_connected=False) as there,
        ):
            assert host.service.identities.cookie_name != another.service.identities.cookie_name
            assert await status_with(host, value_of(there)) == 401
            assert await status_with(another, value_of(here)) == 401

    with_server(test, tmp_path / "one")


def test_a_good_signature_alone_makes_nobody_known(tmp_path: Path) -> None:
    """Even who could sign needs a device that the server knows to be that person's."""

    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, person(host, "Bo", is_connected=False) as bo:
            identities = host.service.identities
            known = {one.id: await identities.identify(value_of(one)) for one in (ada, bo)}
            mine, theirs = known[ada.id], known[bo.id]
            assert mine is not None
            assert theirs is not None
            assert await status_with(host, identities.cookie_for(mine)) == 200
            assert await status_with(host, identities.cookie_for(Caller(mine.person, theirs.device))) == 401
            assert await status_with(host, identities.cookie_for(Caller(mine.person, "made-up"))) == 401
            assert await status_with(host, identities._signer.dumps([ada.id])) == 401
            assert await status_with(host, identities._signer.dumps({"person": ada.id})) == 401

    with_server(test, tmp_path)


def test_a_cookie_planted_before_signing_in_gains_nothing(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        name = host.service.identities.cookie_name
        async with person(host, "Mallory", is_connected=False) as mallory, person(host) as ada:
            planted = value_of(mallory)
            async with host.client(cookies={name: "planted"}) as victim:
                begun = await victim.post("/api/me", json={"name": "Vic"})
                assert begun.status_code == 201
                assert cookie_in(begun).value != "planted"
                assert await status_with(host, "planted") == 401
            async with host.client(headers={"Cookie": f"{name}={planted}"}) as victim:
                answer = await signed_in(ada, victim)
                assert answer.json()["person"] == ada.id
                assert cookie_in(answer).value not in (planted, value_of(ada))
                assert (await mallory.ask("GET", "/api/me"))["person"] == mallory.id

    with_server(test, tmp_path)


def test_signing_in_always_gives_a_device_and_a_cookie_of_its_own(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, host.client() as phone, host.client() as tablet:
            cookies = {value_of(ada)}
            for elsewhere in (phone, tablet, phone):
                answer = await signed_in(ada, elsewhere)
                assert answer.json()["person"] == ada.id
                cookies.add(cookie_in(answer).value)
            assert len(cookies) == 4
            devices = [await host.service.identities.identify(cookie) for cookie in cookies]
            assert len({known.device for known in devices if known is not None}) == 4

    with_server(test, tmp_path)


def test_a_device_signed_out_is_out_everywhere_and_the_others_stay(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, host.client() as http:
            phone = Person(host, http, "Ada")
            await signed_in(ada, http)
            await phone.connect()
            kept = phone.cookie
            await phone.ask("DELETE", "/api/me/device", status=204)
            with pytest.raises(ConnectionClosed) as ended:
                await phone.hear("never")
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1008
            assert await status_with(host, kept.partition("=")[2]) == 401
            async with connect(host.socket_url, additional_headers={"Cookie": kept}) as socket:
                assert b"not_signed_in" in await socket.recv(decode=False)
            await ada.ask("GET", "/api/me", status=200)
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path)


async def kick(service: Service, who: str) -> None:
    """As the host does it, with nothing in between."""
    await service.people.update(who, is_banned=True)
    service.identities.forget(who)
    service.hub.disconnect(who)


def during(service: Service, who: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next time somebody is looked up, they are sent away after they were found."""
    find = service.people.find

    async def find_then_kick(wanted: str) -> Any:
        found = await find(wanted)
        monkeypatch.setattr(service.people, "find", find)
        await kick(service, who)
        return found

    monkeypatch.setattr(service.people, "find", find_then_kick)


def test_who_is_sent_away_while_being_recognised_is_not_remembered_as_welcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            host.service.identities.forget(ada.id)
            during(host.service, ada.id, monkeypatch)
            await ada.http.get("/api/me")  # was under way when it happened
            assert (await ada.ask("GET", "/api/me", status=403))["code"] == "banned"

    with_server(test, tmp_path)


def test_who_is_sent_away_while_coming_in_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            host.service.identities.forget(ada.id)
            during(host.service, ada.id, monkeypatch)
            headers = {"Cookie": ada.cookie}
            async with (
                asyncio.timeout(PATIENCE),
                connect(host.socket_url, additional_headers=headers) as socket,
            ):
                await socket.wait_closed()
                assert socket.close_code == 1008

    with_server(test, tmp_path)


def test_who_comes_in_while_the_database_falls_silent_is_asked_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        identities = host.service.identities
        identify = identities.identify
        looks = 0

        async def falling_silent(cookie: str | None) -> Caller | None:
            nonlocal looks
            looks += 1
            if looks > 1:
                raise Refusal(Reason.STORAGE_SILENT, why="gone")
            return await identify(cookie)

        async with person(host, is_connected=False) as ada:
            monkeypatch.setattr(identities, "identify", falling_silent)
            async with (
                asyncio.timeout(PATIENCE),
                connect(host.socket_url, additional_headers={"Cookie": ada.cookie}) as socket,
            ):
                await socket.wait_closed()
                assert socket.close_code == 1013

    with_server(test, tmp_path)
