"""``royalcrypt check``: replay game records and report any that do not follow the rules."""

import argparse
from collections import Counter
from enum import StrEnum

from royalcrypt.cli.records import Text, id_in, read_all, tell
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

BROKEN, UNREADABLE = 1, 2


class Finding(StrEnum):
    SOUND = "sound"
    BROKEN = "broken"
    VIEWERS = "viewers"
    UNFINISHED = "unfinished"


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help=say("check.files"))


def run(arguments: argparse.Namespace) -> int:
    found: Counter[Finding] = Counter()

    def check(given: Text) -> None:
        finding, about = check_text(given)
        found[finding] += 1
        if finding is not Finding.SOUND:
            tell(say(f"check.{finding}", file=given.file, line=given.line, **about))

    is_readable = read_all(arguments.files, check)
    tell(total(found))
    if not is_readable:
        return UNREADABLE
    return BROKEN if found[Finding.BROKEN] else 0


def check_text(given: Text) -> tuple[Finding, dict[str, str]]:
    """What one record is worth, and for the words about it its id and what is wrong."""
    finding, why = (Finding.BROKEN, given.problem) if given.problem else judge(given.text)
    return finding, {"id": id_in(given.text), "why": why}


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
