"""Bots think in processes of their own, never where tables are served; one that fails is replaced."""

import faulthandler
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial

import structlog
from anyio import CapacityLimiter, fail_after, to_process

from royalcrypt.bots import Budget, bot_named
from royalcrypt.bots.registry import is_plain, simpler_than
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import Reason
from royalcrypt.play.rulings import IllegalAction, carry_out
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of

USUAL_THOUGHT = 1.0
"""Seconds after which a bot should come to an end by itself; it is a budget, the other a limit."""
BRIEF_THOUGHT = 0.3
"""Where somebody only tries what would have been, and several bots answer one after the other."""
LONGEST_THOUGHT = 10.0
REST = 60.0
"""Seconds for which a bot that hangs is not asked again: others wait for their turn to think."""
MOST_HANGS = 2
SUBSTITUTE = "greedy"
"""Plays for people who are away."""
LAST_RESORT = "random"
Think = Callable[[str, bytes, int], str]
log = structlog.get_logger()


class BotFailed(Exception):  # noqa: N818 (the bot's error, not ours)
    """In a worker process: what a bot raised, in words that any process can read."""


def think(name: str, packed: bytes, seed: int, seconds: float = USUAL_THOUGHT) -> str:
    return str(bot_named(name).choose(View.unpack(packed), Budget(seconds=seconds, seed=seed)))


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


class Thinker:
    def __init__(
        self,
        workers: int,
        *,
        longest: float = LONGEST_THOUGHT,
        think: Think = think,
        is_ready: Callable[[str], bool] = is_plain,
    ) -> None:
        self._turns = CapacityLimiter(workers)
        self._workers = CapacityLimiter(workers)
        self._longest = longest
        self._think = think
        self._is_ready = is_ready
        """Who may be asked: a bot that would be compiled first has no time left to think."""
        self._hung: Counter[str] = Counter()
        """How often in a row each bot did not answer."""
        self._resting: dict[str, float] = {}
        """Until when which bots are left alone."""

    async def choose(self, level: str, view: View) -> Move:
        """A move for the seat whose view it is, from this bot if it is ready and at all possible."""
        packed = view.pack()
        for name in filter(self._is_ready, attempts(level)):
            try:
                async with self._turns:
                    if self._resting.get(name, 0.0) > time.monotonic():
                        continue
                    move = Move.parse(await self._ask(name, packed))
                check(move, view)
            except Exception as error:  # noqa: BLE001 (a stranger's code may raise anything)
                log.warning("bot failed", bot=name, error=type(error).__name__, why=str(error)[:200])
            else:
                return move
        return bot_named(LAST_RESORT).choose(view, Budget(seed=secrets.randbits(62)))

    async def _ask(self, name: str, packed: bytes) -> str:
        seed = secrets.randbits(62)
        work = partial(in_worker, self._think, 2 * self._longest, name, packed, seed)
        try:
            with fail_after(self._longest):  # a worker that does not answer is killed
                answer = await to_process.run_sync(work, cancellable=True, limiter=self._workers)
        except TimeoutError:
            self._hung[name] += 1
            if self._hung[name] >= MOST_HANGS:
                self._resting[name] = time.monotonic() + REST
            raise
        except KeyboardInterrupt:
            # The worker's own: a Ctrl-C reaches it as well, and it hands on whatever it was stopped by.
            raise BotFailed("the worker was interrupted") from None
        del self._hung[name]
        return answer
