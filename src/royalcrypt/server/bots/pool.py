"""Bots think in processes of their own, never where tables are served; one that fails is replaced."""

import asyncio
import faulthandler
import secrets
import sys
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from typing import Protocol

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
"""Seconds after which a bot should come to an end by itself; it is a budget, the other a limit."""
WHAT_IF_SECONDS = 0.3
"""Where somebody only tries what would have been, and several bots answer one after the other."""
LONGEST_CHOICE = 10.0
REST = 60.0
"""Seconds for which a bot that hangs is not asked again: others wait for their turn to think."""
MOST_HANGS = 2
SUBSTITUTE = "greedy"
"""Plays for people who are away."""
LAST_RESORT = "random"
MOST_REMOTE_TIMEOUTS = 2
"""Times that no answer comes from elsewhere for one move."""
LOCAL, REMOTE = "here", "elsewhere"
Think = Callable[[str, bytes, int], str]
log = structlog.get_logger()


class BotFailed(Exception):  # noqa: N818 (the bot's error, not ours)
    """In a process of its own: what a bot raised, in words that any process can read."""


def ignore(*_: object) -> None:
    pass


def think(name: str, packed: bytes, seed: int, seconds: float = DEFAULT_SECONDS) -> str:
    return str(bot_named(name).choose(View.unpack(packed), Budget(seconds=seconds, seed=seed)))


def thinking_for(seconds: float) -> Think:
    return partial(think, seconds=seconds)


def in_worker(think: Think, longest: float, name: str, packed: bytes, seed: int) -> str:
    """What a worker process does. Whatever the bot does there, no more than a refusal comes out of it."""
    # If the server is killed, nobody is left to end a thought that goes on for ever.
    faulthandler.dump_traceback_later(longest, exit=True, file=sys.stderr)
    try:
        return str(think(name, packed, seed))
    except BaseException as error:  # noqa: BLE001 (an exit or interrupt would be carried out in the server)
        raise BotFailed(f"{type(error).__name__}: {error}"[:200]) from None
    finally:
        faulthandler.cancel_dump_traceback_later()


def check(move: Move, view: View) -> None:
    """Refuse what is no whole legal move, as far as the view goes; the table knows no more than that."""
    if not move.actions:
        raise IllegalAction(Reason.NOT_A_MOVE, text=str(move))
    known = copy_of(view.known)
    for action in move.actions:
        if known.actor != view.actor:
            raise IllegalAction(Reason.TURN_HAS_ENDED, text=str(action))
        for _ in carry_out(known, known.actor, action):
            pass


def attempts(level: str) -> list[str]:
    """The bot itself, once more, then simpler ones of ours."""
    return [level, level, *simpler_than(level)]


class BotPool:
    """Processes in which bots think; one that does not answer is ended, its bot left alone for a while."""

    def __init__(self, processes: int) -> None:
        self._turns = CapacityLimiter(processes)
        self._processes = CapacityLimiter(processes)
        self._hung: Counter[str] = Counter()
        """How often in a row each bot did not answer."""
        self._resting: dict[str, float] = {}
        """Until when which bots are left alone."""

    def is_resting(self, name: str) -> bool:
        return self._resting.get(name, 0.0) > time.monotonic()

    async def ask(self, think: Think, name: str, packed: bytes, seed: int, *, longest: float) -> str | None:
        """A move as text, when it is this thought's turn; None if its bot is left alone then."""
        async with self._turns:
            if self.is_resting(name):
                return None
            return await self._ask(think, name, packed, seed, longest)

    async def _ask(self, think: Think, name: str, packed: bytes, seed: int, longest: float) -> str:
        work = partial(in_worker, think, 2 * longest, name, packed, seed)
        try:
            with fail_after(longest):  # a process that does not answer is killed
                answer = await to_process.run_sync(work, cancellable=True, limiter=self._processes)
        except TimeoutError:
            self._hung[name] += 1
            if self._hung[name] >= MOST_HANGS:
                self._resting[name] = time.monotonic() + REST
            raise
        except KeyboardInterrupt:
            # The process's own: a Ctrl-C reaches it as well, and it hands on whatever it was stopped by.
            raise BotFailed("the process was interrupted") from None
        del self._hung[name]
        return answer


class RemotePool(Protocol):
    """Others who think for this process."""

    def have(self, name: str) -> bool: ...

    async def think(self, name: str, packed: bytes, seed: int, seconds: float) -> str | None:
        """A move as text; None if none came in time, and nobody knows why. Raises what the bot failed at."""
        ...


class BotRunner:
    def __init__(
        self,
        processes: int,
        *,
        longest: float = LONGEST_CHOICE,
        seconds: float = DEFAULT_SECONDS,
        think: Think | None = None,
        is_ready: Callable[[str], bool] = is_plain,
        elsewhere: RemotePool | None = None,
        note: Callable[[str], object] = ignore,
    ) -> None:
        self._minds = BotPool(processes)
        self._longest = longest
        self._seconds = seconds
        self._think = think or thinking_for(seconds)
        self._is_ready = is_ready
        """Who may be asked: a bot that would be compiled first has no time left to think."""
        self._elsewhere = elsewhere
        self._note = note
        """Is told where each thought is thought."""
        self._awake: set[str] = set()
        """Bots that have been asked here, so that they answer at once when they are next."""
        self._waking: set[asyncio.Task[None]] = set()

    async def choose(self, level: str, view: View) -> Move:
        """A move for the seat whose view it is, from this bot if it is ready and at all possible."""
        packed, silences = view.pack(), 0
        for name in attempts(level):
            answer = None
            try:
                if (
                    silences < MOST_REMOTE_TIMEOUTS
                    and self._elsewhere is not None
                    and self._elsewhere.have(name)
                ):
                    answer = await self._ask_elsewhere(self._elsewhere, name, packed)
                    silences += answer is None
                if answer is None and self._is_ready(name):
                    answer = await self._ask(name, packed)
                if answer is None:
                    continue
                move = Move.parse(answer)
                check(move, view)
            except Exception as error:  # noqa: BLE001 (a stranger's code may raise anything)
                log.warning("bot failed", bot=name, error=type(error).__name__, why=str(error)[:200])
            else:
                return move
        return bot_named(LAST_RESORT).choose(view, Budget(seed=secrets.randbits(62)))

    async def _ask(self, name: str, packed: bytes) -> str | None:
        self._awake.add(name)
        seed = secrets.randbits(62)
        answer = await self._minds.ask(self._think, name, packed, seed, longest=self._longest)
        if answer is not None:
            self._note(LOCAL)
        return answer

    async def _ask_elsewhere(self, elsewhere: RemotePool, name: str, packed: bytes) -> str | None:
        self._wake(name, packed)
        answer = await elsewhere.think(name, packed, secrets.randbits(62), self._seconds)
        if answer is not None:
            self._note(REMOTE)
        return answer

    def _wake(self, name: str, packed: bytes) -> None:
        """The first time, think here as well: a process takes seconds to start, and may be needed at once."""
        if name not in self._awake and self._is_ready(name):
            self._awake.add(name)
            waking = asyncio.create_task(self._think_in_vain(name, packed))
            self._waking.add(waking)
            waking.add_done_callback(self._waking.discard)

    async def _think_in_vain(self, name: str, packed: bytes) -> None:
        with suppress(Exception):  # said when it is asked in earnest
            await self._minds.ask(self._think, name, packed, 0, longest=self._longest)


LONGEST_WAKING = 60.0
LEAST_WAKING = 0.05
"""Seconds that waking takes at least, so that no process gets another's turn."""
STIR_SECONDS = 120.0
"""After which all processes are asked something, lest they be ended for idleness."""
LOOK_SECONDS = 0.5
log = structlog.get_logger()


def wake(name: str, packed: bytes, seed: int) -> str:
    """In a process that thinks: load what this bot needs, by a short thought."""
    began = time.monotonic()
    answer = think(name, packed, seed, seconds=LEAST_WAKING)
    time.sleep(max(0.0, began + LEAST_WAKING - time.monotonic()))
    return answer


class PoolWarmup:
    """Keeps these bots awake, each from when it is ready."""

    def __init__(
        self,
        processes: int,
        names: Iterable[str],
        *,
        is_ready: Callable[[str], bool],
        is_resting: Callable[[str], bool],
        on_change: Callable[[], object],
    ) -> None:
        self.spare = asyncio.Semaphore(processes)
        """Processes that have nothing to do; whoever asks one of them takes it from here."""
        self._processes = processes
        self._minds = BotPool(processes)
        """To whom it does not matter how a bot does when it is asked in earnest, nor the other way round."""
        self._is_ready = is_ready
        self._is_resting = is_resting
        self._on_change = on_change
        self._asleep = list(names)
        self._awake: list[str] = []
        self._is_waking = False
        self._view = Game.new(players=2, seed=1).view(0).pack()
        self._stirred = time.monotonic()

    def bots(self) -> list[str]:
        """Those that answer at once: none while the processes load another."""
        return [] if self._is_waking else [name for name in self._awake if not self._is_resting(name)]

    def stir_soon(self) -> None:
        """A process was lost: whichever takes its place is asleep."""
        self._stirred = float("-inf")
        self._change(is_waking=True)

    async def keep(self) -> None:
        """For ever."""
        while True:
            ready = list(filter(self._is_ready, self._asleep))
            is_time_to_stir = time.monotonic() - self._stirred > STIR_SECONDS
            if ready or is_time_to_stir:
                self._change(is_waking=True)
                async with self._all_processes():
                    for name in self._awake if is_time_to_stir else ():
                        await self._is_awake(name)
                    for name in ready:
                        await self._wake(name)
                self._change(is_waking=False)
            await asyncio.sleep(LOOK_SECONDS)

    def _change(self, *, is_waking: bool) -> None:
        self._is_waking = is_waking
        self._on_change()

    @asynccontextmanager
    async def _all_processes(self) -> AsyncGenerator[None]:
        """When none has anything else to do."""
        async with AsyncExitStack() as stack:
            for _ in range(self._processes):
                await stack.enter_async_context(self.spare)
            self._stirred = time.monotonic()
            yield

    async def _wake(self, name: str) -> None:
        self._asleep.remove(name)
        if await self._is_awake(name):
            self._awake.append(name)
            log.info("bot ready", bot=name)
        else:
            log.warning("bot not ready", bot=name)

    async def _is_awake(self, name: str) -> bool:
        """Ask every process at once."""
        ask = partial(self._minds.ask, wake, name, self._view, 0, longest=LONGEST_WAKING)
        answers = await asyncio.gather(*(ask() for _ in range(self._processes)), return_exceptions=True)
        return all(isinstance(answer, str) for answer in answers)
