"""Drawing of the whole table on one screen: heading, row, collections and log, fitted to the terminal.

The row shows the treasure cards and the dice on them. The grid has a column for each type, and a row for the
Collectors and for each player.
"""

from collections.abc import Sequence

from msgspec.structs import replace
from rich import box
from rich.align import Align
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.rule import Rule
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal import labels
from royalcrypt.cli.terminal.labels import (
    BAD,
    DIM,
    EMBER,
    GOLD,
    STONE,
    TYPE_COLOURS,
    SeatLabels,
    begin,
    collector_name,
    type_name,
)
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.notation.moves import Placement
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.views import SeatView, SlotView, View
from royalcrypt.rules.layout import SERVANTS, TYPES, copy_of
from royalcrypt.rules.scoring import bonus, tally

SIDE_BY_SIDE_WIDTH = 112
"""Terminal width in columns from which the log is next to the table."""
TABLE_WIDTH = 82
LOG_HEIGHT = 8
"""Number of lines reserved for the log below the table before cards get pictures."""
PROMPT = 1
GAP = 3
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
COLUMNS = (7, 9, 12, 9, 9, 10)
NAME = 7
GOALS = {"A": (1, 2, 2, 4, 2, 1), "B": (2, 1, 1, 2, 4, 3)}
"""For each side and card type, the number of cards with which a Collector pays most."""
PAID_BY_FLIPS = {"A": "IR", "B": "MP"}
MIN_WIDTH = sum(COLUMNS) + len(COLUMNS) + 16


class RenderedBlock:
    """Part of the screen that is rendered once, so that its height is known before printing."""

    def __init__(self, console: Console, part: RenderableType, width: int) -> None:
        self.lines = console.render_lines(part, console.options.update(width=max(width, 10)), pad=False)

    @property
    def height(self) -> int:
        return len(self.lines)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in self.lines:
            yield from line
            yield Segment.line()


def draw_table(
    console: Console,
    view: View,
    people: SeatLabels,
    log: Sequence[Text],
    *,
    staged: Sequence[Placement] = (),
    notice: Sequence[Text] = (),
) -> RenderableType:
    """Draw everything a player needs to decide, within the height of the terminal if possible."""
    foot = RenderedBlock(console, Group(*notice), console.width)
    room = console.height - PROMPT - foot.height
    if console.width < SIDE_BY_SIDE_WIDTH:
        main = Group(*draw_main(console, view, people, staged, console.width, room - LOG_HEIGHT, room))
        main = RenderedBlock(console, main, console.width)
        left = room - main.height - 1
        below = [Rule(style=DIM), draw_log(console, log, console.width, left)] if left > 0 else []
        return Group(main, *below, foot)
    main = Group(*draw_main(console, view, people, staged, TABLE_WIDTH, room, room))
    log_width = console.width - TABLE_WIDTH - GAP
    beside = Table.grid(padding=0)
    for width in (TABLE_WIDTH, GAP, log_width):
        beside.add_column(width=width)
    title = Text(say("terminal.story.heading"), f"bold {STONE}")
    shown = draw_log(console, log, log_width, room - 2)
    beside.add_row(main, "", Group(title, Text(""), shown) if log else "")
    return Group(beside, foot)


def draw_main(
    console: Console,
    view: View,
    people: SeatLabels,
    staged: Sequence[Placement],
    width: int,
    roomy: int,
    room: int,
) -> list[RenderedBlock]:
    """Draw heading, row and collections; cards get pictures if that takes at most ``roomy`` lines."""

    def block(part: RenderableType) -> RenderedBlock:
        return RenderedBlock(console, part, width)

    gap, head, rule = block(Text("")), block(heading(view, people, width)), block(crypt_rule(view, width))
    beliefs = draw_beliefs(view, width)
    below = [block(beliefs)] if beliefs.plain else []
    row, pictures = (
        block(draw_row(view, people, staged, width=width, has_art=has_art)) for has_art in (False, True)
    )
    grid, wide_grid = (
        block(draw_grid(view, people, width=width, is_roomy=is_roomy)) for is_roomy in (False, True)
    )
    choices = (
        (roomy, [head, gap, rule, pictures, *below, gap, wide_grid, gap]),
        (roomy, [head, gap, rule, pictures, *below, gap, grid, gap]),
        (room, [head, rule, row, *below, grid]),
    )
    for height, parts in choices:
        if sum(part.height for part in parts) <= height:
            return parts
    return [head, rule, row, *below]


def heading(view: View, people: SeatLabels, width: int) -> RenderableType:
    """Draw game, round and phase on the left and the torches on the right."""
    turn = min(view.turn + 1, view.turns)
    left = begin(say("terminal.title"), f"bold {EMBER}")
    left.append("  ").append(say("terminal.head.round", round=view.round, rounds=view.rounds), "bold")
    left.append(" · ").append(say(f"terminal.head.{view.phase}", turn=turn, turns=view.turns))
    right = begin(say("terminal.head.leader") + " ", DIM)
    right.append(people.mark(view.leader)).append("  " + say("terminal.head.lights_out") + " ", DIM)
    right.append(people.mark(view.lights_out))
    if len(left) + len(right) + 2 > width:
        return Group(left, right)
    return left.append(" " * (width - len(left) - len(right))).append(right)


def crypt_rule(view: View, width: int) -> RenderableType:
    if view.top is None:
        deck = Text(say("terminal.head.empty_deck"), DIM)
    else:
        deck = begin(say("terminal.head.deck", count=view.deck) + " ", DIM)
        deck.append(type_name(view.top), TYPE_COLOURS[view.top])
    title = begin(say("terminal.head.crypt"), f"bold {STONE}")
    if len(title) + len(deck) + 6 > width:
        return Group(Rule(title, style=DIM), deck)
    return Rule(title.append("  ").append(deck), style=DIM)


def draw_log(console: Console, log: Sequence[Text], width: int, room: int) -> RenderableType:
    """Draw the newest sentences that fit, and the number of omitted ones."""
    shown: list[RenderedBlock] = []
    used = 0
    for sentence in reversed(log):
        block = RenderedBlock(console, sentence, width)
        spare = 1 if len(shown) + 1 < len(log) else 0
        if used + block.height + spare > room and shown:
            break
        shown.insert(0, block)
        used += block.height
    left_out = len(log) - len(shown)
    before = [Text(say("terminal.story.more", count=left_out), DIM)] if left_out else []
    return Group(*before, *shown)


def with_staged(view: View, staged: Sequence[Placement]) -> tuple[SlotView, ...]:
    """Return the row with the dice of an unconfirmed claim."""
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
    text = Text.assemble((f"{card.value} ", f"bold {GOLD}"), (labels.COIN * card.value, GOLD))
    return text.append(" " + say("terminal.row.seen"), STONE) if slot.is_down else text


def dice(slot: SlotView, people: SeatLabels) -> tuple[str, str]:
    """Return the text for the dice on a card, and its style."""
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
    """Draw the total needed to claim a card; in the Collect phase, the number of failed dice."""
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
    """Draw a card in one line, for narrow terminals."""
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
    """Return the possible values of a hidden card, each with its probability."""
    text = Text.assemble((f"{slot.slot + 1} ", "bold"), (type_name(card.type), TYPE_COLOURS[card.type]))
    for value, chance in enumerate(card.belief(), 1):
        if chance:
            text.append(f" {value}{labels.COIN}", GOLD)
            text.append(say("terminal.row.chance", percent=round(100 * chance)), STONE)
    return text


def draw_beliefs(view: View, width: int) -> Text:
    """Draw the possible values of the row's hidden cards for this viewer, side by side if they fit."""
    parts = [
        odds_text(slot, slot.card) for slot in view.row if slot.card is not None and slot.card.value is None
    ]
    abreast = Text("    ").join(parts)
    return abreast if len(abreast) <= width else Text("\n").join(parts)


def draw_grid(view: View, people: SeatLabels, *, width: int, is_roomy: bool) -> RenderableType:
    if width < MIN_WIDTH:
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
    """Return the seats in playing order, starting with the viewer's."""
    first = view.seat or 0
    return view.seats[first:] + view.seats[:first]


def collector_lines(name: str, side: str) -> tuple[str, str]:
    """Return two lines that describe what a Collector pays."""
    key = f"terminal.collector.{name}.{side}"
    return say(f"{key}.top"), say(f"{key}.bottom")


def who_text(view: View, people: SeatLabels, player: SeatView, width: int) -> Text:
    is_acting = player.seat == view.actor
    text = begin(labels.ACTING if is_acting else " ", f"bold {EMBER}")
    text.append(people.mark(player.seat, width=max(width - 9, NAME)))
    text.append(" ").append(dice_text(people, player))
    if not player.is_ghost:
        text.append(f" {score_text(view, player):<3}", f"bold {GOLD}")
    return text


def dice_text(people: SeatLabels, player: SeatView) -> Text:
    """Draw one sign per servant: ready, on a card, or exhausted."""
    placed = SERVANTS - player.ready - player.exhausted
    text = begin(labels.READY * player.ready, people.colour(player.seat))
    text.append(labels.PLACED * placed, people.colour(player.seat))
    return text.append(labels.EXHAUSTED * player.exhausted, DIM)


def score_text(view: View, player: SeatView) -> str:
    hides_some = any(card.value is None for card in player.cards)
    placed = SERVANTS - player.ready - player.exhausted
    return f"{(view.scores[player.seat] or 0) + placed}{'?' if hides_some else ''}"


def card_mark(card: CardView) -> str:
    """Return a card's value, with a star if only its owner knows it, in brackets if it is flipped."""
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
    """Return, per type, the cards that count and the bonus they score now as far as the viewer knows."""
    cells: list[Text] = []
    counted = copy_of(view.known)
    tally(counted)
    for at, (letter, side) in enumerate(zip(LETTERS, view.collectors, strict=True)):
        goal = GOALS[side][at]
        have = player.unflipped[at] if letter in PAID_BY_FLIPS[side] else player.held[at]
        full = min(have, goal)
        text = begin(labels.FULL * full, TYPE_COLOURS[letter]).append(labels.EMPTY * (goal - full), DIM)
        if paid := bonus(counted, player.seat, at):
            text.append(f" +{paid}", labels.GOOD)
        cells.append(text)
    return cells


def draw_list(view: View, people: SeatLabels) -> RenderableType:
    """Draw collections for narrow terminals: one line per Collector and per player."""
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
