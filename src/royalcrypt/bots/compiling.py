"""``python -m royalcrypt.bots.compiling NAMES``: compiles bots in advance and stores their machine code.

Prints ``compiling NAME`` for each bot that is not compiled yet, then one line for each result,
``ready NAME`` or ``failed NAME WHY``. Exits with its parent process, when its standard input closes.
"""

import faulthandler
import os
import sys
import threading
import warnings
from collections.abc import Callable, Iterable
from importlib import import_module

from royalcrypt.bots.registry import bot_named, entries_of, is_path

PACKAGE_PREFIX = "royalcrypt."
NICENESS = 10
TIME_LIMIT = 1800.0
"""Time limit in seconds, for slow machines too; a longer run is considered stuck."""


def main(names: Iterable[str]) -> None:
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    threading.Thread(target=exit_with_parent, daemon=True).start()
    faulthandler.dump_traceback_later(TIME_LIMIT, exit=True)
    from royalcrypt.search.compilation import can_store  # noqa: PLC0415 (at lowered priority)

    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # compiled code that cannot be stored is useless
        can_store()
    compile_bots(names)


def exit_with_parent() -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


def compile_bots(names: Iterable[str]) -> None:
    """Print the names of bots that need compilation, then compile each and print the result."""
    found: dict[str, tuple[Callable[..., object], ...]] = {}
    for name in names:
        try:
            found[name] = entries_named(name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 (external bots may raise anything)
            report("failed", name, error)
    for name, entries in found.items():
        if entries:
            report("compiling", name)
    for name, entries in found.items():
        try:
            for entry in entries:
                compile_entry(entry)
        except Exception as error:  # noqa: BLE001 (one failure must not stop the others)
            report("failed", name, error)
        else:
            report("ready", name)


def entries_named(name: str) -> tuple[Callable[..., object], ...]:
    """The compiled functions that a bot needs; for a module of this package, its ``ENTRIES``."""
    if name.startswith(PACKAGE_PREFIX) and not is_path(name):
        return import_module(name).ENTRIES
    return entries_of(bot_named(name))


def compile_entry(entry: Callable[..., object]) -> None:
    """Compile a function, or load its stored machine code."""
    from royalcrypt.search.compilation import compiled, is_compiled  # noqa: PLC0415 (as above)

    compiled(entry)
    if not is_compiled(entry):
        raise RuntimeError(f"{entry.__qualname__} was compiled but not stored")


def report(word: str, name: str, error: BaseException | None = None) -> None:
    why = "" if error is None else " " + f"{type(error).__name__}: {error}".replace("\n", " ")[:200]
    # The newline separates the message from output of external bots.
    print(f"\n{word} {name}{why}", flush=True)  # noqa: T201 (the parent process reads it)


if __name__ == "__main__":
    main(sys.argv[1:])
