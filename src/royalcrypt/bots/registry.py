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
    "novice": "royalcrypt.bots.novice:NoviceBot",
    "greedy": "royalcrypt.bots.greedy:GreedyBot",
}
"""Our own, weakest first; each is imported when it is first asked for."""
LABORATORY = {"seer": "royalcrypt.bots.seer:SeerBot", "heir": "royalcrypt.bots.heir:HeirBot"}
"""Ours that need compiled code. Tables do not offer them: there, a first move would wait for the compiler."""

_awake: dict[str, Bot] = {}


def can_compile() -> bool:
    return find_spec("numba") is not None and find_spec("numpy") is not None


def bot_names(*, with_laboratory: bool = False) -> tuple[str, ...]:
    """Those that tables offer, or all: ours from the weakest up, then others' by the alphabet."""
    others = {found.name for found in entry_points(group=GROUP)} - {*LADDER, *LABORATORY}
    return (*LADDER, *(LABORATORY if with_laboratory and can_compile() else ()), *sorted(others))


def bot_named(name: str) -> Bot:
    """The bot of this name. An entry point leads to a bot, or to a class or function that makes one."""
    if name not in _awake:
        found = _load(name)
        _awake[name] = found if hasattr(found, "choose") and not isinstance(found, type) else found()
    return _awake[name]


def needs_compiler(bot: Bot) -> bool:
    """Whether it plays only where NumPy and Numba are installed; such a bot says so itself."""
    return bool(getattr(bot, "needs_compiler", False))


def _load(name: str) -> Any:
    if name in LABORATORY and not can_compile():
        raise Refusal(Reason.NO_COMPILER)
    ours = LADDER | LABORATORY
    if name in ours:
        module, attribute = ours[name].split(":")
        return getattr(import_module(module), attribute)
    for found in entry_points(group=GROUP, name=name):
        try:
            return found.load()
        except (ImportError, AttributeError) as error:
            raise Refusal(Reason.BROKEN_BOT, name=name, why=str(error)) from error
    raise Refusal(Reason.NO_SUCH_BOT, name=name, names=", ".join(bot_names(with_laboratory=True)))
