"""``python -m royalcrypt.bots.compiling NAMES``: makes bots' machine code, for processes that come later.

It says a line for each that must be waited for, ``compiling NAME``, and one for what became of each,
``ready NAME`` or ``failed NAME WHY``. It ends with whoever started it, for then its input does.
"""

import faulthandler
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from importlib import import_module

from royalcrypt.bots.registry import bot_named, entries_of, is_path

OURS = "royalcrypt."
POLITENESS = 10
LONGEST = 1800.0
"""Seconds, however busy the machine: after that, something hangs."""


def main(names: Iterable[str]) -> None:
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    threading.Thread(target=end_with_input, daemon=True).start()
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    from royalcrypt.search.compilation import can_store  # noqa: PLC0415 (from here on it makes way for others)

    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # code that cannot be kept would help nobody
        can_store()
    compile_bots(names)


def end_with_input() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def compile_bots(names: Iterable[str]) -> None:
    """First tell which bots are to be waited for, then what became of them, one by one."""
    found: dict[str, tuple[Callable[..., object], ...]] = {}
    for name in names:
        try:
            found[name] = entries_named(name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 (a stranger's code may raise anything)
            tell("failed", name, error)
    for name, entries in found.items():
        if entries:
            tell("compiling", name)
    for name, entries in found.items():
        try:
            for entry in entries:
                compile_entry(entry)
        except Exception as error:  # noqa: BLE001 (nor shall one keep the others from being made)
            tell("failed", name, error)
        else:
            tell("ready", name)


def entries_named(name: str) -> tuple[Callable[..., object], ...]:
    """Of a bot, or of a module of ours, which tells them as ``ENTRIES``."""
    if name.startswith(OURS) and not is_path(name):
        return import_module(name).ENTRIES
    return entries_of(bot_named(name))


def compile_entry(entry: Callable[..., object]) -> None:
    """Or load it, if it was kept before: either way it is known to be there."""
    from royalcrypt.search.compilation import compiled, is_compiled  # noqa: PLC0415 (as above)

    compiled(entry)
    if not is_compiled(entry):
        raise RuntimeError(f"{entry.__qualname__} was compiled and not kept")


def tell(word: str, name: str, error: BaseException | None = None) -> None:
    why = "" if error is None else " " + f"{type(error).__name__}: {error}".replace("\n", " ")[:200]
    # On a line of its own, whatever a stranger's bot has printed before it.
    print(f"\n{word} {name}{why}", flush=True)  # noqa: T201 (whoever started it listens)


if __name__ == "__main__":
    main(sys.argv[1:])
