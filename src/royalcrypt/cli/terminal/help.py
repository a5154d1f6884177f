"""The help page: what to type, how to read the table, the rules in short, and the Collectors of this game."""

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.palette import DIM, EMBER, TYPE_COLOURS, type_name
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.play.views import View

TYPED = ("claim", "recover", "peek", "mend", "take", "reroll", "decline", "several", "other")
COMMANDS = ("menu", "help", "log", "deck", "table", "save", "quit")
RULES = ("aim", "round", "claim", "push", "recover", "collect", "last", "end")
SIGNS = ("values", "dice", "score")


def draw_help(view: View) -> RenderableType:
    parts: list[RenderableType] = [_heading("typed"), _pairs("typed", TYPED)]
    parts += [_heading("commands"), _pairs("command", COMMANDS)]
    parts += [_heading("signs"), *(_paragraph(f"sign.{name}") for name in SIGNS)]
    parts += [_heading("rules"), *(_paragraph(f"rule.{name}") for name in RULES)]
    if view.is_solo:
        parts.append(_paragraph("rule.ghost"))
    parts += [_heading("collectors"), _collectors(view)]
    return Group(*parts)


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
        table.add_row(
            Text(say(f"terminal.help.{kind}.{name}"), "bold"), say(f"terminal.help.{kind}.{name}.words")
        )
    return table


def _collectors(view: View) -> Table:
    table = Table(box=box.SIMPLE, show_header=False, padding=(0, 1))
    for letter, name, side in zip(LETTERS, TYPE_NAMES, view.collectors, strict=True):
        table.add_row(
            Text(f"{type_name(letter)} {side}", f"bold {TYPE_COLOURS[letter]}"),
            say(f"collector.{name}.{side}.full"),
        )
    return table
