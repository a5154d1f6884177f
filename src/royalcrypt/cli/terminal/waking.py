"""Bots that must be compiled first: they are, aside, and simpler ones play for them until then."""

from collections.abc import Iterable

from royalcrypt.bots import bot_named
from royalcrypt.bots.registry import COMPILED, entries_of, simpler_than
from royalcrypt.bots.warming import WarmUp
from royalcrypt.locales import say


def awaken(names: Iterable[str]) -> WarmUp:
    """Have those of them made ready that are not."""
    wanted = [name for name in names if must_compile(name)]
    if not wanted:
        return WarmUp(())
    warm_up = WarmUp({*wanted, *filter(must_compile, COMPILED)})  # nor shall one of these play in their place
    warm_up.begin(wanted)
    return warm_up


def must_compile(name: str) -> bool:
    """Whether its first move would wait for the compiler."""
    entries = entries_of(bot_named(name))
    if not entries:
        return False
    from royalcrypt.search.twins import is_compiled

    return not all(map(is_compiled, entries))


def stand_in(name: str, warm_up: WarmUp) -> str:
    """Who plays for this bot now: itself, once it is ready."""
    return next(found for found in (name, *simpler_than(name)) if warm_up.is_ready(found))


def excuse(name: str, other: str, warm_up: WarmUp) -> str:
    if warm_up.is_under_way:
        return say("terminal.waking", name=name, other=other)
    return say("terminal.not_woken", name=name, other=other, why=warm_up.why)
