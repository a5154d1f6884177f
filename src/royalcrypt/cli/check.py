"""``royalcrypt check``: replay game records and report any that do not follow the rules."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import IO, Any

from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

BROKEN, UNREADABLE = 1, 2
STANDARD_INPUT = "-"
LONGEST = 1 << 24
"""Bytes of a line: a thousand times the length of a record."""
LONGEST_WORDS = 1000


class Finding(StrEnum):
    SOUND = "sound"
    BROKEN = "broken"
    VIEWERS = "viewers"
    UNFINISHED = "unfinished"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help=say("check.files"))


def run(arguments: argparse.Namespace) -> int:
    found: Counter[Finding] = Counter()
    is_unreadable = False
    for path in arguments.files:
        try:
            check_file(path, found)
        except BrokenPipeError:
            raise
        except OSError as error:
            is_unreadable = True
            refusal = Refusal(Reason.CANNOT_READ, file=path, why=error.strerror or str(error))
            tell(f"royalcrypt: {refusal}", to=sys.stderr)
    tell(total(found))
    if is_unreadable:
        return UNREADABLE
    return BROKEN if found[Finding.BROKEN] else 0


def check_file(path: str, found: Counter[Finding]) -> None:
    for number, line in lines_of(path):
        finding, about = check_line(line)
        found[finding] += 1
        if finding is not Finding.SOUND:
            file = say("check.standard_input") if path == STANDARD_INPUT else path
            tell(say(f"check.{finding}", file=file, line=number, **about))


def lines_of(path: str) -> Iterator[tuple[int, bytes]]:
    """The lines that hold anything, with their numbers from 1; of one too long, what shows that it is."""
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
        number = 0
        while line := file.readline(LONGEST + 1):
            number += 1
            if len(line) > LONGEST:
                skip_line(file)
            if line.strip():
                yield number, line


def skip_line(file: IO[bytes]) -> None:
    while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
        pass


def check_line(line: bytes) -> tuple[Finding, dict[str, str]]:
    """What one record is worth, and for the words about it its id and what is wrong."""
    if len(line) > LONGEST:
        return Finding.BROKEN, {"id": say("check.unnamed"), "why": say("check.too_long", most=LONGEST)}
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return Finding.BROKEN, {"id": say("check.unnamed"), "why": say("check.not_text")}
    finding, why = judge(text)
    return finding, {"id": id_in(text), "why": why}


def judge(text: str) -> tuple[Finding, str]:
    try:
        record = Record.parse(text)
        game = replay(record)
    except Refusal as refusal:
        if refusal.reason is Reason.VIEWERS_RECORD:
            return Finding.VIEWERS, ""
        return Finding.BROKEN, str(refusal)
    except RecursionError:
        return Finding.BROKEN, say("check.too_deep")
    if not game.is_over:
        return Finding.UNFINISHED, ""
    return (Finding.SOUND, "") if record.result else (Finding.BROKEN, say("check.no_result"))


def id_in(text: str) -> str:
    """The game's id, also of a record that cannot be read otherwise."""
    try:
        found: Any = json.loads(text)["game"]["id"]
    except (ValueError, RecursionError, LookupError, TypeError):
        found = None
    return found if isinstance(found, str) else say("check.unnamed")


def total(found: Counter[Finding]) -> str:
    sound = found[Finding.SOUND]
    if sound == found.total():
        return say("check.all_sound", count=sound)
    return say(
        "check.total",
        count=sound,
        broken=found[Finding.BROKEN],
        viewers=found[Finding.VIEWERS],
        unfinished=found[Finding.UNFINISHED],
    )


def tell(words: str, to: Any = None) -> None:
    """Print one line; what a stranger's file brought along cannot end it, nor upset the terminal."""
    stream = to or sys.stdout
    if len(words) > LONGEST_WORDS:
        words = words[:LONGEST_WORDS] + " …"
    shown = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in words)
    encoding = stream.encoding or "utf-8"
    print(shown.encode(encoding, "backslashreplace").decode(encoding), file=stream)
