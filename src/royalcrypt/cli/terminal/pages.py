"""Full-screen pages: help, unseen cards, and the final score sheet."""

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.labels import (
    DIM,
    EMBER,
    GOLD,
    TYPE_COLOURS,
    SeatLabels,
    collector_name,
    type_name,
)
from royalcrypt.cli.terminal.table import card_mark
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.play.views import View
from royalcrypt.rules.layout import VALUES

TYPED = ("claim", "recover", "peek", "mend", "take", "reroll", "decline", "several", "other")
COMMANDS = ("menu", "help", "log", "deck", "table", "save", "quit")
RULES = ("aim", "round", "claim", "push", "recover", "collect", "last", "end")
SIGNS = ("values", "dice", "score")


def draw_help(view: View) -> RenderableType:
    """Draw the help page: commands, signs, a summary of the rules, and the game's Collectors."""
    parts: list[RenderableType] = [_heading("typed"), _pairs("typed", TYPED)]
    parts += [_heading("commands"), _pairs("command", COMMANDS)]
    parts += [_heading("signs"), *(_paragraph(f"sign.{name}") for name in SIGNS)]
    parts += [_heading("rules"), *(_paragraph(f"rule.{name}") for name in RULES)]
    if view.is_solo:
        parts.append(_paragraph("rule.ghost"))
    collectors = Table(box=box.SIMPLE, show_header=False, padding=(0, 1))
    for letter, name, side in zip(LETTERS, TYPE_NAMES, view.collectors, strict=True):
        collectors.add_row(collector_name(letter, side), say(f"collector.{name}.{side}.full"))
    return Group(*parts, _heading("collectors"), collectors)


def _heading(name: str) -> Text:
    return Text(say(f"terminal.help.{name}"), f"bold {EMBER}")


def _paragraph(name: str) -> Table:
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_row(Text("·", DIM), Text(say(f"terminal.help.{name}")))
    return table


def _pairs(kind: str, names: tuple[str, ...]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    for name in names:
        key = f"terminal.help.{kind}.{name}"
        table.add_row(Text(say(key), "bold"), say(f"{key}.words"))
    return table


def draw_unseen(view: View) -> RenderableType:
    """Draw unseen cards by type and value (R11.5: those the viewer cannot place), and open discards."""
    table = Table(
        box=box.SIMPLE_HEAD, title=say("terminal.deck.title"), title_justify="left", title_style="bold"
    )
    table.add_column("")
    for value in range(1, VALUES + 1):
        table.add_column(str(value), justify="right")
    table.add_column(say("terminal.deck.discards"))
    for letter in LETTERS:
        gone = " ".join(card_mark(card) for card in view.discards if card.type == letter)
        counts = [Text(str(count) if count else "-", "" if count else DIM) for count in view.unseen[letter]]
        name = Text(type_name(letter), f"bold {TYPE_COLOURS[letter]}")
        table.add_row(name, *counts, Text(gone or "-", DIM))
    return table


def draw_sheet(result: dict[str, Any], collectors: str, people: SeatLabels) -> RenderableType:
    """Draw the score sheet: a column per player with treasure, Collectors, servants, total and place."""
    table = Table(
        box=box.ROUNDED, border_style=DIM, title=say("terminal.sheet.title"), title_style=f"bold {EMBER}"
    )
    table.add_column("")
    seats = range(len(people.seats))
    for seat in seats:
        table.add_column(people.mark(seat), justify="right", min_width=6)
    breakdown = result["breakdown"]
    table.add_row(say("terminal.sheet.treasure"), *(str(breakdown[seat]["treasure"]) for seat in seats))
    for letter, name, side in zip(LETTERS, TYPE_NAMES, collectors, strict=True):
        paid = [breakdown[seat]["collectors"][name] for seat in seats]
        cells = [Text(f"+{coins}" if coins else "-", "" if coins else DIM) for coins in paid]
        table.add_row(Text(f"{type_name(letter)} {side}", TYPE_COLOURS[letter]), *cells)
    table.add_row(say("terminal.sheet.servants"), *(f"+{breakdown[seat]['servants']}" for seat in seats))
    table.add_section()
    totals = (Text(str(score), f"bold {GOLD}") for score in result["scores"])
    table.add_row(Text(say("terminal.sheet.total"), "bold"), *totals)
    title = result["title"]
    if title is not None:
        rank = say("terminal.sheet.rank", title=say(f"terminal.rank.{title}"))
        praise = Text(say(f"terminal.rank.{title}.words"), "italic")
        return Group(table, Text(rank, f"bold {EMBER}"), praise)
    places = [say("terminal.sheet.place", place=place) for place in result["places"]]
    table.add_row(say("terminal.sheet.places"), *places)
    return Group(table, Text(_winners(result, people), f"bold {EMBER}"))


def _winners(result: dict[str, Any], people: SeatLabels) -> str:
    names = [people.name(seat) for seat in result["winners"]]
    if len(names) > 1:
        return say("terminal.sheet.shared", names=", ".join(names))
    is_tie = result["scores"].count(max(result["scores"])) > 1
    whose = "you" if people.viewer in result["winners"] else "they"
    return say(f"terminal.sheet.{'won_tie' if is_tie else 'won'}.{whose}", name=names[0])
