"""A mistake of ours is told to the log, and to nobody else."""

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import InternalServerException
from websockets.exceptions import ConnectionClosed, InvalidStatus

from royalcrypt.server import startup
from tests.server.harness import Host, person, with_server

INSIDE = "table_of_secrets_7"
CAUSES: dict[str, Exception] = {
    "any": RuntimeError(f"no {INSIDE}"),
    "the framework's": InternalServerException(f"no {INSIDE}"),
    "a group": ExceptionGroup(f"no {INSIDE}", [ValueError(INSIDE)]),
}


def failing(cause: Exception) -> Any:
    async def fail(*_: Any, **__: Any) -> Any:
        raise cause

    return fail


@pytest.mark.parametrize("cause", CAUSES.values(), ids=CAUSES)
def test_a_failed_request_shows_nothing_of_the_inside(
    cause: Exception, tmp_path: Path, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            monkeypatch.setattr(host.service.journal, "lobby", failing(cause))
            for accept in ("*/*", "text/html", "application/json"):
                answer = await ada.http.get("/api/tables", headers={"Accept": accept})
                assert answer.status_code == 500
                assert answer.json()["code"] == "server_failed"
                assert answer.json()["details"] == {}
                told = answer.text + str(answer.headers)
                assert not any(word in told for word in (INSIDE, "Traceback", ".py", "Error("))
                assert answer.headers["cache-control"] == "no-store"
                assert "content-security-policy" in answer.headers

    with_server(test, tmp_path)
    assert log.getvalue().count("request failed") == 3
    assert INSIDE in log.getvalue()
    assert "/api/tables" in log.getvalue()


def test_a_failed_message_shows_nothing_of_the_inside_and_the_talk_goes_on(
    tmp_path: Path, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host) as ada:
            monkeypatch.setattr(host.service.journal, "lobby", failing(CAUSES["any"]))
            answer = await ada.tell(type="follow", lobby=True)
            assert answer["reason"]["code"] == "server_failed"
            assert INSIDE not in str(answer)
            assert (await ada.tell(type="ping"))["type"] == "done"

    with_server(test, tmp_path)
    assert "message failed" in log.getvalue()
    assert INSIDE in log.getvalue()


def test_a_failed_greeting_ends_the_socket_without_a_word_of_the_inside(
    tmp_path: Path, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(host: Host) -> None:
        async with person(host, is_connected=False) as ada:
            monkeypatch.setattr(host.service.identities, "identify", failing(CAUSES["any"]))
            with pytest.raises((ConnectionClosed, InvalidStatus)) as ended:
                await ada.connect()
            assert INSIDE not in str(ended.value)

    with_server(test, tmp_path)
    assert "socket failed" in log.getvalue()
    assert INSIDE in log.getvalue()


def test_a_chore_that_fails_is_said_and_done_again(
    tmp_path: Path, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(startup, "TIDY_SECONDS", 0.01)

    async def test(host: Host) -> None:
        monkeypatch.setattr(host.service.people, "purge_codes", failing(CAUSES["any"]))
        for _ in range(2000):
            if log.getvalue().count("task failed") >= 2:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(log.getvalue())

    with_server(test, tmp_path)
    assert INSIDE in log.getvalue()
