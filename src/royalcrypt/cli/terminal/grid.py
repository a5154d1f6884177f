"""Collectors and collections in one grid: a column for each type, a row for each player."""

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
    collector_name,
)
from royalcrypt.cli.terminal.people import SeatLabels
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.views import SeatView, View
from royalcrypt.rules.layout import SERVANTS, TYPES, copy_of
from royalcrypt.rules.scoring import bonus, tally

COLUMNS = (7, 9, 12, 9, 9, 10)
NAME = 7
GOALS = {"A": (1, 2, 2, 4, 2, 1), "B": (2, 1, 1, 2, 4, 3)}
"""By side and type, the number of cards with which a Collector pays most."""
PAID_BY_FLIPS = {"A": "IR", "B": "MP"}
LEAST_WIDTH = sum(COLUMNS) + len(COLUMNS) + 16


def draw_grid(view: View, people: SeatLabels, *, width: int, is_roomy: bool) -> RenderableType:
    if width < LEAST_WIDTH:
        return draw_list(view, people)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_header=False, collapse_padding=True)
    who = width - sum(COLUMNS) - len(COLUMNS)
    table.add_column(width=min(who, 22), no_wrap=True)
    for wide in COLUMNS:
        table.add_column(width=wide)
    names = (collector_name(letter, side) for letter, side in zip(LETTERS, view.collectors, strict=True))
    table.add_row(Text(say("terminal.grid.collectors"), f"bold {EMBER}"), *names)
    for line in zip(*map(collector_lines, TYPE_NAMES, view.collectors), strict=True):
        table.add_row("", *(Text(words, DIM) for words in line))
    for player in seats_from_viewer(view):
        if is_roomy:
            table.add_row("")
        cells = [cards_text(player, letter, COLUMNS[at]) for at, letter in enumerate(LETTERS)]
        if player.is_ghost:
            cells = [Text("")] * TYPES
        table.add_row(who_text(view, people, player, min(who, 22)), *cells)
        if (is_roomy or player.seat == view.seat) and not player.is_ghost:
            table.add_row("", *progress(view, player))
    return table


def seats_from_viewer(view: View) -> tuple[SeatView, ...]:
    """The viewer first, then to the left."""
    first = view.seat or 0
    return view.seats[first:] + view.seats[:first]


def collector_lines(name: str, side: str) -> tuple[str, str]:
    """Two lines that say what a Collector pays."""
    key = f"terminal.collector.{name}.{side}"
    return say(f"{key}.top"), say(f"{key}.bottom")


def who_text(view: View, people: SeatLabels, player: SeatView, width: int) -> Text:
    is_acting = player.seat == view.actor
    text = begin(ACTING if is_acting else " ", f"bold {EMBER}")
    text.append(people.mark(player.seat, width=max(width - 9, NAME)))
    text.append(" ").append(dice_text(people, player))
    if not player.is_ghost:
        text.append(f" {score_text(view, player):<3}", f"bold {GOLD}")
    return text


def dice_text(people: SeatLabels, player: SeatView) -> Text:
    """One sign for each servant: ready, on a card, or exhausted."""
    placed = SERVANTS - player.ready - player.exhausted
    text = begin(READY * player.ready, people.colour(player.seat))
    text.append(PLACED * placed, people.colour(player.seat))
    return text.append(EXHAUSTED * player.exhausted, DIM)


def score_text(view: View, player: SeatView) -> str:
    hides_some = any(card.value is None for card in player.cards)
    placed = SERVANTS - player.ready - player.exhausted
    return f"{(view.scores[player.seat] or 0) + placed}{'?' if hides_some else ''}"


def card_mark(card: CardView) -> str:
    """The value; with a star if only the owner knows it, in brackets if the card is flipped."""
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
    """For each type, the cards that count, and the bonus they score now as far as the viewer knows."""
    cells: list[Text] = []
    counted = copy_of(view.known)
    tally(counted)
    for at, (letter, side) in enumerate(zip(LETTERS, view.collectors, strict=True)):
        goal = GOALS[side][at]
        have = player.unflipped[at] if letter in PAID_BY_FLIPS[side] else player.held[at]
        full = min(have, goal)
        text = begin(FULL * full, TYPE_COLOURS[letter]).append(EMPTY * (goal - full), DIM)
        if paid := bonus(counted, player.seat, at):
            text.append(f" +{paid}", GOOD)
        cells.append(text)
    return cells


def draw_list(view: View, people: SeatLabels) -> RenderableType:
    """The same for a narrow terminal: a line for each Collector and each player."""
    lines: list[Text] = []
    for letter, name, side in zip(LETTERS, TYPE_NAMES, view.collectors, strict=True):
        words = " ".join(collector_lines(name, side))
        lines.append(Text.assemble(collector_name(letter, side).append(" "), (words, DIM)))
    for player in seats_from_viewer(view):
        text = who_text(view, people, player, 16)
        for letter in LETTERS:
            marks = [card_mark(card) for card in player.cards if card.type == letter]
            if marks:
                text.append(f" {letter}", TYPE_COLOURS[letter]).append(" " + " ".join(marks), "bold")
        lines.append(text)
    return Group(*lines)
