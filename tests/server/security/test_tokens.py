"""Tokens are compared in a time that tells nothing: one function decides, whatever it is asked about."""

import hmac
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from royalcrypt.live.access import is_invited
from tests.server.harness import Host, Person, person, with_server
from tests.server.security.raw import ask


class Judge:
    """In the place of ``hmac.compare_digest``: notes what it is asked, and may decide otherwise."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, object]] = []
        self.verdict: bool | None = None
        self._fair = hmac.compare_digest

    def __call__(self, one: str | bytes, other: str | bytes) -> bool:
        self.asked.append((one, other))
        if self.verdict is not None:
            return self.verdict
        return self._fair(one, other)  # type: ignore[arg-type]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Judge]:
    judge = Judge()
    monkeypatch.setattr(hmac, "compare_digest", judge)
    yield judge
    judge.verdict = None


async def by_invite(host: Host, ada: Person, bo: Person, *, is_right: bool) -> int:
    opened = await ada.open_table()
    invite = opened["you"]["invite"] if is_right else "x" * 16
    path = f"/api/tables/{opened['info']['table']}"
    return (await bo.http.get(path, headers={"X-Table-Invite": invite})).status_code


async def by_admin_token(host: Host, ada: Person, bo: Person, *, is_right: bool) -> int:
    token = host.service.keys.admin_token() if is_right else "x" * 43
    return (await bo.http.get("/api/host", headers={"Authorization": f"Bearer {token}"})).status_code


async def by_invitation(host: Host, ada: Person, bo: Person, *, is_right: bool) -> int:
    await host.service.host_rules.set_invite_only(is_invite_only=True)
    invitation = host.service.host_rules.invitation() if is_right else "x" * 32
    async with host.client() as http:
        answer = await http.post("/api/me", json={"name": "Cy", "invitation": invitation})
    return answer.status_code


TOKENS: dict[str, tuple[Callable[..., Awaitable[int]], int, int]] = {
    "a table's link": (by_invite, 200, 404),
    "the host's link": (by_admin_token, 200, 401),
    "the invitation": (by_invitation, 201, 403),
}


@pytest.mark.parametrize(("asked", "welcome", "refused"), TOKENS.values(), ids=TOKENS)
def test_the_comparison_in_constant_time_is_what_decides(
    asked: Callable[..., Awaitable[int]], welcome: int, refused: int, tmp_path: Path, judge: Judge
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo:
            for one in (ada, bo):
                await one.ask("GET", "/api/me")  # known from here on: cookies are judged alike
            assert await asked(host, ada, bo, is_right=True) == welcome
            assert await asked(host, ada, bo, is_right=False) == refused
            honest = len(judge.asked)
            assert honest
            judge.verdict = True
            assert await asked(host, ada, bo, is_right=False) == welcome
            assert len(judge.asked) > honest

    with_server(test, tmp_path)


def test_nothing_else_lets_the_right_token_in(tmp_path: Path, judge: Judge) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada, person(host, "Bo") as bo:
            table = await ada.open_table()
            private = await host.service.tables.table(table["info"]["table"])
            assert is_invited(private, private.invite)
            assert await bo.ask("GET", "/api/me") is not None
            judge.verdict = False
            assert not is_invited(private, private.invite)
            assert await by_admin_token(host, ada, bo, is_right=True) == 401
            assert await by_invitation(host, ada, bo, is_right=True) == 403
            assert await bo.ask("GET", "/api/me") is None  # so are the signatures of cookies judged

    with_server(test, tmp_path)


def test_tokens_are_compared_whole_however_long_the_guess(tmp_path: Path, judge: Judge) -> None:
    async def test(host: Host) -> None:
        token = host.service.keys.admin_token()
        for guess in ("", token[:-1], token + "x", token.swapcase(), "é" * 43):
            assert (await ask(host, "GET", "/api/host", Authorization=f"Bearer {guess}")).status == 401
            assert judge.asked[-1][0] == token.encode()

    with_server(test, tmp_path)
