"""One-time codes sign in one device once, soon, and for nobody but whoever asked for them."""

import asyncio
import hmac
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from royalcrypt.server.accounts.identities import CODE_CHARACTERS, CODE_LENGTH, CODE_MILLISECONDS
from tests.server.harness import Host, Json, Person, person, serving, with_server

CROWD = 100


async def redeem(host: Host, code: str) -> httpx.Response:
    async with host.client() as http:
        return await http.post("/api/sign-in", json={"code": code})


async def new_code(someone: Person, holding: str = "") -> str:
    """A code, with one of these signs in it."""
    while True:
        code = (await someone.post("/api/me/codes"))["code"]
        if not holding or set(holding) & set(code):
            return code


def test_a_code_is_ten_readable_signs(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            code = await new_code(ada)
            half = CODE_LENGTH // 2
            assert code[half] == "-"
            assert set(code[:half] + code[half + 1 :]) <= set(CODE_CHARACTERS)
            assert len(CODE_CHARACTERS) == 32
            assert not set(CODE_CHARACTERS) & set("ILOU")

    with_server(test, tmp_path)


def test_of_a_hundred_who_use_a_code_at_once_one_gets_in(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            code = await new_code(ada)
            answers = await asyncio.gather(*(redeem(host, code) for _ in range(CROWD)))
            assert Counter(answer.status_code for answer in answers) == {200: 1, 403: CROWD - 1}
            (winner,) = [answer for answer in answers if answer.status_code == 200]
            assert winner.json()["person"] == ada.id
            assert all("set-cookie" not in answer.headers for answer in answers if answer is not winner)
            assert await host.service.people.revoke_all(ada.id, 0) == 2

    with_server(test, tmp_path)


WRITTEN: tuple[Callable[[str], str], ...] = (
    str.lower,
    lambda code: code.replace("-", ""),
    lambda code: f" {code.replace('-', ' ')} ",
    lambda code: " - ".join(code.replace("-", "")),
    lambda code: code.replace("0", "O").replace("1", "I"),
    lambda code: code.replace("0", "o").replace("1", "l").lower(),
)


def test_a_code_is_read_as_people_write_it(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            for write in WRITTEN:
                answer = await redeem(host, write(await new_code(ada, holding="01")))
                assert answer.status_code == 200
                assert answer.json()["person"] == ada.id

    with_server(test, tmp_path)


def test_a_code_that_is_wrong_used_late_or_of_another_server_is_refused_alike(
    tmp_path: Path, monkeypatch: Any
) -> None:
    async def test(host: Host) -> None:
        async with (
            serving(tmp_path / "another") as another,
            person(host, is_connected=False) as ada,
            person(another, is_connected=False) as there,
        ):
            used, late, foreign = await new_code(ada), await new_code(ada), await new_code(there)
            await redeem(host, used)
            refusals: list[Json] = []
            for code in ("00000-00000", "%", "🔥" * 8, used, foreign):
                answer = await redeem(host, code)
                assert answer.status_code == 403, code
                refusals.append(answer.json())
            now = host.service.tables.now()
            monkeypatch.setattr(host.service.identities, "_now", lambda: now + CODE_MILLISECONDS + 1)
            refusals.append((await redeem(host, late)).json())
            assert all(refusal == refusals[0] for refusal in refusals)
            assert refusals[0]["code"] == "wrong_code"
            monkeypatch.undo()
            assert (await redeem(host, late)).status_code == 403
            assert await host.service.people.revoke_all(ada.id, 0) == 2

    with_server(test, tmp_path / "one")


def test_the_code_of_somebody_sent_away_opens_nothing(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada, host.client(headers=host.host_headers()) as boss:
            code = await new_code(ada)
            kick = f"/api/host/people/{ada.id}/kick"
            assert (await boss.put(kick, json={"on": True})).status_code == 204
            answer = await redeem(host, code)
            assert (answer.status_code, answer.json()["code"]) == (403, "banned")
            assert "set-cookie" not in answer.headers
            await ada.ask("POST", "/api/me/codes", status=403)
            assert (await boss.put(kick, json={"on": False})).status_code == 204
            assert (await redeem(host, code)).status_code == 403
            assert (await redeem(host, await new_code(ada))).status_code == 200
            assert await host.service.people.revoke_all(ada.id, 0) == 2

    with_server(test, tmp_path)


def test_only_a_keyed_digest_of_a_code_is_kept(tmp_path: Path) -> None:
    """So neither a stolen database nor the time that a look-up takes helps to guess one."""

    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            code = await new_code(ada)
            plain = code.replace("-", "")
            digest = hmac.digest(host.service.keys.derived("codes"), plain.encode(), "sha256")
            kept = b"".join(path.read_bytes() for path in host.service.settings.data.glob("royalcrypt.db*"))
            assert digest in kept
            assert plain.encode() not in kept
            assert code.encode() not in kept
            assert await host.service.people.redeem_code(digest, 0) == ada.id

    with_server(test, tmp_path)
