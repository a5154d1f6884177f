"""Output of the commands: messages, tables, progress bars and files."""

import json
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

if TYPE_CHECKING:
    from rich.table import Table


def report(words: str) -> None:
    """Print a progress message to standard error; only results go to standard output."""
    print(words, file=sys.stderr, flush=True)  # noqa: T201


def write(words: str) -> None:
    print(words)  # noqa: T201


def write_if_open(words: str) -> None:
    """Print a line, ignoring a closed standard output."""
    with suppress(OSError):
        print(words, flush=True)  # noqa: T201


def write_json(found: Any, **options: Any) -> None:
    write(json.dumps(found, **options))


def show(*parts: Any) -> None:
    """Print Rich tables and texts to standard output, without markup and highlighting."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    for part in parts:
        console.print(part)


def columns(topic: str, *names: str, left: tuple[str, ...], language: str = "en", **options: Any) -> "Table":
    """Create an empty table with a heading per name; columns not in ``left`` are right-aligned numbers."""
    from rich.table import Table

    table = Table(**options)
    for name in names:
        justify = "left" if name in left else "right"
        table.add_column(say(f"{topic}.{name}", language), justify=justify)
    return table


@contextmanager
def progress(words: str, total: int, done: int = 0) -> Generator[Callable[[int], None]]:
    """Show a progress bar if standard error is a terminal; yields a function that advances it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    parts = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*parts, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words, total=total, completed=done)
        yield lambda count: bar.advance(task, count)


def why(error: OSError) -> str:
    return error.strerror or str(error)


@contextmanager
def writing(file: Path | None = None, *, folder: Path | None = None) -> Generator[None]:
    """Convert OSError to a Refusal that ``file``, or a file in ``folder``, cannot be written."""
    try:
        yield
    except OSError as error:
        raise Refusal(
            Reason.CANNOT_WRITE, file=str(file or error.filename or folder), why=why(error)
        ) from None


@contextmanager
def lines_file(path: Path | None) -> Generator[Callable[[str], None] | None]:
    """Yield a function that appends a line to a new file; None without a path.

    The file is unbuffered, so it contains whole lines whenever the command is stopped.
    """
    with nullcontext() if path is None else path.open("wb", buffering=0) as file:
        yield None if file is None else lambda line: _write_line(file, line)


def _write_line(file: IO[bytes], line: str) -> None:
    left = memoryview(line.encode() + b"\n")
    while left:
        left = left[file.write(left) :]
