"""The log says what happened, to people or programs, and never a secret."""

import asyncio
import io
import json
import logging
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from royalcrypt.server.operations.logs import HIDDEN, configure_logs, is_secret, mask
from royalcrypt.server.settings import ServerSettings
from tests.server.processes import Process

PLANTED = "Xq7-planted_secret.value"
Tell = Callable[[Any], object]
LOGGERS = ("", "royalcrypt", "uvicorn", "uvicorn.error", "uvicorn.access")


@pytest.fixture(autouse=True)
def put_back() -> Generator[None]:
    kept = [(logger, logger.handlers, logger.level) for logger in map(logging.getLogger, LOGGERS)]
    yield
    structlog.reset_defaults()
    for logger, handlers, level in kept:
        logger.handlers = handlers
        logger.setLevel(level)


def logged(tell: Tell, **settings: Any) -> str:
    stream = io.StringIO()
    configure_logs(ServerSettings(data=Path(), **settings), stream)
    tell(structlog.get_logger("royalcrypt.tests"))
    return stream.getvalue()


def test_lines_for_people_are_keys_and_values() -> None:
    said = logged(lambda log: log.info("table opened", table="t1", seats=3))
    assert said.count("\n") == 1
    assert "[info     ] table opened" in said
    assert "seats=3 table=t1" in said


def test_lines_for_programs_are_json() -> None:
    def tell(log: Any) -> None:
        log.warning("bot failed", bot="greedy", why="Größe")
        logging.getLogger("uvicorn.error").warning("Something of the library")

    ours, theirs = map(json.loads, logged(tell, log_format="json").splitlines())
    assert ours.pop("timestamp").endswith("Z")
    assert ours == {"event": "bot failed", "level": "warning", "bot": "greedy", "why": "Größe"}
    assert theirs["event"] == "Something of the library"
    assert theirs["logger"] == "uvicorn.error"


def test_packages_without_structlog_say_as_much_and_no_secret() -> None:
    def tell(_: Any) -> None:
        extra = {"table": "t1", "ply": 3, "token": PLANTED}
        logging.getLogger("royalcrypt.live.registry").warning("table not refreshed", extra=extra)
        logging.getLogger("uvicorn.error").warning("Invalid.", extra={"websocket": "theirs"})

    ours, theirs = map(json.loads, logged(tell, log_format="json").splitlines())
    assert (ours["event"], ours["level"]) == ("table not refreshed", "warning")
    assert (ours["table"], ours["ply"], ours["token"]) == ("t1", 3, HIDDEN)
    assert "websocket" not in theirs


def test_only_what_is_important_enough_is_logged() -> None:
    def tell(log: Any) -> None:
        log.debug("one")
        log.info("two")
        log.warning("three")
        logging.getLogger("alembic.runtime").info("four")

    assert "one" in logged(tell, log_level="debug")
    assert "four" not in logged(tell, log_level="debug")
    assert "one" not in logged(tell)
    assert "two" in logged(tell)
    assert "two" not in logged(tell, log_level="warning")
    assert logged(tell, log_level="error") == ""


def fail(log: Any) -> None:
    cookie = PLANTED
    try:
        int(f"token={PLANTED}")
    except ValueError:
        log.exception("failed to bake a %s of %s", "cookie", len(cookie))


PLANTINGS: dict[str, Tell] = {
    "by name": lambda log: log.info(
        "in", cookie=PLANTED, Authorization=PLANTED, code=PLANTED, invite=PLANTED
    ),
    "by compound name": lambda log: log.info(
        "in",
        admin_token=PLANTED,
        csrf_tokens=[PLANTED],
        set_cookie=PLANTED,
        entropy=[PLANTED],
        secret=PLANTED,
    ),
    "nested": lambda log: log.info("in", scope={"a": [{"session": PLANTED}], b"cookie": PLANTED.encode()}),
    "headers": lambda log: log.info("in", headers=[(b"cookie", PLANTED.encode()), ["x-token", PLANTED]]),
    "query string": lambda log: log.info("in", query_string=PLANTED.encode(), path=f"/t/1?x={PLANTED}&y=2"),
    "fragment": lambda log: log.info("in", url=f"http://127.0.0.1:1/admin#{PLANTED}"),
    "deep": lambda log: log.info("in", a=[[[[[[[[{"b": PLANTED}]]]]]]]]),
    "in text": lambda log: log.info("sent token=%s and then", PLANTED),
    "in quoted text": lambda log: log.info("in", why=f"{{'code': '{PLANTED}', \"invite\": \"{PLANTED}\"}}"),
    "in a header": lambda log: log.info("Cookie: a=1; b=%s; c=%s", PLANTED, PLANTED),
    "in another header": lambda log: log.info("in", why=f"Authorization: Bearer {PLANTED}"),
    "in an exception": fail,
    "in an object": lambda log: log.info("in", value=ValueError(f"secret: {PLANTED}")),
    "bound": lambda log: log.bind(token=PLANTED).warning("in"),
    "by a library": lambda _: logging.getLogger("uvicorn.error").warning(
        '%s - "WebSocket %s" 403', "127.0.0.1:1", f"/socket?token={PLANTED}&x={PLANTED}"
    ),
    "by a library that fails": lambda _: fail(logging.getLogger("litestar")),
}


@pytest.mark.parametrize("log_format", ["console", "json"])
@pytest.mark.parametrize("planting", PLANTINGS.values(), ids=PLANTINGS)
def test_a_planted_secret_does_not_come_out(planting: Tell, log_format: str) -> None:
    said = logged(planting, log_format=log_format)
    assert PLANTED not in said
    assert said == "" or HIDDEN in said


def test_requests_are_logged_on_demand_without_their_queries() -> None:
    def tell(_: Any) -> None:
        asked = ("127.0.0.1:1", "GET", f"/t/1?code={PLANTED}", "1.1", 200)
        logging.getLogger("uvicorn.access").info('%s - "%s %s HTTP/%s" %d', *asked)

    assert logged(tell) == ""
    said = logged(tell, access_log=True)
    assert f'"GET /t/1?{HIDDEN} HTTP/1.1" 200' in said
    assert PLANTED not in said


def test_a_running_server_keeps_queries_and_cookies_to_itself(tmp_path: Path) -> None:
    options = ("serve", "--port", "0", "--access-log", "--log-level", "debug", "--log-format", "json")
    with Process(tmp_path / "data", *options) as server:
        server.get(f"/health?code={PLANTED}", Cookie=f"id={PLANTED}", Authorization=PLANTED)
        server.end()
        assert f"/health?{HIDDEN}" in server.complaints()
        assert PLANTED not in server.complaints()


def test_names_that_only_sound_secret_are_shown() -> None:
    assert not any(
        map(is_secret, ("status_code", "close_code", "table", "keyboard", "decoder", "tokens_left"))
    )
    assert all(map(is_secret, ("token", "Tokens", "x-csrf-token", "invite_code", "server.key", "Set-Cookie")))


def test_a_request_cut_off_because_the_server_ends_is_no_news() -> None:
    def tell(_: Any) -> None:
        cut_off = asyncio.CancelledError()
        logging.getLogger("uvicorn.error").error("Exception in ASGI application", exc_info=cut_off)

    assert logged(tell) == ""


def test_a_stranger_cannot_begin_a_line_of_the_log() -> None:
    for log_format in ("console", "json"):
        said = logged(
            lambda log: log.info("a\n2026 [info] b\x1b[31m", name="c\r\nd\x1b"), log_format=log_format
        )
        assert said.count("\n") == 1
        assert "\x1b" not in said


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just(object()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.binary(), inner) | st.tuples(inner, inner),
    max_leaves=10,
)


@given(st.text(), st.dictionaries(st.text(min_size=1).filter(lambda name: name != "event"), anything))
def test_anything_can_be_logged(words: str, values: dict[str, Any]) -> None:
    masked = mask(None, "info", {"event": words, **values})
    assert "\n" not in json.loads(json.dumps(masked, default=str))["event"]
