"""The whole table on one screen: heading, row, collections and the log, fitted to the terminal."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.grid import draw_grid
from royalcrypt.cli.terminal.palette import DIM, EMBER, STONE, TYPE_COLOURS, begin, type_name
from royalcrypt.cli.terminal.people import SeatLabels
from royalcrypt.cli.terminal.row import draw_beliefs, draw_row
from royalcrypt.locales import say
from royalcrypt.notation.moves import Placement
from royalcrypt.play.views import View

BESIDE = 112
"""From this width on, in columns, the log stands beside the table."""
TABLE_WIDTH = 82
LOG_HEIGHT = 8
"""Lines that the log gets below the table before cards have pictures."""
PROMPT = 1
GAP = 3


class RenderedBlock:
    """A part that is rendered once, so that its height is known before it is printed."""

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
    """Everything a player needs to decide, within the height of the terminal if possible."""
    foot = RenderedBlock(console, Group(*notice), console.width)
    room = console.height - PROMPT - foot.height
    if console.width < BESIDE:
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
    """Heading, row and collections; cards have pictures if that takes at most ``roomy`` lines."""

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
    """Game, round and phase to the left, the torches to the right."""
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
    """The newest sentences that fit, and how many are left out."""
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
