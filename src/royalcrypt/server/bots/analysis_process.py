"""Analysis of finished games in a worker process, one game at a time, with a cache of results."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from functools import partial

import structlog
from anyio import CapacityLimiter

from royalcrypt.bots.registry import can_compile
from royalcrypt.bots.warming import WarmUp
from royalcrypt.live.background import cancel_all
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay
from royalcrypt.server.bots.pool import run_in_process

ANALYSIS = "royalcrypt.lab.analysis"
"""Name of the analysis module, which must be compiled before use."""
ANALYSIS_TIMEOUT = 180.0
"""Seconds after which the process is killed; a four-player game takes about ten on an idle machine."""
REQUEST_TIMEOUT = 20.0
"""Seconds after which a waiting request is refused; the analysis continues and the client retries."""
MAX_QUEUED = 6
"""Maximum number of games that are queued or being analysed."""
MAX_CACHED = 200
"""Maximum number of cached analyses, of about 20 kB each."""
BUSY_SECONDS = 30
log = structlog.get_logger()


def analysis_of(record: str) -> bytes:
    """Analyse a record (JSON text); must run in a worker process, because it imports NumPy and Numba."""
    from royalcrypt.server.bots.graded_games import analysis_json  # noqa: PLC0415

    return analysis_json(Record.parse(record))


class AnalysisProcess:
    def __init__(
        self,
        warm_up: WarmUp,
        *,
        analyse: Callable[[str], bytes] = analysis_of,
        longest: float = ANALYSIS_TIMEOUT,
        wait: float = REQUEST_TIMEOUT,
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
        """Return the analysis as JSON; raises Refusal after a time-out, while the analysis continues."""
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
        await cancel_all(self._under_way.values())

    def refuse_until_ready(self) -> None:
        """Raise Refusal while the analysis is being compiled; call this before the rate limit is charged."""
        if self._is_available() and not self._warm_up.is_ready(ANALYSIS):
            raise Refusal(Reason.ANALYSIS_UNREADY)

    def _is_available(self) -> bool:
        return can_compile() and self._warm_up.may_be_ready(ANALYSIS)

    def _begin(self, digest: str, text: str) -> "asyncio.Task[bytes | None]":
        if not self._is_available():
            raise Refusal(Reason.NO_ANALYSIS)
        self.refuse_until_ready()
        if len(self._under_way) >= MAX_QUEUED:
            raise Refusal(Reason.TOO_FAST, seconds=BUSY_SECONDS)
        task = asyncio.create_task(self._run(digest, text))
        self._under_way[digest] = task
        return task

    async def _run(self, digest: str, text: str) -> bytes | None:
        try:
            async with self._turn:
                work = partial(self._analyse, text)
                found = await run_in_process(work, timeout=self._longest, processes=self._workers)
        except Exception as error:  # noqa: BLE001 (an analysis error must not stop the server)
            log.warning("analysis failed", error=type(error).__name__, why=str(error)[:200])
            return None
        finally:
            self._under_way.pop(digest, None)
        self._known[digest] = found
        if len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)
        return found


def checked(record: Record) -> str:
    """Return a record as text; raises Refusal unless it follows the rules and the game is over."""
    try:
        if not replay(record).is_over:
            raise Refusal(Reason.NOT_OVER)
    except RecursionError:  # nested more deeply than any record
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON") from None
    return record.to_json()
