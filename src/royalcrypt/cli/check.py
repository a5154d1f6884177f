"""``royalcrypt check``: replays game records and reports those that break the rules."""

import argparse
from collections import Counter
from enum import StrEnum
from typing import Any

from royalcrypt.cli.records import RecordText, id_in, read_all, write_escaped
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

BROKEN, UNREADABLE = 1, 2


class CheckResult(StrEnum):
    SOUND = "sound"
    BROKEN = "broken"
    VIEWERS = "viewers"
    UNFINISHED = "unfinished"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help=say("check.files"))


def run(arguments: argparse.Namespace) -> int:
    found: Counter[CheckResult] = Counter()

    def check(given: RecordText) -> None:
        finding, about = check_text(given)
        found[finding] += 1
        if finding is not CheckResult.SOUND:
            write_escaped(say(f"check.{finding}", file=given.file, line=given.line, **about))

    is_readable = read_all(arguments.files, check)
    write_escaped(total(found))
    if not is_readable:
        return UNREADABLE
    return BROKEN if found[CheckResult.BROKEN] else 0


def check_text(given: RecordText) -> tuple[CheckResult, dict[str, str]]:
    """Check one record; returns the result, and the game's id and fault for the message."""
    finding, why = (CheckResult.BROKEN, given.problem) if given.problem else check_record(given.text)
    return finding, {"id": id_in(given.text), "why": why}


def check_record(text: str) -> tuple[CheckResult, str]:
    try:
        record = Record.parse(text)
        game = replay(record)
    except Refusal as refusal:
        if refusal.reason is Reason.VIEWERS_RECORD:
            return CheckResult.VIEWERS, ""
        return CheckResult.BROKEN, str(refusal)
    except RecursionError:
        return CheckResult.BROKEN, say("check.too_deep")
    if not game.is_over:
        return CheckResult.UNFINISHED, ""
    return (CheckResult.SOUND, "") if record.result else (CheckResult.BROKEN, say("check.no_result"))


def total(found: Counter[CheckResult]) -> str:
    sound = found[CheckResult.SOUND]
    if sound == found.total():
        return say("check.all_sound", count=sound)
    others: dict[str, Any] = {
        str(finding): found[finding] for finding in CheckResult if finding is not CheckResult.SOUND
    }
    return say("check.total", count=sound, **others)
