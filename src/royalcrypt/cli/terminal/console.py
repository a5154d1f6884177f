"""The screen: what is shown, paged and asked.

Everything private happens on the alternate screen, which keeps no scrollback, so that nobody can scroll up to
another's cards.
"""

import contextlib
import io
import signal
import sys
from collections.abc import Generator
from types import FrameType
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from royalcrypt.cli.terminal.palette import DIM, IN_ASCII
from royalcrypt.locales import say

BEAT = 0.25
"""Seconds."""
LONGEST_LINE = 200


class AsciiStream(io.TextIOBase):
    """Writes signs that the terminal's encoding lacks as plain letters."""

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self.stream = stream

    @property
    def encoding(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.stream.encoding

    def write(self, text: str, /) -> int:
        plain = text.translate(IN_ASCII).encode(self.encoding, "replace").decode(self.encoding)
        return self.stream.write(plain)

    def flush(self) -> None:
        self.stream.flush()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()


def is_at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def open_console() -> Console:
    speaks_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    stream: Any = sys.stdout if speaks_unicode else AsciiStream(sys.stdout)
    return Console(file=stream, highlight=False)


class Leave(Exception):  # noqa: N818 (not an error: someone closes the door)
    """The player leaves the game; it is to be saved."""


class Screen:
    """One screenful at a time. ``ask`` raises Leave at Ctrl-C and at the end of input."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def width(self) -> int:
        return self.console.width

    @property
    def height(self) -> int:
        return self.console.height

    @contextlib.contextmanager
    def apart(self) -> Generator[None]:
        """On the alternate screen; what stood before returns afterwards."""
        entered = self.console.set_alt_screen(True)
        try:
            yield
        finally:
            if entered:
                self.console.set_alt_screen(False)

    def clear(self) -> None:
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.height)
        else:
            self.console.clear()

    def show(self, *parts: RenderableType) -> None:
        self.clear()
        self.console.print(Group(*parts))

    def lines(self, part: RenderableType, width: int | None = None) -> int:
        """How many lines this takes."""
        options = self.console.options.update(width=width or self.width)
        return len(self.console.render_lines(part, options, pad=False))

    def ask(self, prompt: str) -> str:
        self.console.file.flush()
        try:
            with heartbeat():
                line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        except UnicodeDecodeError:
            return "\N{REPLACEMENT CHARACTER}"
        return "".join(letter for letter in line[:LONGEST_LINE] if letter.isprintable()).strip()

    def pause(self, words: str) -> None:
        self.ask(words + " ")

    def page(self, *parts: RenderableType) -> None:
        """Show something long, a screenful at a time; ``x`` goes straight back."""
        rows = self.console.render_lines(Group(*parts), self.console.options, pad=False)
        room = max(self.height - 2, 4)
        for start in range(0, len(rows), room):
            self.clear()
            for row in rows[start : start + room]:
                self.console.print(Segments([*row, Segment.line()]), end="")
            is_last = start + room >= len(rows)
            answer = self.ask(say("terminal.ask.back" if is_last else "terminal.ask.more") + " ")
            if answer.lower() in ("x", "q"):
                return

    def note(self, words: str) -> None:
        self.console.print(Text(words, DIM), soft_wrap=True)


@contextlib.contextmanager
def heartbeat() -> Generator[None]:
    """Wake Python regularly while it waits for a line, so that no Ctrl-C is overheard.

    One that comes between the prompt and the wait for a key would otherwise count only at the next key.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, lambda _number, _frame: None)
    signal.setitimer(signal.ITIMER_REAL, BEAT, BEAT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def watch_for_hangup() -> None:
    """A closed window or a kind kill counts as leaving: the game is saved."""

    def leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise Leave

    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


@contextlib.contextmanager
def uninterrupted() -> Generator[None]:
    """Let a move and what follows from it finish; an interruption counts afterwards."""
    caught: list[int] = []
    names = [name for name in ("SIGINT", "SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    for name in names:
        signal.signal(getattr(signal, name), lambda number, _frame: caught.append(number))
    try:
        yield
    finally:
        for name in names:
            signal.signal(getattr(signal, name), before[name])
    if caught:
        raise Leave
