"""Bots as they are named on the command line: with commas, by name, or by a path to import them from."""

import sys
from pathlib import Path

from royalcrypt.bots.registry import bot_named, is_path


def read_bots(text: str) -> tuple[str, ...]:
    """What a path leads to may lie in the folder one is in. Who cannot be woken is refused."""
    names = tuple(name.strip() for name in text.split(","))
    here = str(Path.cwd())
    if any(map(is_path, names)) and here not in sys.path:
        sys.path.append(here)
    for name in names:
        bot_named(name)
    return names
