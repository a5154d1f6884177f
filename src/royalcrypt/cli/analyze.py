"""``royalcrypt analyze``: grades recorded games, decision by decision."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from royalcrypt.cli import BAD_INPUT, why
from royalcrypt.cli.advise import read_language
from royalcrypt.cli.crews import crew_from, describe_crew
from royalcrypt.cli.numbers import whole
from royalcrypt.cli.progress import progress
from royalcrypt.cli.records import RecordText, as_text, pieces_of
from royalcrypt.cli.simulate import tell
from royalcrypt.locales import say
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

if TYPE_CHECKING:
    from royalcrypt.lab.analysis import Analysis

LEAST_SIMULATIONS, USUAL_SIMULATIONS, MOST_SIMULATIONS = 16, 256, 100_000


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help=say("analyze.record"))
    for name, shown in (("game", "N"), ("seat", "N"), ("simulations", "N"), ("language", "LANGUAGE")):
        parser.add_argument(f"--{name}", metavar=shown, help=say(f"analyze.{name}"))
    parser.add_argument("--plot", metavar="FILE", type=Path, help=say("analyze.plot"))
    parser.add_argument("--json", action="store_true", help=say("analyze.json"))
    describe_crew(parser)


def run(arguments: argparse.Namespace) -> int:
    """All arguments are checked before the analysis begins."""
    from royalcrypt.lab.carriers import can_compile

    language = read_language(arguments.language)
    simulations = read_simulations(arguments.simulations)
    records = read_records(arguments.record, arguments.game)
    seats = [read_seat(arguments.seat, record) for record in records]
    if arguments.plot is not None:
        must_be_drawable(arguments.plot, records)
    crew_of_it = crew_from(arguments)
    if not can_compile():
        tell(f"royalcrypt: {say('analyze.needs')}")
        return BAD_INPUT
    from royalcrypt.lab.analysis import analyse, must_compile
    from royalcrypt.lab.reckoning import Effort

    if must_compile():
        tell(say("analyze.compiling"))
    rounds = sum(replay(record).round for record in records)
    with crew_of_it as crew, progress(say("analyze.looking"), rounds) as advance:
        for record, seat in zip(records, seats, strict=True):
            found = analyse(record, effort=Effort.of(simulations), crew=crew, tell=advance)
            show(found if seat is None else found.of_seat(seat), record, language, arguments)
    return 0


def read_simulations(text: str | None) -> int:
    if text is None:
        return USUAL_SIMULATIONS
    return whole("simulations", text, least=LEAST_SIMULATIONS, most=MOST_SIMULATIONS)


def read_seat(text: str | None, record: Record) -> int | None:
    return None if text is None else whole("seat", text, least=1, most=record.players) - 1


def read_records(path: str, game: str | None) -> list[Record]:
    """All records of a file, or the requested one; each is replayed to check it."""
    try:
        texts = [as_text(path, line, found) for line, found in pieces_of(path)]
    except OSError as error:
        raise Refusal(Reason.CANNOT_READ, file=path, why=why(error)) from None
    if not texts:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON")
    is_one_of_many = len(texts) > 1
    if game is not None:
        texts = [texts[whole("game", game, least=1, most=len(texts)) - 1]]
    return [read_record(text, is_one_of_many=is_one_of_many) for text in texts]


def read_record(given: RecordText, *, is_one_of_many: bool) -> Record:
    """Parse and replay a record. If it is one of many, a Refusal says where it is."""
    place = f"{given.file}:{given.line}" if is_one_of_many else given.file
    if given.problem:
        raise unreadable(place, given.problem)
    try:
        record = Record.parse(given.text)
        replay(record)
    except RecursionError:
        raise unreadable(place, say("check.too_deep")) from None
    except Refusal as refusal:
        raise unreadable(place, str(refusal)) if is_one_of_many else refusal from None
    return record


def unreadable(place: str, problem: str) -> Refusal:
    return Refusal(Reason.CANNOT_READ, file=place, why=problem.removesuffix("."))


def must_be_drawable(file: Path, records: list[Record]) -> None:
    from royalcrypt.lab.plots import must_be_plottable

    must_be_plottable(file)
    if len(records) > 1:
        raise Refusal(Reason.OPTION_WITHOUT, option="plot", needed="game")


def show(analysis: "Analysis", record: Record, language: str, arguments: argparse.Namespace) -> None:
    if arguments.plot is not None:
        draw(analysis, arguments.plot)
    if arguments.json:
        told = {"id": record.id, **analysis.to_dict(language)}
        print(json.dumps(told, ensure_ascii=False))  # noqa: T201
        return
    from royalcrypt.cli.hindsight import print_analysis

    print_analysis(analysis, record, language)


def draw(analysis: "Analysis", file: Path) -> None:
    from royalcrypt.lab.analysis_plots import draw_analysis

    try:
        draw_analysis(analysis, file)
    except OSError as error:
        raise Refusal(Reason.CANNOT_WRITE, file=str(file), why=why(error)) from None
    tell(say("analyze.drawn", file=str(file)))
