"""Reader for untrusted files of game records, of any length and content."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, NamedTuple

from royalcrypt.cli.output import why
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

STANDARD_INPUT = "-"
MAX_BYTES = 1 << 24
"""Maximum size of a record in bytes; typical records have a thousandth of that."""
MAX_MESSAGE_LENGTH = 1000


class RecordText(NamedTuple):
    """The text and position of a record; or, without text, the problem that made it unreadable."""

    file: str
    line: int
    text: str
    problem: str = ""


def read_all(paths: list[str], judge: Callable[[RecordText], None]) -> bool:
    """Call ``judge`` for every record; returns False if a file could not be read, which is printed."""
    is_readable = True
    for path in paths:
        name = say("check.standard_input") if path == STANDARD_INPUT else path
        try:
            for number, found in pieces_of(path):
                judge(as_text(name, number, found))
        except BrokenPipeError:
            raise
        except OSError as error:
            is_readable = False
            refusal = Refusal(Reason.CANNOT_READ, file=path, why=why(error))
            write_escaped(f"royalcrypt: {refusal}", to=sys.stderr)
    return is_readable


def as_text(file: str, line: int, found: bytes) -> RecordText:
    if len(found) > MAX_BYTES:
        return RecordText(file, line, "", say("check.too_long", most=MAX_BYTES))
    try:
        return RecordText(file, line, found.decode("utf-8"))
    except UnicodeDecodeError:
        return RecordText(file, line, "", say("check.not_text"))


def pieces_of(path: str) -> Iterator[tuple[int, bytes]]:
    """Yield each non-blank line with its number, or the whole file if it is one multi-line record."""
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
        first = file.readline(MAX_BYTES + 1)
        if not first.lstrip().startswith(b"{") or first.rstrip().endswith(b"}") or len(first) > MAX_BYTES:
            yield from lines_of(first, file)
            return
        whole = first + file.read(MAX_BYTES + 1 - len(first))
        if len(whole) <= MAX_BYTES and is_json(whole):
            yield 1, whole
        else:
            yield from lines_of(whole, file)


def lines_of(begun: bytes, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines, first from bytes already read, then from the file; long lines are cut."""
    start = io.BytesIO(begun)

    def readline(most: int) -> bytes:
        line = start.readline(most)
        if len(line) < most and not line.endswith(b"\n"):
            line += file.readline(most - len(line))
        return line

    number = 0
    while line := readline(MAX_BYTES + 1):
        number += 1
        if len(line) > MAX_BYTES:
            while (rest := readline(MAX_BYTES)) and not rest.endswith(b"\n"):
                pass
        if line.strip():
            yield number, line


def is_json(found: bytes) -> bool:
    try:
        json.loads(found)
    except (ValueError, RecursionError):
        return False
    return True


def id_in(text: str) -> str:
    """Return the game's id, even if the rest of the record cannot be read."""
    try:
        found: Any = json.loads(text)["game"]["id"]
    except (ValueError, RecursionError, LookupError, TypeError):
        found = None
    return found if isinstance(found, str) else say("check.unnamed")


def write_escaped(words: str, to: Any = None) -> None:
    """Print one line, shortened, with control characters and unencodable characters escaped."""
    stream = to or sys.stdout
    if len(words) > MAX_MESSAGE_LENGTH:
        words = words[:MAX_MESSAGE_LENGTH] + " …"
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)
    encoding = stream.encoding or "utf-8"
    print(shown.encode(encoding, "backslashreplace").decode(encoding), file=stream)
