"""An analysis as tables for people."""

from collections import Counter
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from royalcrypt.bots.wording import fact_in_words, figure, move_on_row
from royalcrypt.lab.analysis import Analysis, Decision, Grade, Split
from royalcrypt.lab.ledger import CAUSES
from royalcrypt.locales import say
from royalcrypt.notation.moves import Move
from royalcrypt.notation.records import Record

MARKS = {Grade.SLIP: "yellow", Grade.MISTAKE: "dark_orange", Grade.BLUNDER: "bold red"}
"""Grades that are marked, and how."""
LONGEST_NAME = 20


def print_analysis(analysis: Analysis, record: Record, language: str) -> None:
    console = Console(highlight=False)
    console.print(say("analyze.title", id=shown(record.id or say("analyze.unnamed"))), markup=False)
    for number, decisions in groupby(analysis.decisions, key=lambda decision: decision.round):
        console.print(round_table(analysis, number, list(decisions), language))
    if not analysis.decisions:
        console.print(say("analyze.nothing"))
    else:
        console.print(grades(analysis))
    if not analysis.is_over:
        console.print(say("analyze.unfinished", round=analysis.moments[-1].round))
    console.print(split_table(analysis, is_coins=False))
    console.print(split_table(analysis, is_coins=True))
    console.print(say("analyze.method"))


def shown(text: str) -> str:
    """What a stranger's record brought along cannot upset the terminal."""
    printable = "".join(sign if sign.isprintable() else "?" for sign in text)
    return printable if len(printable) <= LONGEST_NAME else printable[: LONGEST_NAME - 1] + "…"


def named(analysis: Analysis, seat: int) -> str:
    """With the number by which reasons speak of a player."""
    name = shown(analysis.names[analysis.seats.index(seat)])
    return name if analysis.players == 1 else f"{seat + 1} {name}"


def round_table(analysis: Analysis, number: int, decisions: list[Decision], language: str) -> Table:
    is_solo = analysis.players == 1
    table = Table(title=say("analyze.round", round=number), title_justify="left", expand=True)
    for name in ("move", *(() if is_solo else ("player",)), "played", "score" if is_solo else "wins", "lost"):
        is_figure = name in ("move", "wins", "score", "lost")
        ratio = 1 if name == "played" else None
        justify = "right" if is_figure else "left"
        table.add_column(say(f"analyze.column.{name}"), justify=justify, no_wrap=is_figure, ratio=ratio)
    for decision in decisions:
        player = [] if is_solo else [Text(named(analysis, decision.seat))]
        expected = figure(decision.score, language) if is_solo else percent(decision.wins)
        lost = figure(decision.lost, language) if is_solo else percent(decision.lost)
        style = MARKS.get(decision.grade, "dim")
        told = judgement(decision, language)
        table.add_row(
            str(decision.move), *player, told, expected, Text(lost if decision.lost else "–", style)
        )
    return table


def judgement(decision: Decision, language: str) -> Text:
    """What was played; if that is marked, the better move with its reasons."""
    told = Text.assemble(*in_words(decision, decision.played, language))
    if decision.grade not in MARKS:
        return told
    told.append(f"\n{say(f'analyze.grade.{decision.grade}')}", MARKS[decision.grade])
    told.append_tokens([(f" {say('analyze.better')} ", None), *in_words(decision, decision.best, language)])
    for fact in decision.facts:
        told.append(f"\n  · {fact_in_words(fact, language)}")
    return told


def in_words(decision: Decision, move: Move, language: str) -> list[tuple[str, str]]:
    """Notation, and what it means unless that is the same."""
    words = move_on_row(decision.row, move, language)
    spelled = str(move)
    return [(spelled, "bold"), ("" if words == spelled else f"  {words}", "dim")]


def grades(analysis: Analysis) -> str:
    found = Counter(decision.grade for decision in analysis.decisions)
    fine = found[Grade.GOOD] + found[Grade.BEST]
    slips, mistakes, blunders = (found[grade] for grade in MARKS)
    return say("analyze.grades", fine=fine, slip=slips, mistake=mistakes, blunder=blunders)


def split_table(analysis: Analysis, *, is_coins: bool) -> Table:
    splits = analysis.coins if is_coins else analysis.wins
    title = "coins" if is_coins else "titles" if analysis.players == 1 else "wins"
    table = Table(title=say(f"analyze.split.{title}"), title_justify="left")
    last = "final" if analysis.is_over else "now"
    for name in ("player", "expected", *CAUSES, last):
        table.add_column(say(f"analyze.split.{name}"), justify="left" if name == "player" else "right")
    for seat, split in zip(analysis.seats, splits, strict=True):
        table.add_row(Text(named(analysis, seat)), *split_row(split, is_coins=is_coins))
    return table


def split_row(split: Split, *, is_coins: bool) -> list[str]:
    def amount(number: float) -> str:
        return f"{number:.1f}" if is_coins else percent(number)

    def added(number: float) -> str:
        return ("+" if number >= 0 else "−") + amount(abs(number))

    return [amount(split.expected), *(added(getattr(split, cause)) for cause in CAUSES), amount(split.final)]


def percent(chance: float) -> str:
    """Narrow, and with the decimal that small losses need."""
    return f"{100 * chance:.1f}%"
