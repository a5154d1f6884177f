"""Collectors and collections in one grid: a column a type, a row a player."""

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.palette import (
    ACTING,
    DIM,
    EMBER,
    EMPTY,
    EXHAUSTED,
    FULL,
    GOLD,
    GOOD,
    PLACED,
    READY,
    TYPE_COLOURS,
    begin,
    type_name,
)
from royalcrypt.cli.terminal.people import People
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.play.insight import CardView
from royalcrypt.play.views import SeatView, View
from royalcrypt.rules.layout import SERVANTS, TYPES, copy_of
from royalcrypt.rules.scoring import bonus, tally

COLUMNS = (7, 9, 12, 9, 9, 10)
NAME = 7
GOALS = {"A": (1, 2, 2, 4, 2, 1), "B": (2, 1, 1, 2, 4, 3)}
"""How many cards of a type a Collector looks for at most, by side."""
PAID_BY_FLIPS = {"A": "IR", "B": "MP"}
LEAST_WIDTH = sum(COLUMNS) + len(COLUMNS) + 16


def bonuses(view: View, seat: int) -> list[int]:
    """What each Collector would pay this player now, as far as the viewer can count."""
    counted = copy_of(view.known)
    tally(counted)
    return [bonus(counted, seat, card_type) for card_type in range(TYPES)]


def draw_grid(view: View, people: People, *, width: int, is_roomy: bool) -> RenderableType:
    if width < LEAST_WIDTH:
        return draw_list(view, people)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False, collapse_padding=True)
    who = width - sum(COLUMNS) - len(COLUMNS)
    table.add_column(width=min(who, 22), no_wrap=True)
    for wide in COLUMNS:
        table.add_column(width=wide)
    for row in collectors(view):
        table.add_row(*row)
    order = turn_to_viewer(view)
    for seat in order:
        if is_roomy:
            table.add_row("")
        player = view.seats[seat]
        cells = [cards_text(player, letter, COLUMNS[at]) for at, letter in enumerate(LETTERS)]
        if player.is_ghost:
            cells[0:] = [Text("")] * TYPES
        table.add_row(who_text(view, people, player, min(who, 22)), *cells)
        if (is_roomy or seat == view.seat) and not player.is_ghost:
            table.add_row(Text(""), *progress(view, player))
    return table


def turn_to_viewer(view: View) -> Sequence[int]:
    """The viewer first, then to the left."""
    count = len(view.seats)
    first = view.seat or 0
    return [(first + step) % count for step in range(count)]


def collectors(view: View) -> list[list[Text]]:
    """Three lines of heading: the name and side, and in two lines what it pays."""
    names = [
        Text(f"{type_name(letter)} {side}", f"bold {TYPE_COLOURS[letter]}")
        for letter, side in zip(LETTERS, view.collectors, strict=True)
    ]
    keys = [
        f"terminal.collector.{name}.{side}" for name, side in zip(TYPE_NAMES, view.collectors, strict=True)
    ]
    lines = [[Text(say(f"{key}.{part}"), DIM) for key in keys] for part in ("top", "bottom")]
    heads = [Text(say("terminal.grid.collectors"), f"bold {EMBER}"), Text(""), Text("")]
    return [[head, *cells] for head, cells in zip(heads, [names, *lines], strict=True)]


def who_text(view: View, people: People, player: SeatView, width: int) -> Text:
    is_acting = player.seat == view.actor
    text = begin(ACTING if is_acting else " ", f"bold {EMBER}")
    text.append(people.mark(player.seat, width=max(width - 9, NAME)))
    text.append(" ").append(dice_text(people, player))
    if not player.is_ghost:
        text.append(f" {score_text(view, player):<3}", f"bold {GOLD}")
    return text


def dice_text(people: People, player: SeatView) -> Text:
    """Ready, on cards, exhausted: three signs."""
    placed = SERVANTS - player.ready - player.exhausted
    text = begin(READY * player.ready, people.colour(player.seat))
    text.append(PLACED * placed, people.colour(player.seat))
    return text.append(EXHAUSTED * player.exhausted, DIM)


def score_text(view: View, player: SeatView) -> str:
    hides_some = any(card.value is None for card in player.cards)
    placed = SERVANTS - player.ready - player.exhausted
    return f"{(view.scores[player.seat] or 0) + placed}{'?' if hides_some else ''}"


def card_mark(card: CardView) -> str:
    """A value known to all; with a star one that only its owner knows; in brackets a flipped one."""
    if card.value is None:
        return "?"
    if card.is_flipped:
        return f"({card.value})"
    return str(card.value) if card.is_public else f"{card.value}*"


def cards_text(player: SeatView, letter: str, width: int) -> Text:
    marks = [card_mark(card) for card in player.cards if card.type == letter]
    words = " ".join(marks)
    if len(words) > width:
        words = "".join(marks)
    return Text(words or "-", f"bold {TYPE_COLOURS[letter]}" if marks else DIM)


def progress(view: View, player: SeatView) -> list[Text]:
    """How far a collection has come, and the bonus it would score now."""
    cells: list[Text] = []
    paid = bonuses(view, player.seat)
    for at, (letter, side) in enumerate(zip(LETTERS, view.collectors, strict=True)):
        goal = GOALS[side][at]
        have = player.unflipped[at] if letter in PAID_BY_FLIPS[side] else player.held[at]
        full = min(have, goal)
        text = begin(FULL * full, TYPE_COLOURS[letter]).append(EMPTY * (goal - full), DIM)
        if paid[at]:
            text.append(f" +{paid[at]}", GOOD)
        cells.append(text)
    return cells


def draw_list(view: View, people: People) -> RenderableType:
    """The same for a narrow terminal: Collectors in lines, then each player in lines."""
    lines: list[Text] = []
    for at, (letter, side) in enumerate(zip(LETTERS, view.collectors, strict=True)):
        key = f"terminal.collector.{TYPE_NAMES[at]}.{side}"
        text = begin(f"{type_name(letter)} {side} ", f"bold {TYPE_COLOURS[letter]}")
        lines.append(text.append(f"{say(key + '.top')} {say(key + '.bottom')}", DIM))
    for seat in turn_to_viewer(view):
        player = view.seats[seat]
        text = who_text(view, people, player, 16)
        for letter in LETTERS:
            marks = [card_mark(card) for card in player.cards if card.type == letter]
            if marks:
                text.append(f" {letter}", TYPE_COLOURS[letter]).append(" " + " ".join(marks), "bold")
        lines.append(text)
    return Group(*lines)


def draw_unseen(view: View) -> RenderableType:
    """By type and value, the cards whose place the viewer does not know (R11.5), and the open discards."""
    table = Table(
        box=box.SIMPLE_HEAD, title=say("terminal.deck.title"), title_justify="left", title_style="bold"
    )
    table.add_column("")
    for value in range(1, 5):
        table.add_column(str(value), justify="right")
    table.add_column(say("terminal.deck.discards"))
    for letter in LETTERS:
        gone = " ".join(card_mark(card) for card in view.discards if card.type == letter)
        counts = [Text(str(count) if count else "-", "" if count else DIM) for count in view.unseen[letter]]
        table.add_row(
            Text(type_name(letter), f"bold {TYPE_COLOURS[letter]}"), *counts, Text(gone or "-", DIM)
        )
    return table
