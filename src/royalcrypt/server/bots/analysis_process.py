"""Analysis of finished games in a worker process, one game at a time, with a cache of results."""

import asyncio
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic

import structlog
from anyio import CapacityLimiter

from royalcrypt.bots.registry import can_compile
from royalcrypt.bots.warming import WarmUp
from royalcrypt.live.background import cancel_all
from royalcrypt.live.heavy_work import Requester
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.server.bots.pool import run_in_process
from royalcrypt.server.fair_queue import FairQueue, Ticket
from royalcrypt.server.limiter import Limiter
from royalcrypt.server.limits import ANALYSIS_QUEUE, ANALYSIS_REQUESTS

ANALYSIS = "royalcrypt.lab.analysis"
"""Name of the analysis module, which must be compiled before use."""
ANALYSIS_TIMEOUT = 180.0
"""Seconds after which the process is killed; a four-player game takes about ten on an idle machine."""
REQUEST_TIMEOUT = 20.0
"""Seconds after which a waiting request is refused; the analysis continues and the client retries."""
ABANDONED_SECONDS = 15.0
"""Seconds without a request after which a game that waits is dropped; clients ask again after two."""
MAX_CACHED = 200
"""Maximum number of cached analyses, of about 20 kB each."""
log = structlog.get_logger()


def analysis_of(record: str) -> bytes:
    """Analyse a record (JSON text); must run in a worker process, because it imports NumPy and Numba."""
    from royalcrypt.server.bots.graded_games import analysis_json  # noqa: PLC0415

    return analysis_json(Record.parse(record))


class AnalysisJob:
    """One game that is queued or being analysed, with the requests that wait for it."""

    def __init__(self, digest: str, record: str) -> None:
        self.digest = digest
        self.record = record
        self.result: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        """The analysis; None if it failed."""
        self.ticket: Ticket | None = None
        self.task: asyncio.Task[None] | None = None
        self._requests = 0
        self._asked = monotonic()

    @property
    def is_waiting(self) -> bool:
        return self.ticket is not None and not self.ticket.turn.done()

    @property
    def is_abandoned(self) -> bool:
        return self._requests == 0 and monotonic() - self._asked >= ABANDONED_SECONDS

    async def wait(self, seconds: float) -> None:
        """Wait until the result is there, or so many seconds."""
        self._requests += 1
        try:
            await asyncio.wait({self.result}, timeout=seconds)
        finally:
            self._requests -= 1
            self._asked = monotonic()


class AnalysisProcess:
    def __init__(
        self,
        warm_up: WarmUp,
        limits: Limiter,
        *,
        analyse: Callable[[str], bytes] = analysis_of,
        longest: float = ANALYSIS_TIMEOUT,
        wait: float = REQUEST_TIMEOUT,
    ) -> None:
        self._warm_up = warm_up
        self._queue = FairQueue(ANALYSIS_QUEUE, limits)
        self._analyse = analyse
        self._longest = longest
        self._wait = wait
        self._workers = CapacityLimiter(1)
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._jobs: dict[str, AnalysisJob] = {}
        self._limits = limits
        self._waiting: Counter[str] = Counter()
        """Number of requests of each address that wait for an analysis."""

    async def analyse(self, record: str, requester: Requester) -> bytes:
        """Return the analysis of a record as JSON; raises Refusal after a time-out, while it continues."""
        digest = hashlib.sha256(record.encode()).hexdigest()
        if digest in self._known:
            self._known.move_to_end(digest)
            return self._known[digest]
        job = self._jobs.get(digest) or self._begin(digest, record, requester)
        if job.is_waiting and requester.person is not None:
            self._advance(job, requester)
        if self._waiting[requester.address] < ANALYSIS_REQUESTS.most:
            self._waiting[requester.address] += 1
            try:
                await job.wait(self._wait)
            finally:
                self._waiting -= Counter((requester.address,))
        else:
            self._limits.count(ANALYSIS_REQUESTS)
            await job.wait(0)
        if not job.result.done():
            raise Refusal(Reason.ANALYSIS_UNDER_WAY)
        found = job.result.result()
        if found is None:
            raise Refusal(Reason.ANALYSIS_FAILED)
        return found

    async def close(self) -> None:
        """Give up all jobs; requests that wait for them are refused."""
        jobs = list(self._jobs.values())
        self._jobs.clear()
        await cancel_all([job.task for job in jobs if job.task is not None])
        for job in jobs:
            if not job.result.done():
                job.result.set_result(None)

    def refuse_until_ready(self) -> None:
        """Raise Refusal while the analysis is being compiled; call this before the rate limit is charged."""
        if self._is_available() and not self._warm_up.is_ready(ANALYSIS):
            raise Refusal(Reason.ANALYSIS_UNREADY)

    def _is_available(self) -> bool:
        return can_compile() and self._warm_up.may_be_ready(ANALYSIS)

    def _begin(self, digest: str, record: str, requester: Requester) -> AnalysisJob:
        if not self._is_available():
            raise Refusal(Reason.NO_ANALYSIS)
        self.refuse_until_ready()
        for job in list(self._jobs.values()):
            if job.is_waiting and job.is_abandoned:
                self._drop(job)
        job = AnalysisJob(digest, record)
        self._enter(job, requester)
        self._jobs[digest] = job
        return job

    def _enter(self, job: AnalysisJob, requester: Requester) -> None:
        """Queue a job, or raise Refusal; if it waits already, its place is given up for the new one."""
        ticket = self._queue.enter(requester)
        if job.task is not None:
            job.task.cancel()
        job.ticket = ticket
        job.task = asyncio.create_task(self._run(job, ticket))
        job.task.add_done_callback(lambda _: self._queue.leave(ticket))

    def _advance(self, job: AnalysisJob, requester: Requester) -> None:
        """Let a job that strangers asked for wait among those of people, if the person's place is free."""
        if job.ticket is not None and job.ticket.requester.person is None:
            with suppress(Refusal):
                self._enter(job, requester)

    def _drop(self, job: AnalysisJob) -> None:
        """Give up a job that waits, and its place at once."""
        del self._jobs[job.digest]
        if job.task is not None and job.ticket is not None:
            job.task.cancel()
            self._queue.leave(job.ticket)

    async def _run(self, job: AnalysisJob, ticket: Ticket) -> None:
        await ticket.turn
        if job.is_abandoned:
            del self._jobs[job.digest]
        else:
            self._finish(job, await self._compute(job.record))

    async def _compute(self, record: str) -> bytes | None:
        work = partial(self._analyse, record)
        try:
            return await run_in_process(work, timeout=self._longest, processes=self._workers)
        except Exception as error:  # noqa: BLE001 (an analysis error must not stop the server)
            log.warning("analysis failed", error=type(error).__name__, why=str(error)[:200])
            return None

    def _finish(self, job: AnalysisJob, found: bytes | None) -> None:
        del self._jobs[job.digest]
        job.result.set_result(found)
        if found is not None:
            self._known[job.digest] = found
        if len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)
