"""Command-line options: declaration with help texts, and validation before a command begins its work."""

import argparse
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from royalcrypt.bots.registry import bot_named, is_path
from royalcrypt.locales import LANGUAGES, say
from royalcrypt.notation.cards import is_sides
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import MOST_SEED

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from royalcrypt.lab.worker_pools import WorkerPool

Default = TypeVar("Default")
MAX_GAMES = 10**9
MAX_SIMULATIONS = 10**7
MAX_MILLISECONDS = 600_000
MAX_JOBS = 64
PATHS = ("FILE", "FOLDER")
"""Placeholders whose option values are converted to a Path."""


def add(parser: Any, topic: str, **placeholders: str) -> None:
    """Add options with the help texts of ``topic``; an option with an empty placeholder is a switch."""
    for name, placeholder in placeholders.items():
        option, words = f"--{name}", say(f"{topic}.{name}")
        if placeholder:
            kind = Path if placeholder in PATHS else str
            parser.add_argument(option, metavar=placeholder, type=kind, help=words)
        else:
            parser.add_argument(option, action="store_true", help=words)


def add_worker_options(parser: argparse.ArgumentParser) -> None:
    add(parser, "crew", jobs="N", ray="ADDRESS")


def read_worker_pool(arguments: argparse.Namespace) -> "AbstractContextManager[WorkerPool]":
    """Return a worker pool; options are checked immediately, a cluster is connected on entering it."""
    from royalcrypt.lab.worker_pools import worker_pool

    if arguments.jobs is not None and arguments.ray is not None:
        raise Refusal(Reason.RAY_OR_JOBS)
    return worker_pool(read_number(arguments, "jobs", 1, most=MAX_JOBS), arguments.ray)


def read_optional_pool(arguments: argparse.Namespace) -> "AbstractContextManager[WorkerPool | None]":
    """Return a worker pool, or a context of None without ``--jobs`` and ``--ray``."""
    if arguments.jobs is None and arguments.ray is None:
        return nullcontext()
    return read_worker_pool(arguments)


def require_compiler() -> None:
    from royalcrypt.lab import backends

    if not backends.can_compile():
        raise Refusal(Reason.NO_COMPILER)


def whole(name: str, text: str, *, least: int = 1, most: int | None = None) -> int:
    """Read a whole number within bounds; raises Refusal with the option's name."""
    if re.fullmatch(r"[0-9]{1,40}", text, re.ASCII):
        number = int(text)
        if number >= least and (most is None or number <= most):
            return number
    if most is None:
        raise Refusal(Reason.WRONG_NUMBER, option=name, found=text, least=least)
    raise Refusal(Reason.NUMBER_OUT_OF_RANGE, option=name, found=text, least=least, most=most)


def read_number(
    arguments: argparse.Namespace, name: str, default: Default, *, least: int = 1, most: int
) -> int | Default:
    text = getattr(arguments, name)
    return default if text is None else whole(name, text, least=least, most=most)


def read_seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,40}", text, re.ASCII) or int(text) > MOST_SEED:
        raise Refusal(Reason.WRONG_SEED, seed=text)
    return int(text)


def read_sides(text: str) -> str | None:
    """Read six letters for Collector sides; None means random sides in each game."""
    if text == "random":
        return None
    if not is_sides(text.upper()):
        raise Refusal(Reason.WRONG_COLLECTORS, collectors=text)
    return text.upper()


def read_bots(text: str) -> tuple[str, ...]:
    """Read comma-separated bot names or import paths (also from the current folder), and load the bots."""
    names = tuple(name.strip() for name in text.split(","))
    here = str(Path.cwd())
    if any(map(is_path, names)) and here not in sys.path:
        sys.path.append(here)
    for name in names:
        bot_named(name)
    return names


def read_language(text: str | None) -> str:
    if text is not None and text not in LANGUAGES:
        raise Refusal(Reason.WRONG_CHOICE, option="language", found=text, values=", ".join(LANGUAGES))
    return text or "en"


def read_given(arguments: argparse.Namespace, readers: Mapping[str, Callable[[str], Any]]) -> dict[str, Any]:
    """Return the values of those options that were given."""
    texts = {name: getattr(arguments, name) for name in readers}
    return {name: readers[name](text) for name, text in texts.items() if text is not None}


def check_plan(file: Path, plan: object, given: dict[str, Any], shown: Mapping[str, Any]) -> None:
    """Raise Refusal for options that differ from a file's plan; ``shown`` has its values as options."""
    for name, wanted in given.items():
        if wanted != getattr(plan, name):
            raise Refusal(Reason.OTHER_PLAN, file=str(file), option=f"--{name}", found=shown[name])
