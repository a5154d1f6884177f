"""Reading files of game records for the commands that judge them, whatever is in them."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import IO, Any, NamedTuple

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal

STANDARD_INPUT = "-"
LONGEST = 1 << 24
"""Bytes of a record: a thousand times the usual length."""
LONGEST_WORDS = 1000


class Text(NamedTuple):
    """What may be a record, and where it was found; or, without text, why it cannot be one."""

    file: str
    line: int
    text: str
    problem: str = ""


def read_all(paths: list[str], judge: Callable[[Text], None]) -> bool:
    """Judge every record; False if a file could not be read, which is said and does not stop the others."""
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
            refusal = Refusal(Reason.CANNOT_READ, file=path, why=error.strerror or str(error))
            tell(f"royalcrypt: {refusal}", to=sys.stderr)
    return is_readable


def as_text(file: str, line: int, found: bytes) -> Text:
    if len(found) > LONGEST:
        return Text(file, line, "", say("check.too_long", most=LONGEST))
    try:
        return Text(file, line, found.decode("utf-8"))
    except UnicodeDecodeError:
        return Text(file, line, "", say("check.not_text"))


def pieces_of(path: str) -> Iterator[tuple[int, bytes]]:
    """Each line that holds anything, with its number; or the whole, if that is one record in many lines."""
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
        first = file.readline(LONGEST + 1)
        if not first.lstrip().startswith(b"{") or first.rstrip().endswith(b"}") or len(first) > LONGEST:
            yield from lines_of(first, file)
            return
        whole = first + file.read(LONGEST + 1 - len(first))
        if len(whole) <= LONGEST and is_json(whole):
            yield 1, whole
        else:
            yield from lines_of(whole, file)


def lines_of(begun: bytes, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Of a line too long, as much as shows that it is."""
    lines = Rejoined(begun, file)
    number = 0
    while line := lines.readline(LONGEST + 1):
        number += 1
        if len(line) > LONGEST:
            while (rest := lines.readline(LONGEST)) and not rest.endswith(b"\n"):
                pass
        if line.strip():
            yield number, line


class Rejoined:
    """A file of which some was read already."""

    def __init__(self, begun: bytes, file: IO[bytes]) -> None:
        self._begun = io.BytesIO(begun)
        self._file = file

    def readline(self, most: int) -> bytes:
        line = self._begun.readline(most)
        if len(line) < most and not line.endswith(b"\n"):
            line += self._file.readline(most - len(line))
        return line


def is_json(found: bytes) -> bool:
    try:
        json.loads(found)
    except (ValueError, RecursionError):
        return False
    return True


def id_in(text: str) -> str:
    """The game's id, also of a record that cannot be read otherwise."""
    try:
        found: Any = json.loads(text)["game"]["id"]
    except (ValueError, RecursionError, LookupError, TypeError):
        found = None
    return found if isinstance(found, str) else say("check.unnamed")


def tell(words: str, to: Any = None) -> None:
    """Print one line; what a stranger's file brought along cannot end it, nor upset the terminal."""
    stream = to or sys.stdout
    if len(words) > LONGEST_WORDS:
        words = words[:LONGEST_WORDS] + " …"
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)
    encoding = stream.encoding or "utf-8"
    print(shown.encode(encoding, "backslashreplace").decode(encoding), file=stream)
