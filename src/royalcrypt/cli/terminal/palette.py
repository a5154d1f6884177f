"""Colours and signs by role. A colour never stands alone: every role also has a sign or a word."""

from rich.text import Text

from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES

TYPE_COLOURS = dict(
    zip(LETTERS, ("#c9a24b", "#4f8fd8", "#a7adb8", "#c8663f", "#8fb28a", "#9a63b8"), strict=True)
)
SEAT_COLOURS = ("#e4574c", "#2fb3b8", "#a77be0", "#d0a060")
GHOST_COLOUR = "#8fa3a8"

EMBER = "#ffb454"
GOLD = "#d9a93f"
GOOD = "#5fae84"
BAD = "#e8705f"
STONE = "#6f8f8a"
DIM = "dim"

SEAT_SIGNS = ("◆", "▲", "●", "■")
GHOST_SIGN = "☾"
READY, EXHAUSTED, PLACED = "▣", "□", "·"
FULL, EMPTY = "■", "□"
COIN = "●"
ACTING = "►"

ASCII_SIGNS = str.maketrans("◆▲●■☾▣□·►×–—…’≈", "ABo#G#.->x--~'~")
"""Replacements for terminals whose encoding lacks these signs."""


def begin(words: str, style: str = "") -> Text:
    """A text whose first words have a style that appended words do not inherit."""
    return Text.assemble((words, style))


def type_name(letter: str) -> str:
    return say(f"term.{TYPE_NAMES[LETTERS.index(letter)]}")


def collector_name(letter: str, side: str) -> Text:
    return Text(f"{type_name(letter)} {side}", f"bold {TYPE_COLOURS[letter]}")
