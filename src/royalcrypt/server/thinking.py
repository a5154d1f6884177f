"""Bots think in processes of their own, never where tables are served; one that fails is replaced."""

import secrets
from collections.abc import Callable

import structlog
from anyio import CapacityLimiter, fail_after, to_process

from royalcrypt.bots import Budget, bot_named
from royalcrypt.bots.registry import LADDER
from royalcrypt.notation.moves import Move
from royalcrypt.play.rulings import carry_out
from royalcrypt.play.views import View
from royalcrypt.rules.layout import copy_of

LONGEST_THOUGHT = 10.0
SUBSTITUTE = "greedy"
"""Plays for people who are away."""
LAST_RESORT = "random"
Think = Callable[[str, bytes, int], str]
log = structlog.get_logger()


def think(name: str, packed: bytes, seed: int) -> str:
    """What a worker process does: a bot's move, legal as far as its own view goes."""
    view = View.unpack(packed)
    move = bot_named(name).choose(view, Budget(seed=seed))
    known = copy_of(view.known)
    for action in move.actions:
        for _ in carry_out(known, view.actor or 0, action):
            pass
    return str(move)


def attempts(level: str) -> list[str]:
    """The bot itself, once more, then simpler ones of ours."""
    ladder = list(LADDER)
    simpler = ladder[: ladder.index(level)] if level in LADDER else ladder
    return [level, level, *reversed(simpler)]


class Thinker:
    def __init__(self, workers: int, *, longest: float = LONGEST_THOUGHT, think: Think = think) -> None:
        self._turns = CapacityLimiter(workers)
        self._workers = CapacityLimiter(workers)
        self._longest = longest
        self._think = think

    async def choose(self, level: str, view: View) -> Move:
        """A move for the seat whose view it is, from this bot if at all possible."""
        packed = view.pack()
        for name in attempts(level):
            try:
                async with self._turns:
                    return Move.parse(await self._ask(name, packed))
            except Exception as error:  # noqa: BLE001 (a stranger's code may raise anything)
                log.warning("bot failed", bot=name, error=type(error).__name__, why=str(error)[:200])
        return bot_named(LAST_RESORT).choose(view, Budget(seed=secrets.randbits(62)))

    async def _ask(self, name: str, packed: bytes) -> str:
        with fail_after(self._longest):  # a worker that does not answer is killed
            return await to_process.run_sync(
                self._think, name, packed, secrets.randbits(62), cancellable=True, limiter=self._workers
            )
