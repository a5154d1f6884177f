"""The whole table on one screen: heading, row, collections and the story, fitted to the terminal."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from royalcrypt.cli.terminal.grid import draw_grid
from royalcrypt.cli.terminal.palette import BAD, DIM, EMBER, STONE, TYPE_COLOURS, type_name
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
    is_beside = console.width >= BESIDE
    width = TABLE_WIDTH if is_beside else console.width
    foot = Group(*notice)
    room = console.height - PROMPT - height_of(console, foot, console.width)
    if is_beside:
        main = draw_main(console, view, people, staged, width=width, room=room)
        beside = Table.grid(padding=(0, 3, 0, 0))
        beside.add_column(width=width)
        beside.add_column()
        heading = Text(say("terminal.story.heading"), f"bold {STONE}")
        tale = draw_story(console, story, console.width - width - 4, room - 3)
        beside.add_row(main, Group(heading, Text(""), tale) if story else "")
        return Group(beside, foot)
    main = draw_main(console, view, people, staged, width=width, room=room)
    left = room - height_of(console, main, width) - 1
    if left < 1:
        return Group(main, foot)
    return Group(main, Rule(style=DIM), draw_story(console, story, width, left), foot)


def draw_main(
    console: Console, view: View, people: People, staged: Sequence[Placement], *, width: int, room: int
) -> RenderableType:
    """Heading, row and collections: with pictures where there is room, without collections where none is."""
    top: list[RenderableType] = [heading(view, people, width), crypt_rule(view)]
    beliefs = draw_beliefs(view, width)
    below = [beliefs] if beliefs.plain else []
    gap = [Text("")]
    plain = draw_row(view, people, staged, width=width, has_art=False)
    pictures = draw_row(view, people, staged, width=width, has_art=True)
    grid = draw_grid(view, people, width=width, is_roomy=False)
    wide_grid = draw_grid(view, people, width=width, is_roomy=True)
    for parts in (
        [top[0], *gap, top[1], pictures, *below, *gap, wide_grid, *gap],
        [top[0], *gap, top[1], pictures, *below, *gap, grid, *gap],
        [*top, plain, *below, grid],
    ):
        main = Group(*parts)
        if height_of(console, main, width) <= room - (0 if width < console.width else STORY):
            return main
    main = Group(*top, plain, *below, grid)
    return main if height_of(console, main, width) <= room else Group(*top, plain, *below)


def height_of(console: Console, part: RenderableType, width: int) -> int:
    return len(console.render_lines(part, console.options.update(width=width), pad=False))


def heading(view: View, people: People, width: int) -> RenderableType:
    """Game, round and phase to the left, the torches to the right."""
    left = Text(say("terminal.title"), f"bold {EMBER}")
    left.append("  ").append(say("terminal.head.round", round=view.round, rounds=view.rounds), "bold")
    left.append(" · ").append(phase_words(view))
    right = Text(say("terminal.head.leader") + " ", DIM)
    right.append(people.mark(view.leader)).append("  " + say("terminal.head.lights_out") + " ", DIM)
    right.append(people.mark(view.lights_out))
    if len(left) + len(right) + 2 > width:
        return Group(left, right)
    return left.append(" " * (width - len(left) - len(right))).append(right)


def phase_words(view: View) -> Text:
    if view.phase == "claim":
        return Text(say("terminal.head.claim", turn=min(view.turn + 1, view.turns), turns=view.turns))
    return Text(say(f"terminal.head.{view.phase}"))


def crypt_rule(view: View) -> RenderableType:
    if view.top is None:
        deck = Text(say("terminal.head.empty_deck"), DIM)
    else:
        deck = Text(say("terminal.head.deck", count=view.deck) + " ", DIM)
        deck.append(type_name(view.top), TYPE_COLOURS[view.top])
    return Rule(Text.assemble((say("terminal.head.crypt"), f"bold {STONE}"), "  ", deck), style=DIM)


def draw_story(console: Console, story: Sequence[Text], width: int, room: int) -> RenderableType:
    """The newest sentences that fit; what is left out is counted."""
    options = console.options.update(width=max(width, 10))
    rows: list[list[Segment]] = []
    shown = 0
    for sentence in reversed(story):
        lines = console.render_lines(sentence, options, pad=False)
        spare = 1 if shown + 1 < len(story) else 0
        if len(rows) + len(lines) + spare > room and shown:
            break
        rows = lines + rows
        shown += 1
    if left_out := len(story) - shown:
        more = console.render_lines(Text(say("terminal.story.more", count=left_out), DIM), options, pad=False)
        rows = more + rows
    return Segments([part for row in rows for part in (*row, Segment.line())]) if rows else Text("")


def notice_of(words: str, *, is_bad: bool = False) -> Text:
    return Text(words, BAD if is_bad else EMBER)
