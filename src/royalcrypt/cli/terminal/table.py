"""The whole table on one screen: heading, row, collections and the story, fitted to the terminal."""

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.grid import draw_grid
from royalcrypt.cli.terminal.palette import DIM, EMBER, STONE, TYPE_COLOURS, begin, type_name
from royalcrypt.cli.terminal.people import People
from royalcrypt.cli.terminal.row import draw_beliefs, draw_row
from royalcrypt.locales import say
from royalcrypt.notation.moves import Placement
from royalcrypt.play.views import View

BESIDE = 112
"""From this width on, the story stands beside the table."""
TABLE_WIDTH = 82
STORY = 8
"""Lines that the story gets below the table before cards have pictures."""
PROMPT = 1
GAP = 3


class Block:
    """A part rendered once, so that its height is known and it can be shown."""

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
    people: People,
    story: Sequence[Text],
    *,
    staged: Sequence[Placement] = (),
    notice: Sequence[Text] = (),
) -> RenderableType:
    """Everything a player needs to decide, in at most the height of the terminal where that can be."""
    foot = Block(console, Group(*notice), console.width)
    room = console.height - PROMPT - foot.height
    if console.width < BESIDE:
        main = Group(*draw_main(console, view, people, staged, width=console.width, room=room, spare=STORY))
        main = Block(console, main, console.width)
        left = room - main.height - 1
        tale = [Rule(style=DIM), draw_story(console, story, console.width, left)] if left > 0 else []
        return Group(main, *tale, foot)
    main = Group(*draw_main(console, view, people, staged, width=TABLE_WIDTH, room=room, spare=0))
    aside = console.width - TABLE_WIDTH - GAP
    beside = Table.grid(padding=0)
    for wide in (TABLE_WIDTH, GAP, aside):
        beside.add_column(width=wide)
    title = Text(say("terminal.story.heading"), f"bold {STONE}")
    tale = draw_story(console, story, aside, room - 2)
    beside.add_row(main, "", Group(title, Text(""), tale) if story else "")
    return Group(beside, foot)


def draw_main(
    console: Console,
    view: View,
    people: People,
    staged: Sequence[Placement],
    *,
    width: int,
    room: int,
    spare: int,
) -> list[Block]:
    """Heading, row and collections: with pictures where there is room, without collections where none is."""
    gap = Block(console, Text(""), width)
    head = Block(console, heading(view, people, width), width)
    rule = Block(console, crypt_rule(view, width), width)
    beliefs = draw_beliefs(view, width)
    below = [Block(console, beliefs, width)] if beliefs.plain else []
    row, pictures = (
        Block(console, draw_row(view, people, staged, width=width, has_art=has_art), width)
        for has_art in (False, True)
    )
    grid, wide_grid = (
        Block(console, draw_grid(view, people, width=width, is_roomy=is_roomy), width)
        for is_roomy in (False, True)
    )
    for parts in (
        [head, gap, rule, pictures, *below, gap, wide_grid, gap],
        [head, gap, rule, pictures, *below, gap, grid, gap],
    ):
        if sum(part.height for part in parts) <= room - spare:
            return parts
    parts = [head, rule, row, *below, grid]
    return parts if sum(part.height for part in parts) <= room else parts[:-1]


def heading(view: View, people: People, width: int) -> RenderableType:
    """Game, round and phase to the left, the torches to the right."""
    left = begin(say("terminal.title"), f"bold {EMBER}")
    left.append("  ").append(say("terminal.head.round", round=view.round, rounds=view.rounds), "bold")
    left.append(" · ").append(phase_words(view))
    right = begin(say("terminal.head.leader") + " ", DIM)
    right.append(people.mark(view.leader)).append("  " + say("terminal.head.lights_out") + " ", DIM)
    right.append(people.mark(view.lights_out))
    if len(left) + len(right) + 2 > width:
        return Group(left, right)
    return left.append(" " * (width - len(left) - len(right))).append(right)


def phase_words(view: View) -> Text:
    if view.phase == "claim":
        return Text(say("terminal.head.claim", turn=min(view.turn + 1, view.turns), turns=view.turns))
    return Text(say(f"terminal.head.{view.phase}"))


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


def draw_story(console: Console, story: Sequence[Text], width: int, room: int) -> RenderableType:
    """The newest sentences that fit; what is left out is counted."""
    shown: list[Block] = []
    used = 0
    for sentence in reversed(story):
        block = Block(console, sentence, width)
        spare = 1 if len(shown) + 1 < len(story) else 0
        if used + block.height + spare > room and shown:
            break
        shown.insert(0, block)
        used += block.height
    left_out = len(story) - len(shown)
    before = [Text(say("terminal.story.more", count=left_out), DIM)] if left_out else []
    return Group(*before, *shown)
