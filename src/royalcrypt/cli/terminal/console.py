"""Terminal screen: output, paging and prompts.

Private information is shown on the alternate screen, which has no scrollback, so that nobody can scroll up to
another player's cards.
"""

import codecs
import contextlib
import signal
import sys
from collections.abc import Generator
from io import TextIOWrapper
from types import FrameType

from rich.console import Console, Group, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from royalcrypt.cli.terminal.labels import ASCII_SIGNS, DIM
from royalcrypt.locales import say

TIMER_INTERVAL = 0.25
"""Timer interval in seconds."""
SIGN_ERRORS = "royalcrypt.signs"
MAX_LINE_LENGTH = 200


def replace_sign(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler that replaces signs missing in the terminal's encoding by plain letters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = error.object[error.start : error.end].translate(ASCII_SIGNS)
    return "".join(sign if sign.isascii() else "?" for sign in plain), error.end


def is_at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def open_console() -> Console:
    codecs.register_error(SIGN_ERRORS, replace_sign)
    stream: object = sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors=SIGN_ERRORS)
    return Console(highlight=False)


class Leave(Exception):  # noqa: N818 (not an error)
    """Raised when the player leaves the game, which is then saved."""


class Screen:
    """The terminal's screen, shown one screenful at a time."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def height(self) -> int:
        return self.console.height

    @contextlib.contextmanager
    def alternate(self) -> Generator[None]:
        """Context manager that switches to the terminal's alternate screen and back."""
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

    def ask(self, prompt: str) -> str:
        """Read a line, cut to MAX_LINE_LENGTH; raises Leave at Ctrl-C and at the end of input."""
        self.console.file.flush()
        try:
            with interrupt_timer():
                line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            raise Leave from None
        except UnicodeDecodeError:
            return "\N{REPLACEMENT CHARACTER}"
        return "".join(letter for letter in line[:MAX_LINE_LENGTH] if letter.isprintable()).strip()

    def pause(self, words: str) -> None:
        self.ask(words + " ")

    def page(self, *parts: RenderableType) -> None:
        """Show long content one screenful at a time; ``x`` ends it."""
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
def interrupt_timer() -> Generator[None]:
    """Interrupt the wait for a line every TIMER_INTERVAL, so that Python handles signals.

    Otherwise a Ctrl-C between the prompt and the wait for a key would take effect only at the next key.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, lambda _number, _frame: None)
    signal.setitimer(signal.ITIMER_REAL, TIMER_INTERVAL, TIMER_INTERVAL)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def watch_for_hangup() -> None:
    """Make SIGHUP and SIGTERM raise Leave, so that the game is saved."""

    def leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise Leave

    for name in ("SIGHUP", "SIGTERM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), leave)


@contextlib.contextmanager
def uninterrupted() -> Generator[None]:
    """Delay signals until the block has ended, then raise Leave if one was received."""
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
