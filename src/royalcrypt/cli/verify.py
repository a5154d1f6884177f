"""``royalcrypt verify``: recomputes every card and die of finished games from their secrets."""

import argparse
from collections import Counter

from royalcrypt.cli.records import RecordText, id_in, read_all, write_escaped
from royalcrypt.locales import say
from royalcrypt.notation.reasons import Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.fairness import FairnessReport, Finding, verify

NOT_ALL_FAIR, UNREADABLE = 1, 2


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="RECORD", nargs="+", help=say("verify.files"))


def run(arguments: argparse.Namespace) -> int:
    """Verify records; returns 0 only if all could be verified (a record without its secret cannot)."""
    found: Counter[bool] = Counter()

    def judge(given: RecordText) -> None:
        verdict = judge_text(given)
        found[verdict.is_good] += 1
        write_escaped(
            say("verify.line", file=given.file, line=given.line, id=id_in(given.text), verdict=verdict)
        )

    is_readable = read_all(arguments.files, judge)
    if found.total() != 1:
        write_escaped(say("verify.total", count=found.total(), good=found[True]))
    if not is_readable:
        return UNREADABLE
    return NOT_ALL_FAIR if found[False] else 0


def judge_text(given: RecordText) -> FairnessReport:
    if given.problem:
        return FairnessReport(Finding.BROKEN, why=given.problem)
    try:
        return verify(Record.parse(given.text))
    except Refusal as refusal:
        return FairnessReport(Finding.BROKEN, why=str(refusal))
    except RecursionError:
        return FairnessReport(Finding.BROKEN, why=say("check.too_deep"))
