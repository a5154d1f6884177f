"""The score sheet at the end."""

from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.palette import DIM, EMBER, GOLD, TYPE_COLOURS, type_name
from royalcrypt.cli.terminal.people import People
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES


def draw_sheet(result: dict[str, Any], collectors: str, people: People) -> RenderableType:
    """A column a player: treasure, each Collector, servants, total and place."""
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
    table.add_row(
        Text(say("terminal.sheet.total"), "bold"),
        *(Text(str(result["scores"][seat]), f"bold {GOLD}") for seat in seats),
    )
    if result["title"] is None:
        places = [say("terminal.sheet.place", place=result["places"][seat]) for seat in seats]
        table.add_row(say("terminal.sheet.places"), *places)
        return Group(table, _winners(result, people))
    return Group(table, *_title(result["title"]))


def _winners(result: dict[str, Any], people: People) -> Text:
    names = [people.name(seat) for seat in result["winners"]]
    if len(names) > 1:
        return Text(say("terminal.sheet.shared", names=", ".join(names)), f"bold {EMBER}")
    is_tie = result["scores"].count(max(result["scores"])) > 1
    key = "terminal.sheet.won_tie" if is_tie else "terminal.sheet.won"
    whose = "you" if people.viewer in result["winners"] else "they"
    return Text(say(f"{key}.{whose}", name=names[0]), f"bold {EMBER}")


def _title(rank: str) -> list[Text]:
    return [
        Text(say("terminal.sheet.rank", title=say(f"terminal.rank.{rank}")), f"bold {EMBER}"),
        Text(say(f"terminal.rank.{rank}.words"), "italic"),
    ]
