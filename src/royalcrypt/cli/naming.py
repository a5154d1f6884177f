"""Bots on the command line: names or import paths, separated by commas."""

import sys
from pathlib import Path

from royalcrypt.bots.registry import bot_named, is_path


def read_bots(text: str) -> tuple[str, ...]:
    """Load each bot, by paths also from the current folder. Raises Refusal if one cannot be loaded."""
    names = tuple(name.strip() for name in text.split(","))
    here = str(Path.cwd())
    if any(map(is_path, names)) and here not in sys.path:
        sys.path.append(here)
    for name in names:
        bot_named(name)
    return names
