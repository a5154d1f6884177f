"""Pools of worker processes for bots, so that a slow or broken bot does not delay the server."""

import asyncio
import faulthandler
import secrets
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Protocol, TypeVar

import structlog
from anyio import CapacityLimiter, fail_after, to_process

from royalcrypt.bots import Budget, bot_named
from royalcrypt.bots.registry import is_plain, simpler_than
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason
from royalcrypt.play.game import Game
from royalcrypt.play.rulings import IllegalAction, carry_out
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of

DEFAULT_SECONDS = 1.0
"""Time budget of a bot per move, in seconds."""
WHAT_IF_SECONDS = 0.3
"""Time budget per move in what-if lines, where several bots move one after the other."""
CHOICE_TIMEOUT = 10.0
"""Seconds for one move after which a bot's process is killed."""
HANG_PAUSE = 60.0
"""Seconds for which a bot that timed out repeatedly is paused, so that other bots get its processes."""
MAX_HANGS = 2
LAST_RESORT = "random"
MAX_REMOTE_TIMEOUTS = 2
"""Remote time-outs per move after which the move is computed in this process's own pool."""
LOCAL, REMOTE = "here", "elsewhere"
"""Label values of the bot-move metric: computed by a local or by a remote process."""
WARMUP_TIMEOUT = 60.0
MIN_WARMUP_SECONDS = 0.05
"""Minimum duration of a warm-up call, so that parallel calls reach different processes."""
REFRESH_SECONDS = 120.0
"""Seconds after which all processes are called again, because the pool ends idle processes."""
POLL_SECONDS = 0.5
Choice = Callable[[str, bytes, int], str]
"""Function that returns a move as text, given a bot's name, a packed view and a random seed."""
R = TypeVar("R")
log = structlog.get_logger()


class WorkerFailed(Exception):  # noqa: N818 (caused by the code that was run)
    """An exception in a worker process, carried as text so that every process can unpickle it."""


def in_worker(work: Callable[[], R], timeout: float) -> R:
    """Run ``work`` (called inside a worker process), and turn every exception into WorkerFailed."""
    # If the server is killed, nothing else would end a hanging worker process.
    faulthandler.dump_traceback_later(timeout, exit=True, file=sys.stderr)
    try:
        return work()
    except BaseException as error:  # noqa: BLE001 (an exit or interrupt would take effect in the server)
        raise WorkerFailed(f"{type(error).__name__}: {error}"[:200]) from None
    finally:
        faulthandler.cancel_dump_traceback_later()


async def run_in_process(work: Callable[[], R], *, timeout: float, processes: CapacityLimiter) -> R:  # noqa: ASYNC109
    """Run ``work`` in a worker process; after ``timeout`` seconds the process is killed: TimeoutError."""
    try:
        with fail_after(timeout):
            return await to_process.run_sync(
                in_worker, work, 2 * timeout, cancellable=True, limiter=processes
            )
    except KeyboardInterrupt:  # A Ctrl-C reaches the process as well, and anyio passes it on.
        raise WorkerFailed("the process was interrupted") from None


def choose_move(name: str, packed: bytes, seed: int, seconds: float = DEFAULT_SECONDS) -> str:
    return str(bot_named(name).choose(View.unpack(packed), Budget(seconds=seconds, seed=seed)))


def check(move: Move, view: View) -> None:
    """Raise IllegalAction if the view shows that a move is illegal or incomplete."""
    if not move.actions:
        raise IllegalAction(Reason.NOT_A_MOVE, text=str(move))
    known = copy_of(view.known)
    for action in move.actions:
        if known.actor != view.actor:
            raise IllegalAction(Reason.TURN_HAS_ENDED, text=str(action))
        for _ in carry_out(known, known.actor, action):
            pass


def attempts(level: str) -> list[str]:
    """Names of the bots to try in turn: the requested bot twice, then simpler ones."""
    return [level, level, *simpler_than(level)]


class BotPool:
    """Worker processes for bots; a bot that times out repeatedly is paused."""

    def __init__(self, processes: int) -> None:
        self._turns = CapacityLimiter(processes)
        self._processes = CapacityLimiter(processes)
        self._hangs: Counter[str] = Counter()
        """Consecutive time-outs of each bot."""
        self._paused_until: dict[str, float] = {}

    def is_paused(self, name: str) -> bool:
        return self._paused_until.get(name, 0.0) > time.monotonic()

    async def choose(
        self,
        choice: Choice,
        name: str,
        packed: bytes,
        seed: int,
        *,
        timeout: float,  # noqa: ASYNC109
    ) -> str | None:
        """Wait for a free process and return the bot's move as text; None if the bot is paused by then."""
        async with self._turns:
            if self.is_paused(name):
                return None
            work = partial(choice, name, packed, seed)
            try:
                answer = str(await run_in_process(work, timeout=timeout, processes=self._processes))
            except TimeoutError:
                self._hangs[name] += 1
                if self._hangs[name] >= MAX_HANGS:
                    self._paused_until[name] = time.monotonic() + HANG_PAUSE
                raise
            del self._hangs[name]
            return answer


class RemotePool(Protocol):
    """Interface to bot processes on other machines."""

    def has(self, name: str) -> bool: ...

    async def choose(self, name: str, packed: bytes, seed: int, seconds: float) -> str | None:
        """Return the bot's move as text, or None after a time-out; raises WorkerFailed if the bot failed."""
        ...


class BotRunner:
    """Computes bot moves, in remote processes if any are online and otherwise in local ones."""

    def __init__(
        self,
        processes: int,
        *,
        timeout: float = CHOICE_TIMEOUT,
        seconds: float = DEFAULT_SECONDS,
        choice: Choice | None = None,
        is_ready: Callable[[str], bool] = is_plain,
        remote: RemotePool | None = None,
        on_choice: Callable[[str], object] = lambda _: None,
    ) -> None:
        """``is_ready(name)`` is true for bots that are compiled; ``on_choice`` receives LOCAL or REMOTE."""
        self._pool = BotPool(processes)
        self._timeout = timeout
        self._seconds = seconds
        self._choice = choice or partial(choose_move, seconds=seconds)
        self._is_ready = is_ready
        self._remote = remote
        self._on_choice = on_choice
        self._used: set[str] = set()
        """Bots that have already been run in the local pool."""
        self._warmups: set[asyncio.Task[None]] = set()

    async def choose(self, level: str, view: View) -> Move:
        """Return a legal move for the view's seat, by a simpler bot if ``level`` fails or is not ready."""
        packed, timeouts = view.pack(), 0
        for name in attempts(level):
            answer = None
            try:
                if timeouts < MAX_REMOTE_TIMEOUTS and self._remote is not None and self._remote.has(name):
                    answer = await self._ask_remote(self._remote, name, packed)
                    timeouts += answer is None
                if answer is None and self._is_ready(name):
                    answer = await self._ask(name, packed)
                if answer is None:
                    continue
                move = Move.parse(answer)
                check(move, view)
            except Exception as error:  # noqa: BLE001 (a third-party bot may raise anything)
                log.warning("bot failed", bot=name, error=type(error).__name__, why=str(error)[:200])
            else:
                return move
        return bot_named(LAST_RESORT).choose(view, Budget(seed=secrets.randbits(62)))

    async def _ask(self, name: str, packed: bytes) -> str | None:
        self._used.add(name)
        seed = secrets.randbits(62)
        answer = await self._pool.choose(self._choice, name, packed, seed, timeout=self._timeout)
        if answer is not None:
            self._on_choice(LOCAL)
        return answer

    async def _ask_remote(self, remote: RemotePool, name: str, packed: bytes) -> str | None:
        if name not in self._used and self._is_ready(
            name
        ):  # Local processes start slowly, so one is started in case it is needed.
            self._used.add(name)
            task = asyncio.create_task(self._warm_up(name, packed))
            self._warmups.add(task)
            task.add_done_callback(self._warmups.discard)
        answer = await remote.choose(name, packed, secrets.randbits(62), self._seconds)
        if answer is not None:
            self._on_choice(REMOTE)
        return answer

    async def _warm_up(self, name: str, packed: bytes) -> None:
        with suppress(Exception):  # The first real call logs errors.
            await self._pool.choose(self._choice, name, packed, 0, timeout=self._timeout)


def warm_up(name: str, packed: bytes, seed: int) -> str:
    """Load a bot's code and data by computing one short move (runs in a worker process)."""
    began = time.monotonic()
    answer = choose_move(name, packed, seed, seconds=MIN_WARMUP_SECONDS)
    time.sleep(max(0.0, began + MIN_WARMUP_SECONDS - time.monotonic()))
    return answer


class PoolWarmup:
    """Loads each bot into all processes of a pool once it is compiled, and reloads it into new processes."""

    def __init__(
        self,
        processes: int,
        names: Iterable[str],
        *,
        is_ready: Callable[[str], bool],
        is_paused: Callable[[str], bool],
        on_change: Callable[[], object],
    ) -> None:
        self.idle = asyncio.Semaphore(processes)
        """Counts idle processes; acquired for each call."""
        self._processes = processes
        self._pool = BotPool(processes)
        """Separate from the pool for games, so that time-outs in warm-ups are counted separately."""
        self._is_ready = is_ready
        self._is_paused = is_paused
        self._on_change = on_change
        self._pending = list(names)
        self._warm: list[str] = []
        self._is_running = False
        self._view = Game.new(players=2, seed=1).view(0).pack()
        self._refreshed = time.monotonic()

    def bots(self) -> list[str]:
        """Names of the loaded bots; empty during a warm-up."""
        return [] if self._is_running else [name for name in self._warm if not self._is_paused(name)]

    def refresh_soon(self) -> None:
        """Schedule a reload of all bots after a process was lost."""
        self._refreshed = float("-inf")
        self._set_running(is_running=True)

    async def run(self) -> None:
        """Load bots and keep them loaded until the task is cancelled."""
        while True:
            ready = list(filter(self._is_ready, self._pending))
            needs_refresh = time.monotonic() - self._refreshed > REFRESH_SECONDS
            if ready or needs_refresh:
                self._set_running(is_running=True)
                async with self._all_processes():
                    for name in self._warm if needs_refresh else ():
                        await self._warm_up(name)
                    for name in ready:
                        self._pending.remove(name)
                        if await self._warm_up(name):
                            self._warm.append(name)
                            log.info("bot ready", bot=name)
                        else:
                            log.warning("bot not ready", bot=name)
                self._set_running(is_running=False)
            await asyncio.sleep(POLL_SECONDS)

    def _set_running(self, *, is_running: bool) -> None:
        self._is_running = is_running
        self._on_change()

    @asynccontextmanager
    async def _all_processes(self) -> AsyncGenerator[None]:
        """Reserve all processes, waiting until each is idle."""
        async with AsyncExitStack() as stack:
            for _ in range(self._processes):
                await stack.enter_async_context(self.idle)
            self._refreshed = time.monotonic()
            yield

    async def _warm_up(self, name: str) -> bool:
        """Load a bot into all processes in parallel; returns whether all succeeded."""
        choose = partial(self._pool.choose, warm_up, name, self._view, 0, timeout=WARMUP_TIMEOUT)
        answers = await asyncio.gather(*(choose() for _ in range(self._processes)), return_exceptions=True)
        return all(isinstance(answer, str) for answer in answers)
