"""The Crypt's row: treasure cards and the dice on them."""

from collections.abc import Sequence

from msgspec.structs import replace
from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.palette import (
    BAD,
    COIN,
    DIM,
    EMBER,
    GOLD,
    STONE,
    TYPE_COLOURS,
    begin,
    type_name,
)
from royalcrypt.cli.terminal.people import SeatLabels
from royalcrypt.locales import say
from royalcrypt.notation.moves import Placement
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.views import SlotView, View

WIDEST, NARROWEST = 18, 13

ART = {
    "I": (" .-^-. ", " (o_o) ", " /|_|\\ "),
    "J": (" .---. ", " \\\\|// ", "  \\V/  "),
    "M": (" _____ ", "(=====)", " |~~~| "),
    "P": ("  ) (  ", " (   ) ", "  \\_/  "),
    "R": (" .---. ", " (o.o) ", "  |=|  "),
    "T": ("=======", " |\\ /| ", " |/v\\| "),
}
VAULT = (" .---. ", "/ .-. \\", "|_|?|_|")


def with_staged(view: View, staged: Sequence[Placement]) -> tuple[SlotView, ...]:
    """The row with the dice of a claim that is not confirmed yet."""
    wanted = {place.slot: place for place in staged}
    return tuple(
        replace(slot, holder=view.seat, dice=wanted[slot.slot].dice, effort=wanted[slot.slot].effort)
        if slot.slot in wanted
        else slot
        for slot in view.row
    )


def draw_row(
    view: View, people: SeatLabels, staged: Sequence[Placement], *, width: int, has_art: bool
) -> RenderableType:
    slots = with_staged(view, staged)
    fresh = {place.slot for place in staged}
    each = min(WIDEST, width // len(slots))
    if each < NARROWEST:
        return Group(*(slot_line(view, slot, people, is_staged=slot.slot in fresh) for slot in slots))
    grid = Table.grid(padding=0)
    drawn = [
        draw_slot(view, slot, people, width=each, has_art=has_art, is_staged=slot.slot in fresh)
        for slot in slots
    ]
    grid.add_row(*drawn)
    return Align.center(grid, width=width)


def draw_slot(
    view: View, slot: SlotView, people: SeatLabels, *, width: int, has_art: bool, is_staged: bool
) -> RenderableType:
    if slot.card is None:
        empty = Text("\n" * (6 if has_art else 3) + say("terminal.row.taken"), DIM, justify="center")
        return Panel(
            empty, box=box.ROUNDED, width=width, border_style=DIM, padding=0, title=str(slot.slot + 1)
        )
    colour = TYPE_COLOURS[slot.card.type]
    lines = [Text(type_name(slot.card.type), f"bold {colour}")]
    if has_art:
        art = VAULT if slot.is_down else ART[slot.card.type]
        lines += [Text(line, STONE if slot.is_down else colour) for line in art]
    lines += [coins(slot), Text(*dice(slot, people)), holder(slot, people, is_staged=is_staged)]
    is_mine = slot.holder is not None and slot.holder == view.seat
    return Panel(
        Group(*(Align.center(line) for line in lines)),
        box=box.DOUBLE if slot.is_down else box.ROUNDED,
        width=width,
        padding=0,
        title=Text(str(slot.slot + 1), "bold"),
        subtitle=foot(view, slot, is_staged=is_staged) or None,
        border_style=EMBER if is_staged else people.colour(slot.holder or 0) if is_mine else STONE,
    )


def coins(slot: SlotView) -> Text:
    card = slot.card
    if card is None:
        return Text("")
    if card.value is None:
        return Text(say("terminal.row.about", coins=f"{card.expected():.1f}"), STONE)
    text = Text.assemble((f"{card.value} ", f"bold {GOLD}"), (COIN * card.value, GOLD))
    return text.append(" " + say("terminal.row.seen"), STONE) if slot.is_down else text


def dice(slot: SlotView, people: SeatLabels) -> tuple[str, str]:
    """Words and their style."""
    if slot.holder is None:
        return say("terminal.row.free"), DIM
    return f"[{slot.effort}]" * slot.dice, f"bold {people.colour(slot.holder)}"


def holder(slot: SlotView, people: SeatLabels, *, is_staged: bool) -> Text:
    if slot.holder is None:
        return Text(" ")
    if is_staged:
        return Text(say("terminal.row.staged", total=slot.total), EMBER)
    text = people.mark(slot.holder)
    text.truncate(8, overflow="ellipsis")
    return text.append(f" {slot.total}", "bold")


def foot(view: View, slot: SlotView, *, is_staged: bool) -> Text:
    """The total needed to claim this card; in Collect, how many dice failed."""
    if slot.failed:
        return Text(say("terminal.row.failed", count=slot.failed), f"bold {BAD}")
    if view.form is None or slot.holder is None or is_staged:
        return Text("")
    least = view.form.least[slot.slot]
    if least is None:
        key = "terminal.row.yours" if slot.holder == view.seat else "terminal.row.out_of_reach"
        return Text(say(key), DIM)
    return Text(say("terminal.row.least", total=least), EMBER)


def slot_line(view: View, slot: SlotView, people: SeatLabels, *, is_staged: bool) -> Text:
    """The card in one line, for narrow terminals."""
    text = begin(f"{slot.slot + 1} ", "bold")
    if slot.card is None:
        return text.append(say("terminal.row.taken"), DIM)
    text.append(type_name(slot.card.type) + " ", f"bold {TYPE_COLOURS[slot.card.type]}").append(coins(slot))
    if slot.holder is not None:
        words, style = dice(slot, people)
        text.append(" ").append(holder(slot, people, is_staged=is_staged)).append(" " + words, style)
    below = foot(view, slot, is_staged=is_staged)
    return text.append(" " + below.plain, below.style) if below else text


def odds_text(slot: SlotView, card: CardView) -> Text:
    """The possible values of a hidden card, each with its chance."""
    text = Text.assemble((f"{slot.slot + 1} ", "bold"), (type_name(card.type), TYPE_COLOURS[card.type]))
    for value, chance in enumerate(card.belief(), 1):
        if chance:
            text.append(f" {value}{COIN}", GOLD)
            text.append(say("terminal.row.chance", percent=round(100 * chance)), STONE)
    return text


def draw_beliefs(view: View, width: int) -> Text:
    """The possible values of the row's hidden cards, to this viewer; side by side if they fit."""
    parts = [
        odds_text(slot, slot.card) for slot in view.row if slot.card is not None and slot.card.value is None
    ]
    abreast = Text("    ").join(parts)
    return abreast if len(abreast) <= width else Text("\n").join(parts)
