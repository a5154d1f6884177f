"""Bots by name: our own, those of other packages (entry point group ``royalcrypt.bots``), and any by a path.

A path says where to import from, ``package.module:attribute``.
"""

import re
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from royalcrypt.bots.protocol import Bot
from royalcrypt.notation.reasons import Reason, Refusal

GROUP = "royalcrypt.bots"
PATH = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
PLAIN = {
    "random": "royalcrypt.bots.random_bot:RandomBot",
    "novice": "royalcrypt.bots.novice:NoviceBot",
    "greedy": "royalcrypt.bots.greedy:GreedyBot",
}
COMPILED = {
    "seer": "royalcrypt.bots.search_bots:SeerBot",
    "heir": "royalcrypt.bots.search_bots:HeirBot",
    "regent": "royalcrypt.bots.search_bots:RegentBot",
    "sovereign": "royalcrypt.bots.search_bots:SovereignBot",
}
"""Ours that need compiled code; they stand above all others."""
LADDER = PLAIN | COMPILED
"""Our own, weakest first; each is imported when it is first asked for."""

_awake: dict[str, Bot] = {}


def can_compile() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def ladder() -> tuple[str, ...]:
    """Those of ours that can play here, weakest first."""
    return tuple(name for name in LADDER if is_plain(name) or can_compile())


def is_plain(name: str) -> bool:
    """Whether it plays at once: not so those of ours that need compiled code."""
    return name not in COMPILED


def simpler_than(name: str) -> tuple[str, ...]:
    """Those of ours that may play in its place once they are ready, strongest first; all for a stranger."""
    ours = tuple(LADDER)
    return tuple(reversed(ours[: ours.index(name)] if name in ours else ours))


def other_names() -> tuple[str, ...]:
    """Bots of other packages, by the alphabet."""
    return tuple(sorted({found.name for found in entry_points(group=GROUP)} - set(LADDER)))


def bot_names() -> tuple[str, ...]:
    """All that can play here: ours from the weakest up, then others' by the alphabet."""
    return (*ladder(), *other_names())


def known_names() -> tuple[str, ...]:
    """All that can play here or where somebody thinks for us, in the same order."""
    return (*LADDER, *other_names())


def bot_named(name: str) -> Bot:
    """The bot of this name or path, which leads to a bot, or to a class or function that makes one."""
    if name not in _awake:
        _awake[name] = _woken(name, _load(name))
    return _awake[name]


def is_path(name: str) -> bool:
    return PATH.fullmatch(name) is not None


def needs_compiler(bot: Bot) -> bool:
    """Whether it plays only where NumPy and Numba are installed; such a bot says so itself."""
    return bool(getattr(bot, "needs_compiler", False))


def entries_of(bot: Bot) -> tuple[Callable[..., object], ...]:
    """The functions whose compiled twins it uses; a bot that tells them is not asked before they are made."""
    return tuple(getattr(bot, "entries", ()))


def _woken(name: str, found: Any) -> Bot:
    is_made = hasattr(found, "choose") and not isinstance(found, type)
    bot: Any = found if is_made or not callable(found) else found()
    if not hasattr(bot, "choose"):
        raise Refusal(Reason.BROKEN_BOT, name=name, why="choose(view, budget)?")
    return bot


def _load(name: str) -> Any:
    if not is_plain(name) and not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    if name in LADDER:
        module, attribute = LADDER[name].split(":")
        return getattr(import_module(module), attribute)
    by_path = [EntryPoint(name, name, GROUP)] if is_path(name) else []
    for found in (*entry_points(group=GROUP, name=name), *by_path):
        try:
            return found.load()
        except (ImportError, AttributeError) as error:
            raise Refusal(Reason.BROKEN_BOT, name=name, why=str(error)) from error
    raise Refusal(Reason.NO_SUCH_BOT, name=name, names=", ".join(bot_names()))
