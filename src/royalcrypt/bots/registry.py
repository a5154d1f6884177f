"""Bots by name: our own, and those of other packages (entry point group ``royalcrypt.bots``)."""

from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Any

from royalcrypt.bots.protocol import Bot
from royalcrypt.notation.reasons import Reason, Refusal

GROUP = "royalcrypt.bots"
LADDER = {
    "random": "royalcrypt.bots.random_bot:RandomBot",
    "greedy": "royalcrypt.bots.greedy:GreedyBot",
    "seer": "royalcrypt.bots.seer:SeerBot",
}
"""Our own, weakest first; each is imported when it is first asked for."""
COMPILED = frozenset({"seer"})
"""Those of ours that think in machine code: not to be had without a compiler."""

_awake: dict[str, Bot] = {}


def can_compile() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def bot_names() -> tuple[str, ...]:
    """All that can be named: our own from the weakest up, then others' in the order of the alphabet."""
    own = [name for name in LADDER if name not in COMPILED or can_compile()]
    return (*own, *sorted({found.name for found in entry_points(group=GROUP)} - set(LADDER)))


def bot_named(name: str) -> Bot:
    """The bot of this name. An entry point leads to a bot, or to a class or function that makes one."""
    if name not in _awake:
        found = _load(name)
        _awake[name] = found if hasattr(found, "choose") and not isinstance(found, type) else found()
    return _awake[name]


def _load(name: str) -> Any:
    if name in COMPILED and not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    if name in LADDER:
        module, attribute = LADDER[name].split(":")
        return getattr(import_module(module), attribute)
    for found in entry_points(group=GROUP, name=name):
        try:
            return found.load()
        except (ImportError, AttributeError) as error:
            raise Refusal(Reason.BROKEN_BOT, name=name, why=str(error)) from error
    raise Refusal(Reason.NO_SUCH_BOT, name=name, names=", ".join(bot_names()))
