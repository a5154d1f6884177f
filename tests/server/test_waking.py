"""Bots that need compiled code: simpler ones answer for them until it is there, or for ever."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from royalcrypt import Game
from royalcrypt.bots.registry import COMPILED, PLAIN
from royalcrypt.bots.warming import WarmUp
from royalcrypt.server import service
from royalcrypt.server.bots.pool import BotRunner, choose_move
from tests.server.harness import Host, person, run, until, with_server

IMMUTABLE = "import time; time.sleep(600)"


class Listening(BotRunner):
    """Keeps who was asked; all of them play as greedy would."""

    def __init__(self, *unready: str) -> None:
        self.unready = set(unready)
        super().__init__(1, is_ready=lambda name: name not in self.unready)
        self.asked: list[str] = []

    async def _ask(self, name: str, packed: bytes) -> str:
        self.asked.append(name)
        return choose_move("greedy", packed, 1)


def test_the_strongest_that_is_ready_answers_for_one_that_is_not() -> None:
    async def test() -> None:
        view = Game.new(players=2, seed=1).view(0)
        for unready, asked in (
            ((), "heir"),
            (("heir",), "seer"),
            (("heir", "seer"), "greedy"),
            (("heir", "seer", "greedy"), "novice"),
        ):
            bot_runner = Listening(*unready)
            await bot_runner.choose("heir", view)
            assert bot_runner.asked == [asked]

    run(test())


def test_a_bot_is_asked_from_when_it_is_ready() -> None:
    async def test() -> None:
        view = Game.new(players=2, seed=1).view(0)
        bot_runner = Listening("seer", "guest")
        await bot_runner.choose("seer", view)
        await bot_runner.choose("guest", view)
        bot_runner.unready.clear()
        await bot_runner.choose("seer", view)
        await bot_runner.choose("guest", view)
        assert bot_runner.asked == ["greedy", [*COMPILED][-1], "seer", "guest"]

    run(test())


def test_without_a_warm_up_nobody_is_asked_who_would_be_compiled_first() -> None:
    async def test() -> None:
        view = Game.new(players=2, seed=1).view(0)
        await BotRunner(1, timeout=0.0).choose("seer", view)

    with capture_logs() as logged:
        run(test())
    assert [entry["bot"] for entry in logged] == ["greedy", "novice", "random"]


def compiling(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process says that would compile."""
    program = (sys.executable, "-c", says)
    monkeypatch.setattr(service, "WarmUp", partial(WarmUp, program=program))


def test_a_table_does_not_wait_for_the_compiler_and_a_server_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling(IMMUTABLE, monkeypatch)
    processes: list[Any] = []

    async def test(host: Host) -> None:
        warm_up = host.service.warm_up
        assert warm_up.is_under_way
        processes.append(warm_up._process)
        async with person(host) as ada:
            assert list(await ada.ask("GET", "/api/bots")) == [*PLAIN, *COMPILED]
            bots = [{"seat": 1, "level": "seer"}]
            opened = await ada.open_table(players=2, bots=bots, leader=1, start=True)
            await ada.watch(opened["info"]["table"])
            while ada.view["actor"] == 1:
                await ada.hear("update")

    with capture_logs() as logged:
        with_server(test, tmp_path, compiled_bots=True)
    (process,) = processes
    assert process.returncode is not None
    assert logged == []


def test_what_is_ready_and_what_never_will_be_is_logged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling("print('ready seer'); raise SystemExit('the disk is full')", monkeypatch)

    async def test(host: Host) -> None:
        warm_up = host.service.warm_up
        await until(lambda: not warm_up.is_under_way)
        assert warm_up.is_ready("seer")
        async with person(host) as ada:
            assert list(await ada.ask("GET", "/api/bots")) == [*PLAIN, "seer"]

    with capture_logs() as logged:
        with_server(test, tmp_path, compiled_bots=True)
    ready, failure = logged
    assert (ready["log_level"], ready["bot"]) == ("info", "seer")
    assert failure["log_level"] == "warning"
    assert failure["bots"].split(", ") == [name for name in COMPILED if name != "seer"]
    assert failure["why"] == "the disk is full (exit code 1)"


def test_where_compiled_bots_are_switched_off_nothing_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling("print('ready seer')", monkeypatch)

    async def test(host: Host) -> None:
        assert not host.service.warm_up.is_under_way
        assert not host.service.warm_up.is_ready("seer")
        async with person(host) as ada:
            assert "seer" not in list(await ada.ask("GET", "/api/bots"))

    with_server(test, tmp_path, compiled_bots=False)


def test_where_there_is_no_compiler_nothing_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "can_compile", lambda: False)

    async def test(host: Host) -> None:
        assert not host.service.warm_up.is_under_way

    with_server(test, tmp_path, compiled_bots=True)
