"""Finished games are analysed in a process apart, one at a time; analyses are remembered for a while."""

import asyncio
import contextlib
import faulthandler
import hashlib
import sys
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

import structlog
from anyio import CapacityLimiter, fail_after, to_process

from royalcrypt.bots.registry import can_compile
from royalcrypt.bots.warming import WarmUp
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

ANALYSIS = "royalcrypt.lab.analysis"
"""The module that judges; it is compiled before it can, as bots are."""
LONGEST_ANALYSIS = 180.0
"""Seconds; games of four take some ten on an idle machine."""
LONGEST_WAIT = 20.0
"""Seconds for which one answer is waited for: then it is to be asked for again."""
MOST_WAITING = 6
"""Games that wait for their turn, or are being analysed."""
MOST_KEPT = 200
"""Analyses that are remembered, of some 20 kB each."""
BUSY_SECONDS = 30
log = structlog.get_logger()


class AnalysisFailed(Exception):  # noqa: N818 (told in the log)
    """In a worker process: what went wrong, in words that any process can read."""


def analysed(record: str) -> bytes:
    from royalcrypt.server.bots.graded_games import analysis_json  # noqa: PLC0415 (it needs NumPy and Numba)

    return analysis_json(Record.parse(record))


def in_worker(analyse: Callable[[str], bytes], longest: float, record: str) -> bytes:
    """What a worker process does; if the server is killed, nobody else would end it."""
    faulthandler.dump_traceback_later(longest, exit=True, file=sys.stderr)
    try:
        return analyse(record)
    except BaseException as error:  # noqa: BLE001 (an exit or interrupt would be carried out in the server)
        raise AnalysisFailed(f"{type(error).__name__}: {error}"[:200]) from None
    finally:
        faulthandler.cancel_dump_traceback_later()


class AnalysisProcess:
    def __init__(
        self,
        warm_up: WarmUp,
        *,
        analyse: Callable[[str], bytes] = analysed,
        longest: float = LONGEST_ANALYSIS,
        wait: float = LONGEST_WAIT,
    ) -> None:
        self._warm_up = warm_up
        self._analyse = analyse
        self._longest = longest
        self._wait = wait
        self._turn = asyncio.Semaphore(1)
        self._workers = CapacityLimiter(1)
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._under_way: dict[str, asyncio.Task[bytes | None]] = {}

    async def analyse(self, record: Record) -> bytes:
        """An analysis as JSON. While it takes longer than anybody waits, it is refused and goes on."""
        text = await asyncio.to_thread(checked, record)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest in self._known:
            self._known.move_to_end(digest)
            return self._known[digest]
        task = self._under_way.get(digest) or self._begin(digest, text)
        done, _ = await asyncio.wait({task}, timeout=self._wait)
        if not done:
            raise Refusal(Reason.ANALYSIS_UNDER_WAY)
        found = task.result()
        if found is None:
            raise Refusal(Reason.ANALYSIS_FAILED)
        return found

    async def close(self) -> None:
        """End what is under way."""
        tasks = list(self._under_way.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def refuse_until_ready(self) -> None:
        """While it is being made ready, which takes minutes on a new machine; to ask again is not counted."""
        if self._can_be_had() and not self._warm_up.is_ready(ANALYSIS):
            raise Refusal(Reason.ANALYSIS_UNREADY)

    def _can_be_had(self) -> bool:
        return can_compile() and self._warm_up.is_hopeful(ANALYSIS)

    def _begin(self, digest: str, text: str) -> "asyncio.Task[bytes | None]":
        if not self._can_be_had():
            raise Refusal(Reason.NO_ANALYSIS)
        self.refuse_until_ready()
        if len(self._under_way) >= MOST_WAITING:
            raise Refusal(Reason.TOO_FAST, seconds=BUSY_SECONDS)
        task = asyncio.create_task(self._work_out(digest, text))
        self._under_way[digest] = task
        return task

    async def _work_out(self, digest: str, text: str) -> bytes | None:
        try:
            async with self._turn:
                found = await self._ask(text)
        except Exception as error:  # noqa: BLE001 (whatever it was, the server goes on)
            log.warning("analysis failed", error=type(error).__name__, why=str(error)[:200])
            return None
        finally:
            self._under_way.pop(digest, None)
        self._known[digest] = found
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return found

    async def _ask(self, text: str) -> bytes:
        work = partial(in_worker, self._analyse, 2 * self._longest, text)
        with contextlib.suppress(KeyboardInterrupt), fail_after(self._longest):  # else the worker is killed
            return await to_process.run_sync(work, cancellable=True, limiter=self._workers)
        raise AnalysisFailed("the worker was interrupted")


def checked(record: Record) -> str:
    """The text of a record that follows the rules to the end of the game; refused otherwise."""
    try:
        if not replay(record).is_over:
            raise Refusal(Reason.NOT_OVER)
    except RecursionError:  # of what is nested deeper than any record
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    return record.to_json()
