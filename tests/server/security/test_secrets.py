"""Secrets stay where they belong: an evening long, in the log, in answers, in messages and in figures."""

import io
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from tests.server.rest.scenario import FAILING, Evening, with_evening

OPENING = ("POST /api/tables", "POST /api/daily/", "POST /api/duplicates")


def told_in(answer: httpx.Response) -> str:
    """All of an answer as text, archives unpacked."""
    head = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
    if answer.headers.get("content-type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return head + "".join(archive.read(name).decode() for name in archive.namelist())
    return head + answer.text


def shown_in(text: str, secrets: set[str]) -> set[str]:
    return {secret for secret in secrets if secret in text}


def test_the_log_of_an_evening_holds_no_secret(tmp_path: Path, log: io.StringIO) -> None:
    async def test(past: Evening) -> None:
        secrets = past.keys | past.codes | past.tokens | past.entropy | {past.invitation, *past.cookies}
        secrets |= {*past.invites.values(), *past.secrets.values()}
        assert len(secrets) > 20
        said = log.getvalue()
        assert "request failed" in said
        assert f"GET {FAILING}" in said, "requests are logged"
        assert shown_in(said, secrets) == set()

    with_evening(test, tmp_path, access_log=True)


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    async def remember(past: Evening) -> Evening:
        return past

    return with_evening(remember, tmp_path_factory.mktemp("evening"))


def answers(past: Evening) -> Iterator[tuple[str, str | None, str]]:
    """What was asked for, by whom, and what was told."""
    for answer in past.host.answers:
        cookie = answer.request.headers.get("cookie", "").partition("=")[2]
        yield f"{answer.request.method} {answer.url.path}", past.cookies.get(cookie), told_in(answer)


def where(past: Evening, secret: str) -> set[str]:
    return {asked for asked, _, told in answers(past) if secret in told}


def test_keys_are_told_to_nobody(past: Evening) -> None:
    for secret in past.keys:
        assert where(past, secret) == set()
        assert not any(secret.encode() in raw for raw in past.host.messages)


def test_cookies_are_told_once_to_the_device_they_are_for(past: Evening) -> None:
    for cookie in past.cookies:
        told = [asked for asked, _, text in answers(past) if cookie in text]
        assert told in (["POST /api/me"], ["POST /api/sign-in"], ["POST /api/sign-in/phrase"])
        assert not any(cookie.encode() in raw for raw in past.host.messages)


def test_codes_are_told_to_who_asked(past: Evening) -> None:
    for code in past.codes:
        assert where(past, code) <= {"POST /api/me/codes", "POST /api/me/recovery"}
        assert not any(code.encode() in raw for raw in past.host.messages)
    assert any(where(past, code) for code in past.codes)


def test_tokens_are_told_once_to_who_made_them(past: Evening) -> None:
    assert len(past.tokens) == 2
    for token in past.tokens:
        ((asked, who),) = [(asked, who) for asked, who, told in answers(past) if token in told]
        assert asked.startswith("POST /api/me/programs")
        assert who == "Ada"
        assert not any(token.encode() in raw for raw in past.host.messages)


def test_the_invitation_is_told_to_the_host(past: Evening) -> None:
    assert where(past, past.invitation) == {"GET /api/host", "POST /api/host/invitation"}
    assert not any(past.invitation.encode() in raw for raw in past.host.messages)


def test_links_are_told_to_the_people_of_their_tables(past: Evening) -> None:
    for table, invite in past.invites.items():
        told = [(asked, who) for asked, who, text in answers(past) if invite in text]
        assert {who for _, who in told} <= {"Ada", "Bo"}
        assert all(
            asked == "POST /api/tables"
            or table in asked
            or asked.endswith("/rematch")
            or (who == "Bo" and " /api/duplicates" in asked)  # who set it up
            for asked, who in told
        )
        heard = [one.name for one in past.host.people if any(invite.encode() in raw for raw in one.received)]
        assert set(heard) <= {"entropy-of-Ada", "entropy-of-Bo"}
    assert all(where(past, invite) for invite in past.invites.values())


def test_the_secret_of_a_game_is_published_when_it_is_over_and_not_before(past: Evening) -> None:
    (over,) = past.ended
    assert len(past.secrets) > 3
    for table, secret in past.secrets.items():
        allowed = {f"GET /api/tables/{over}/record", "GET /api/me/records", "GET /api/host/export"}
        assert where(past, secret) == (allowed if table == over else set())
        committed = where(past, sha256(bytes.fromhex(secret)).hexdigest())
        assert any(asked.startswith(OPENING) for asked in committed), "its commitment"
        assert not any(secret.encode() in raw for raw in past.host.messages)
