"""Heavy work that everybody shares is done in turn: nobody's flood keeps others waiting."""

import asyncio
import contextlib
import json
import math
import random
import time
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from royalcrypt.live.heavy_work import Requester
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.server.bots import analysis_process
from royalcrypt.server.bots.analysis_process import AnalysisJob, AnalysisProcess
from royalcrypt.server.fair_queue import PEOPLE_PER_STRANGER, FairQueue, Ticket
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import ANALYSIS_QUEUE, LINE_QUEUE, REPLAY_QUEUE, QueueLimit
from tests.server.harness import Host, people, person, play_on, seated, until, with_server
from tests.server.security.test_limits import at
from tests.server.test_analyses import NO_METRICS, READY, RECORD, a_record

WIDE = QueueLimit("wide", slots=1, waiting=1000, of_address=1000, of_requester=1000, seconds=7)
ADA = Requester("home", "ada")


class Log:
    """A queue with one slot; tells who gets it, in order."""

    def __init__(self, limit: QueueLimit = WIDE) -> None:
        self.counted: Counter[str] = Counter()
        self.queue = FairQueue(limit, Limiter(lambda name: self.counted.update([name])))
        self._busy = self.queue.enter(Requester("first", "first"))
        self._tickets: list[Ticket] = []

    def ask(self, *requesters: Requester) -> None:
        self._tickets += [self.queue.enter(one) for one in requesters]

    def serve(self, most: int = 1000) -> list[Requester]:
        """Give the slot on, so many times; tells to whom."""
        found: list[Requester] = []
        while len(found) < most and self._tickets:
            self.queue.leave(self._busy)
            (self._busy,) = [one for one in self._tickets if one.turn.done()]
            self._tickets.remove(self._busy)
            found.append(self._busy.requester)
        return found


def flood(people: int, address: str = "flood") -> list[Requester]:
    return [Requester(address, f"{address}-{number}") for number in range(people)]


def test_people_wait_for_one_slot_of_an_address_however_many_accounts_it_has() -> None:
    async def test() -> None:
        log = Log()
        log.ask(*flood(200), *flood(200, "other"), ADA)
        assert log.serve(3)[2] == ADA

    asyncio.run(test())


def test_people_come_before_strangers_who_do_not_wait_for_ever() -> None:
    async def test() -> None:
        stranger, log = Requester("library", None), Log()
        log.ask(stranger, *flood(100))
        assert log.serve(100).index(stranger) == PEOPLE_PER_STRANGER
        log.ask(*(Requester(f"10.0.0.{number}", None) for number in range(100)), ADA)
        assert ADA in log.serve(3)

    asyncio.run(test())


def test_every_requester_gets_a_turn() -> None:
    async def test() -> None:
        log = Log()
        everybody = [one for address in "abc" for one in (*flood(20, address), Requester(address, None))]
        log.ask(*everybody)
        assert Counter(log.serve()) == Counter(everybody)

    asyncio.run(test())


def test_whoever_waits_for_enough_is_told_when_to_come_back() -> None:
    async def test() -> None:
        log = Log(QueueLimit("short", slots=1, waiting=6, of_address=3, of_requester=2, seconds=7))
        asked = [ADA] * 3 + flood(4) + flood(3, "other")
        refused: list[Requester] = []
        for one in asked:
            with contextlib.suppress(Refusal):
                log.ask(one)
                continue
            refused.append(one)
        assert refused == [asked[2], asked[6], *asked[-2:]]
        with pytest.raises(Refusal) as error:
            log.ask(ADA)
        assert (error.value.reason, error.value.details) == (Reason.TOO_FAST, {"seconds": 7})
        assert log.counted == {"short_of_requester": 2, "short_of_address": 1, "short": 2}

    asyncio.run(test())


def test_whoever_leaves_while_waiting_or_just_when_called_takes_no_slot_along() -> None:
    async def test() -> None:
        queue = FairQueue(WIDE, NO_METRICS)

        async def work() -> None:
            async with queue.slot(ADA):
                await asyncio.sleep(0)

        chance = random.Random(1)
        for _ in range(100):
            tasks = [asyncio.create_task(work()) for _ in range(10)]
            for _ in range(chance.randrange(30)):
                if chance.random() < 0.4:
                    chance.choice(tasks).cancel()
                await asyncio.sleep(0)
            await asyncio.gather(*tasks, return_exceptions=True)
            assert (queue._free, queue._people.all()) == (1, [])

    asyncio.run(test())


def has_waiting(queue: FairQueue, people: int) -> bool:
    return len(queue._people.all()) == people


def expensive(_: str) -> bytes:
    time.sleep(0.3)
    return b"{}"


def test_an_analysis_starts_next_although_another_address_has_filled_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One address asks for all that it may, without and with accounts: a person's game is the second."""

    monkeypatch.setattr(analysis_process, "ABANDONED_SECONDS", math.inf)
    hers = Record.parse(RECORD).to_json()

    async def test(host: Host) -> None:
        done: list[str] = []

        class Noting(AnalysisProcess):
            def _finish(self, job: AnalysisJob, found: bytes | None) -> None:
                done.append(job.record)
                super()._finish(job, found)

        process = Noting(READY, host.service.limits, analyse=expensive, wait=0.01)
        host.service.operations.analyses.analyser = process
        async with person(host) as ada, at("127.0.0.2", host) as stranger:
            codes: set[str] = set()
            for number in range(12):
                answer = await stranger.post("/api/analysis", json=json.loads(a_record(number)))
                codes.add(answer.json()["code"])
                if answer.status_code == 429:
                    assert answer.headers["Retry-After"] == str(ANALYSIS_QUEUE.seconds)
                account = Requester("127.0.0.2", f"account {number}")
                with pytest.raises(Refusal):
                    await process.analyse(a_record(20 + number), account)
            assert codes == {"analysis_under_way", "too_fast"}
            before = len(done)
            answer = await ada.http.post("/api/analysis", json=RECORD)
            assert answer.json()["code"] == "analysis_under_way"
            await until(lambda: hers in done)
            assert done.index(hers) - before <= 2, "after the one under way and one more"
            await process.close()

    with_server(test, tmp_path)


def test_the_same_game_is_analysed_once_and_earlier_once_a_person_asks_for_it() -> None:
    async def test() -> None:
        process = AnalysisProcess(READY, NO_METRICS, analyse=expensive)

        def ask(seed: int, requester: Requester) -> asyncio.Task[bytes]:
            return asyncio.create_task(process.analyse(a_record(seed), requester))

        first, *others, last = [ask(seed, Requester(f"10.0.0.{seed}", None)) for seed in range(4)]
        await until(lambda: len(process._jobs) == 4)
        mine = ask(3, ADA)
        await first
        await asyncio.wait({mine, *others}, return_when=asyncio.FIRST_COMPLETED)
        assert mine.done()
        assert not any(other.done() for other in others)
        assert await mine == await last
        await asyncio.gather(*others)
        assert process._jobs == {}
        await until(lambda: process._queue._free == 1)

    asyncio.run(test())


def test_a_game_that_nobody_asks_for_any_more_is_not_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        process = AnalysisProcess(READY, NO_METRICS, analyse=expensive, wait=0.01)

        async def code_of(seed: int, requester: Requester) -> Reason:
            with pytest.raises(Refusal) as error:
                await process.analyse(a_record(seed), requester)
            return error.value.reason

        assert await code_of(1, Requester("other", None)) is Reason.ANALYSIS_UNDER_WAY
        assert await code_of(2, ADA) is Reason.ANALYSIS_UNDER_WAY
        assert await code_of(3, ADA) is Reason.TOO_FAST, "one waits already"
        monkeypatch.setattr(analysis_process, "ABANDONED_SECONDS", 0.0)
        assert await code_of(3, ADA) is Reason.ANALYSIS_UNDER_WAY, "in the place of the one given up"
        await until(lambda: not process._jobs)
        assert len(process._known) == 1, "the last was given up, too"

    asyncio.run(test())


def test_replays_and_lines_for_many_accounts_at_one_address_do_not_hold_up_others(tmp_path: Path) -> None:
    async def test(host: Host) -> None:
        async with people(host, 2) as (ada, bo):
            table = await seated([ada, bo], is_listed=True)
            await play_on([ada, bo], table, random.Random(1))
            line = {"move": 1, "seat": 0, "level": "random", "seed": 7}
            for limit, slots, asked in (
                (REPLAY_QUEUE, host.service.operations.replays._slots, ("GET", "replay", None)),
                (LINE_QUEUE, host.service.operations.lines._slots, ("POST", "line", line)),
            ):
                assert isinstance(slots, FairQueue)
                held = [slots.enter(one) for one in flood(limit.slots + limit.of_address)]
                with pytest.raises(Refusal):
                    slots.enter(Requester("flood", "one more"))
                method, path, body = asked
                request = ada.http.request(method, f"/api/tables/{table}/{path}", json=body)
                answer = asyncio.create_task(request)
                await until(partial(has_waiting, slots, limit.of_address + 1))
                for ticket in held[:2]:
                    slots.leave(ticket)
                assert (await answer).is_success, "two slots were given on: one to the flood"
                for ticket in held[2:]:
                    slots.leave(ticket)
                assert slots._free == limit.slots

    with_server(test, tmp_path)
