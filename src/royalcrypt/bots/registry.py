"""Bots by name: our own, those of other packages (entry point group ``royalcrypt.bots``), or import paths.

A path has the form ``package.module:attribute``.
"""

import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any

from royalcrypt.bots.protocol import Bot
from royalcrypt.notation.reasons import Reason, Refusal

GROUP = "royalcrypt.bots"
PATH = re.compile(r"\w+(\.\w+)*:\w+(\.\w+)*")
PLAIN = {
    "random": "royalcrypt.bots.plain_bots:RandomBot",
    "novice": "royalcrypt.bots.plain_bots:NoviceBot",
    "greedy": "royalcrypt.bots.plain_bots:GreedyBot",
}
COMPILED = {
    "seer": "royalcrypt.bots.search_bots:SeerBot",
    "heir": "royalcrypt.bots.search_bots:HeirBot",
    "regent": "royalcrypt.bots.search_bots:RegentBot",
    "sovereign": "royalcrypt.bots.search_bots:SovereignBot",
}
"""Our bots that need compiled code, which are stronger than the others."""
LADDER = PLAIN | COMPILED
"""Our bots, weakest first; each is imported on first use."""

_loaded: dict[str, Bot] = {}


def can_compile() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def ladder() -> tuple[str, ...]:
    """Our bots that can play in this installation, weakest first."""
    return tuple(name for name in LADDER if is_plain(name) or can_compile())


def is_plain(name: str) -> bool:
    """Whether the bot plays without compiled code."""
    return name not in COMPILED


def simpler_than(name: str) -> tuple[str, ...]:
    """Our bots that may replace this one, strongest first; for a bot of another package, all of ours."""
    ours = tuple(LADDER)
    return tuple(reversed(ours[: ours.index(name)] if name in ours else ours))


def other_names() -> tuple[str, ...]:
    """Bots of other packages, in alphabetical order."""
    return _names_of_others(entry_points, tuple(sys.path))


@cache
def _names_of_others(find: Callable[..., Iterable[EntryPoint]], _: tuple[str, ...]) -> tuple[str, ...]:
    """Search the installed packages, which takes milliseconds, once for each list of folders."""
    return tuple(sorted({found.name for found in find(group=GROUP)} - set(LADDER)))


def bot_names() -> tuple[str, ...]:
    """All bots that can play here: ours from the weakest up, then those of other packages."""
    return (*ladder(), *other_names())


def known_names() -> tuple[str, ...]:
    """All bots that can play here or on a bot worker, in the same order."""
    return (*LADDER, *other_names())


def bot_named(name: str) -> Bot:
    """The bot with this name or import path; the path may lead to a class or function that returns a bot."""
    if name not in _loaded:
        _loaded[name] = _instance(name, _load(name))
    return _loaded[name]


def is_path(name: str) -> bool:
    return PATH.fullmatch(name) is not None


def needs_compiler(bot: Bot) -> bool:
    """Whether the bot declares that it needs NumPy and Numba."""
    return bool(getattr(bot, "needs_compiler", False))


def entries_of(bot: Bot) -> tuple[Callable[..., object], ...]:
    """The functions that the bot needs compiled before it is asked for moves."""
    return tuple(getattr(bot, "entries", ()))


def _instance(name: str, found: Any) -> Bot:
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
