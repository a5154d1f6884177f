"""Names, colours and signs of seats and card types, and availability of bots.

No meaning depends on colour alone: every role also has a sign or a word.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from royalcrypt.bots import bot_named
from royalcrypt.bots.registry import COMPILED, entries_of, simpler_than
from royalcrypt.bots.warming import WarmUp
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.notation.records import Seat
from royalcrypt.rules.layout import GHOST

BOT = "bot:"
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
"""Replacements of signs that a terminal's encoding may lack."""


def begin(words: str, style: str = "") -> Text:
    """Create a text whose first words have a style that appended words do not inherit."""
    return Text.assemble((words, style))


def type_name(letter: str) -> str:
    return say(f"term.{TYPE_NAMES[LETTERS.index(letter)]}")


def collector_name(letter: str, side: str) -> Text:
    return Text(f"{type_name(letter)} {side}", f"bold {TYPE_COLOURS[letter]}")


@dataclass(frozen=True, slots=True)
class SeatLabels:
    """Names and marks of seats in texts for one viewer."""

    seats: tuple[Seat, ...]
    viewer: int | None = None

    @property
    def is_solo(self) -> bool:
        return len(self.seats) == 1

    @property
    def humans(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.seats)) if self.bot(seat) is None)

    def bot(self, seat: int) -> str | None:
        """Return the name of the bot in a seat; None for a person."""
        kind = self.seats[seat].kind
        return kind.removeprefix(BOT) if kind.startswith(BOT) else None

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the names of all bots in the game, without duplicates."""
        return tuple(dict.fromkeys(bot for seat in range(len(self.seats)) if (bot := self.bot(seat))))

    def seen_by(self, viewer: int | None) -> "SeatLabels":
        return SeatLabels(self.seats, viewer)

    def is_ghost(self, seat: int) -> bool:
        return self.is_solo and seat == GHOST

    def name(self, seat: int, ghost: str = "ghost") -> str:
        """Return a seat's name; ``ghost`` is the text key for the Ghost, which depends on the grammar."""
        return say(f"terminal.{ghost}") if self.is_ghost(seat) else self.seats[seat].name

    def owner(self, seat: int) -> str:
        """Return a seat's name in the possessive form."""
        if seat == self.viewer:
            return say("terminal.your")
        return say("terminal.whose", name=self.name(seat, "of_the_ghost"))

    def colour(self, seat: int) -> str:
        return GHOST_COLOUR if self.is_ghost(seat) else SEAT_COLOURS[seat]

    def mark(self, seat: int, *, width: int | None = None) -> Text:
        """Return a seat's sign and name in its colour; the viewer's own is bold."""
        sign = GHOST_SIGN if self.is_ghost(seat) else SEAT_SIGNS[seat]
        text = Text(f"{sign} {self.name(seat)}", self.colour(seat))
        if seat == self.viewer:
            text.stylize("bold")
        if width is not None:
            text.truncate(width, overflow="ellipsis", pad=True)
        return text

    def called(self, text: str) -> int | None:
        """Find a seat by its name or its number (counting from 1)."""
        wanted = text.strip().casefold()
        for number, seat in enumerate(self.seats):
            if wanted in (str(number + 1), seat.name.casefold()):
                return number
        return None


def warm_up_bots(names: Iterable[str]) -> WarmUp:
    """Start compiling, in the background, those bots that are not compiled yet."""
    wanted = [name for name in names if must_compile(name)]
    if not wanted:
        return WarmUp(())
    # Substitutes must not need compilation either.
    warm_up = WarmUp({*wanted, *filter(must_compile, COMPILED)})
    warm_up.begin(wanted)
    return warm_up


def must_compile(name: str) -> bool:
    """Whether the bot's first move would have to wait for compilation."""
    entries = entries_of(bot_named(name))
    if not entries:
        return False
    from royalcrypt.search.compilation import is_compiled

    return not all(map(is_compiled, entries))


def substitute_for(name: str, warm_up: WarmUp) -> str:
    """Return the bot that plays in place of this one until it is compiled, then the bot itself."""
    return next(found for found in (name, *simpler_than(name)) if warm_up.is_ready(found))


def substitute_notice(name: str, other: str, warm_up: WarmUp) -> str:
    if warm_up.is_under_way:
        return say("terminal.waking", name=name, other=other)
    return say("terminal.not_woken", name=name, other=other, why=warm_up.why)
