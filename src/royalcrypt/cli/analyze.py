"""``royalcrypt analyze``: grades recorded games, decision by decision."""

import argparse
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from royalcrypt.bots.wording import fact_in_words, figure, move_on_row
from royalcrypt.cli import options, refuse
from royalcrypt.cli.output import columns, progress, report, show, why, write_json, writing
from royalcrypt.cli.records import RecordText, as_text, pieces_of
from royalcrypt.locales import say
from royalcrypt.notation.moves import Move
from royalcrypt.notation.reasons import HEAD, Reason, Refusal
from royalcrypt.notation.records import Record
from royalcrypt.play.replay import replay

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from royalcrypt.lab.analysis import Analysis, GradedDecision, Split

MIN_SIMULATIONS, DEFAULT_SIMULATIONS, MAX_SIMULATIONS = 16, 256, 100_000
MARKS = {"slip": "yellow", "mistake": "dark_orange", "blunder": "bold red"}
"""Maps the grades that are highlighted to their colours."""
MAX_NAME_LENGTH = 20


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help=say("analyze.record"))
    options.add(
        parser, "analyze", game="N", seat="N", simulations="N", language="LANGUAGE", plot="FILE", json=""
    )
    options.add_worker_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Grade the requested games; all arguments are checked before the analysis begins."""
    from royalcrypt.lab import backends

    language = options.read_language(arguments.language)
    simulations = options.read_number(
        arguments, "simulations", DEFAULT_SIMULATIONS, least=MIN_SIMULATIONS, most=MAX_SIMULATIONS
    )
    records = read_records(arguments.record, arguments.game)
    seats = [options.read_number(arguments, "seat", None, most=record.players) for record in records]
    if arguments.plot is not None:
        check_plottable(arguments.plot, records)
    pool = options.read_worker_pool(arguments)
    if not backends.can_compile():
        return refuse(say("analyze.needs"))
    from royalcrypt.lab.analysis import analyse, must_compile
    from royalcrypt.lab.evaluation import EvaluationBudget

    if must_compile():
        report(say("analyze.compiling"))
    rounds = sum(replay(record).round for record in records)
    budget = EvaluationBudget.of(simulations)
    with pool as workers, progress(say("analyze.looking"), rounds) as advance:
        for record, seat in zip(records, seats, strict=True):
            analysis = analyse(record, budget=budget, pool=workers, on_round=advance)
            if seat is not None:
                analysis = analysis.of_seat(seat - 1)
            if arguments.plot is not None:
                draw(analysis, arguments.plot)
            if arguments.json:
                write_json({"id": record.id, **analysis.to_dict(language)}, ensure_ascii=False)
            else:
                show_analysis(analysis, record, language)
    return 0


def read_records(path: str, game: str | None) -> list[Record]:
    """Read all records of a file, or the requested one; each is replayed to check it."""
    try:
        texts = [as_text(path, line, found) for line, found in pieces_of(path)]
    except OSError as error:
        raise Refusal(Reason.CANNOT_READ, file=path, why=why(error)) from None
    if not texts:
        raise Refusal(Reason.NOT_A_RECORD, n=HEAD, field="JSON")
    is_one_of_many = len(texts) > 1
    if game is not None:
        texts = [texts[options.whole("game", game, most=len(texts)) - 1]]
    return [read_record(text, is_one_of_many=is_one_of_many) for text in texts]


def read_record(given: RecordText, *, is_one_of_many: bool) -> Record:
    """Parse and replay a record; if it is one of many, errors name its position in the file."""
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


def check_plottable(file: Path, records: list[Record]) -> None:
    from royalcrypt.lab.plots import must_be_plottable

    must_be_plottable(file)
    if len(records) > 1:
        raise Refusal(Reason.OPTION_WITHOUT, option="plot", needed="game")


def draw(analysis: "Analysis", file: Path) -> None:
    from royalcrypt.lab.plots import draw_analysis

    with writing(file):
        draw_analysis(analysis, file)
    report(say("analyze.drawn", file=str(file)))


def show_analysis(analysis: "Analysis", record: Record, language: str) -> None:
    show(say("analyze.title", id=printable(record.id or say("analyze.unnamed"))))
    for number, decisions in groupby(analysis.decisions, key=lambda decision: decision.round):
        show(round_table(analysis, number, list(decisions), language))
    show(grade_counts(analysis) if analysis.decisions else say("analyze.nothing"))
    if not analysis.is_over:
        show(say("analyze.unfinished", round=analysis.moments[-1].round))
    show(split_table(analysis, is_coins=False), split_table(analysis, is_coins=True), say("analyze.method"))


def printable(text: str) -> str:
    """Return text from a record shortened and without control characters."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in text)
    return shown if len(shown) <= MAX_NAME_LENGTH else shown[: MAX_NAME_LENGTH - 1] + "…"


def label(analysis: "Analysis", seat: int) -> str:
    """Return the player's number, by which reasons refer to the player, followed by the name."""
    name = printable(analysis.names[analysis.seats.index(seat)])
    return name if analysis.players == 1 else f"{seat + 1} {name}"


def round_table(
    analysis: "Analysis", number: int, decisions: "list[GradedDecision]", language: str
) -> "Table":
    from rich.text import Text

    is_solo = analysis.players == 1
    names = ("move", "played", "score", "lost") if is_solo else ("move", "player", "played", "wins", "lost")
    title = say("analyze.round", round=number)
    table = columns(
        "analyze.column", *names, left=("player", "played"), title=title, title_justify="left", expand=True
    )
    for name, column in zip(names, table.columns, strict=True):
        column.no_wrap = name not in ("player", "played")
        column.ratio = 1 if name == "played" else None
    for decision in decisions:
        player = () if is_solo else (label(analysis, decision.seat),)
        expected = figure(decision.score, language) if is_solo else percent(decision.wins)
        lost = figure(decision.lost, language) if is_solo else percent(decision.lost)
        style = MARKS.get(decision.grade, "dim")
        cost = Text(lost if decision.lost else "–", style)
        table.add_row(str(decision.move), *player, judgement(decision, language), expected, cost)
    return table


def judgement(decision: "GradedDecision", language: str) -> "Text":
    """Return the played move and, for highlighted grades, the better move with its reasons."""
    from rich.text import Text

    text = Text.assemble(*move_words(decision, decision.played, language))
    if decision.grade not in MARKS:
        return text
    text.append(f"\n{say(f'analyze.grade.{decision.grade}')}", MARKS[decision.grade])
    text.append_tokens([(f" {say('analyze.better')} ", None), *move_words(decision, decision.best, language)])
    for fact in decision.facts:
        text.append(f"\n  · {fact_in_words(fact, language)}")
    return text


def move_words(decision: "GradedDecision", move: Move, language: str) -> list[tuple[str, str]]:
    """Return a move in notation, and in words if these differ."""
    words = move_on_row(decision.row, move, language)
    spelled = str(move)
    return [(spelled, "bold"), ("" if words == spelled else f"  {words}", "dim")]


def grade_counts(analysis: "Analysis") -> str:
    found = Counter(str(decision.grade) for decision in analysis.decisions)
    counts: dict[str, Any] = {grade: found[grade] for grade in MARKS}
    return say("analyze.grades", fine=found["good"] + found["best"], **counts)


def split_table(analysis: "Analysis", *, is_coins: bool) -> "Table":
    from royalcrypt.lab.attribution import CAUSES

    splits = analysis.coins if is_coins else analysis.wins
    title = say(f"analyze.split.{'coins' if is_coins else 'titles' if analysis.players == 1 else 'wins'}")
    last = "final" if analysis.is_over else "now"
    names = ("player", "expected", *CAUSES, last)
    table = columns("analyze.split", *names, left=("player",), title=title, title_justify="left")
    for seat, split in zip(analysis.seats, splits, strict=True):
        table.add_row(label(analysis, seat), *split_row(split, CAUSES, is_coins=is_coins))
    return table


def split_row(split: "Split", causes: tuple[str, ...], *, is_coins: bool) -> list[str]:
    def amount(number: float) -> str:
        return f"{number:.1f}" if is_coins else percent(number)

    def added(number: float) -> str:
        return ("+" if number >= 0 else "−") + amount(abs(number))

    return [amount(split.expected), *(added(getattr(split, cause)) for cause in causes), amount(split.final)]


def percent(chance: float) -> str:
    """Format a probability as a percentage with one decimal."""
    return f"{100 * chance:.1f}%"
