"""Analyses: worked out in a process apart, waited for, remembered, and refused where they cannot be made."""

import asyncio
import json
import random
import time
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from royalcrypt import Game, Reason, Refusal
from royalcrypt.bots.warming import WarmUp
from royalcrypt.live.heavy_work import Requester
from royalcrypt.live.wire.finished_games import GameAnalysis
from royalcrypt.server.bots import analysis_process
from royalcrypt.server.bots.analysis_process import ANALYSIS, AnalysisProcess
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import ANALYSIS_QUEUE
from tests.golden.games import GAMES
from tests.golden.player import play_out
from tests.server.harness import PATIENCE, Host, Json, people, person, play_on, seated, until, with_server

RECORD: Json = json.loads(GAMES[1].path.read_text("utf-8"))
READY = WarmUp(())
NO_METRICS = Limiter(lambda _: None)
STRANGER = Requester("127.0.0.1", None)


def echo(record: str) -> bytes:
    """In place of an analysis, which takes seconds."""
    return json.dumps({"names": [seat["name"] for seat in json.loads(record)["game"]["seats"]]}).encode()


def slow(record: str) -> bytes:
    time.sleep(1.0)
    return echo(record)


def broken(_: str) -> bytes:
    raise SystemExit("no more")


@cache
def a_record(seed: int = 1) -> str:
    return play_out(Game.new(players=2, seed=seed), seed).record().to_json()


def test_a_golden_game_is_analysed_as_the_schema_says(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        host.service.operations.analyses.analyser = AnalysisProcess(READY, NO_METRICS, wait=100)
        async with host.client() as stranger:
            answer = await stranger.post("/api/analysis", json=RECORD, timeout=120)
            assert answer.status_code == 200, answer.text
            found = msgspec.json.decode(answer.content, type=GameAnalysis)
            game = Game.from_record(RECORD)
            assert [moment.move for moment in found.moments] == list(range(len(game.moves) + 1))
            assert {decision.move for decision in found.decisions} <= set(range(1, len(game.moves) + 1))
            for decision in found.decisions:
                assert decision.seat == game.moves[decision.move - 1][0]
            for split in found.wins:
                parts = split.decisions + split.dice + split.reveals + split.rivals + split.doubt
                assert split.expected + parts == pytest.approx(split.final, abs=1e-3)
            again = await stranger.post("/api/analysis", json=RECORD)
            assert again.content == answer.content

    with_server(test, tmp_path)


def test_a_finished_table_is_analysed_for_all_who_may_have_its_record(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        host.service.operations.analyses.analyser = AnalysisProcess(READY, NO_METRICS, analyse=echo)
        async with people(host, 2) as two, person(host, "Eve") as eve:
            table = await seated(two)
            path = f"/api/tables/{table}/analysis"
            await play_on(two, table, random.Random(0), most=4)
            assert (await two[0].ask("GET", path, status=409))["code"] == "not_over"
            await play_on(two, table, random.Random(0))
            assert (await eve.ask("GET", path, status=404))["code"] == "no_such_table"
            assert (await two[1].ask("GET", path))["names"] == ["Ada", "Bo"]

    with_server(test, tmp_path)


def test_bad_records_are_refused_before_they_cost_much(tmp_path: Path) -> None:
    unfinished = Game.new(players=2, seed=1).record().to_dict()
    deep: Any = json.loads('{"a":' * 900 + "1" + "}" * 900)
    bad: list[tuple[Json, int, str]] = [
        ({}, 400, "not_a_record"),
        (RECORD | {"version": 9}, 400, "wrong_version"),
        (RECORD | {"result": deep}, 400, "wrong_result"),
        (unfinished, 409, "not_over"),
        (Game.new(seed=1).record_for(0).to_dict(), 400, "viewers_record"),
    ]

    async def test(host: Host) -> None:
        host.service.operations.analyses.analyser = AnalysisProcess(READY, NO_METRICS, analyse=broken)
        async with host.client() as stranger:
            for record, status, code in bad:
                answer = await stranger.post("/api/analysis", json=record)
                assert (answer.status_code, answer.json()["code"]) == (status, code)
            boss = host.host_headers()
            await stranger.put("/api/host/rules", json={"is_invite_only": True}, headers=boss)
            assert (await stranger.post("/api/analysis", json=RECORD)).json()["code"] == "invite_only"

    with_server(test, tmp_path)


def test_whoever_asks_for_too_many_has_to_wait(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            statuses = [(await stranger.post("/api/analysis", json={})).status_code for _ in range(14)]
            assert (statuses[0], statuses[-1]) == (400, 429)

    with_server(test, tmp_path, rate_limits=True)


def test_where_nothing_is_compiled_there_is_no_analysis_or_it_comes_later(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with host.client() as stranger:
            answer = await stranger.post("/api/analysis", json=RECORD)
            assert (answer.status_code, answer.json()["code"]) == (409, "no_analysis")
            host.service.operations.analyses.analyser = AnalysisProcess(Hopeful((ANALYSIS,)), NO_METRICS)
            answer = await stranger.post("/api/analysis", json=RECORD)
            assert (answer.status_code, answer.json()["code"]) == (503, "analysis_unready")
            assert int(answer.headers["Retry-After"]) > 0

    with_server(test, tmp_path)


def test_asking_again_while_it_is_made_ready_is_not_counted(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        host.service.operations.analyses.analyser = AnalysisProcess(Hopeful((ANALYSIS,)), NO_METRICS)
        async with host.client() as stranger:
            codes = {(await stranger.post("/api/analysis", json=RECORD)).json()["code"] for _ in range(30)}
        assert codes == {"analysis_unready"}

    with_server(test, tmp_path, rate_limits=True)


class Hopeful(WarmUp):
    """Still at it."""

    @property
    def is_under_way(self) -> bool:
        return True


def refused(error: pytest.ExceptionInfo[Refusal], reason: Reason) -> bool:
    return error.value.reason is reason


def test_one_that_takes_long_goes_on_and_is_there_when_it_is_asked_for_again() -> None:
    async def test() -> None:
        one = AnalysisProcess(READY, NO_METRICS, analyse=slow, wait=0.05)
        with pytest.raises(Refusal) as error:
            await one.analyse(a_record(), STRANGER)
        assert refused(error, Reason.ANALYSIS_UNDER_WAY)
        await until(lambda: not one._jobs)
        found = await one.analyse(a_record(), STRANGER)
        assert json.loads(found)["names"] == ["Player 1", "Player 2"]
        await one.close()

    asyncio.run(test())


def test_one_that_fails_or_hangs_is_told_and_harms_nobody() -> None:
    async def test() -> None:
        for bad in (
            AnalysisProcess(READY, NO_METRICS, analyse=broken),
            AnalysisProcess(READY, NO_METRICS, analyse=slow, longest=0.01),
        ):
            with pytest.raises(Refusal) as error:
                await bad.analyse(a_record(), STRANGER)
            assert refused(error, Reason.ANALYSIS_FAILED)

    with capture_logs() as logged:
        asyncio.run(test())
    assert [entry["event"] for entry in logged] == ["analysis failed"] * 2
    assert "no more" in logged[0]["why"]


def test_only_so_many_wait_and_a_server_that_closes_waits_for_none() -> None:
    async def test() -> None:
        one = AnalysisProcess(READY, NO_METRICS, analyse=slow, wait=0.01)
        texts = [a_record() + " " * number for number in range(ANALYSIS_QUEUE.waiting + 1)]
        for number, text in enumerate(texts):
            with pytest.raises(Refusal) as error:
                await one.analyse(text, Requester(f"10.0.0.{number}", None))
            assert refused(error, Reason.ANALYSIS_UNDER_WAY)
        with pytest.raises(Refusal) as error:
            await one.analyse(a_record(9), Requester("10.0.1.0", "ada"))
        assert refused(error, Reason.TOO_FAST)
        assert error.value.details == {"seconds": ANALYSIS_QUEUE.seconds}
        one._wait = PATIENCE
        waiting = asyncio.create_task(one.analyse(texts[-1], STRANGER))
        await asyncio.sleep(0)
        await one.close()
        with pytest.raises(Refusal) as error:
            await waiting
        assert refused(error, Reason.ANALYSIS_FAILED)

    asyncio.run(test())


def test_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_process, "MAX_CACHED", 2)

    async def test() -> None:
        one = AnalysisProcess(READY, NO_METRICS, analyse=echo)
        for seed in (1, 2, 1, 3):
            await one.analyse(a_record(seed), STRANGER)
        assert len(one._known) == 2

    asyncio.run(test())
