"""The seats at this terminal: names, colours and signs, and the bots that play."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.text import Text

from royalcrypt.bots import bot_named
from royalcrypt.bots.registry import COMPILED, entries_of, simpler_than
from royalcrypt.bots.warming import WarmUp
from royalcrypt.cli.terminal.palette import GHOST_COLOUR, GHOST_SIGN, SEAT_COLOURS, SEAT_SIGNS
from royalcrypt.locales import say
from royalcrypt.notation.records import Seat
from royalcrypt.rules.layout import GHOST

BOT = "bot:"


@dataclass(frozen=True, slots=True)
class SeatLabels:
    """How texts for one viewer refer to the seats."""

    seats: tuple[Seat, ...]
    viewer: int | None = None

    @property
    def is_solo(self) -> bool:
        return len(self.seats) == 1

    @property
    def humans(self) -> tuple[int, ...]:
        return tuple(number for number, seat in enumerate(self.seats) if not seat.kind.startswith(BOT))

    def bot(self, seat: int) -> str | None:
        """The name of the bot in a seat."""
        kind = self.seats[seat].kind
        return kind.removeprefix(BOT) if kind.startswith(BOT) else None

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of all bots, each once."""
        return tuple(dict.fromkeys(bot for seat in range(len(self.seats)) if (bot := self.bot(seat))))

    def seen_by(self, viewer: int | None) -> "SeatLabels":
        return SeatLabels(self.seats, viewer)

    def is_ghost(self, seat: int) -> bool:
        return self.is_solo and seat == GHOST

    def name(self, seat: int) -> str:
        """For lists and headings."""
        return self._name(seat, "terminal.ghost")

    def subject(self, seat: int) -> str:
        """As the subject of a sentence about somebody other than the viewer."""
        return self._name(seat, "terminal.the_ghost")

    def mention(self, seat: int) -> str:
        """Within a sentence."""
        return self._name(seat, "terminal.of_the_ghost")

    def _name(self, seat: int, ghost: str) -> str:
        return say(ghost) if self.is_ghost(seat) else self.seats[seat].name

    def owner(self, seat: int) -> str:
        """In the possessive form."""
        if seat == self.viewer:
            return say("terminal.your")
        return say("terminal.whose", name=self.mention(seat))

    def colour(self, seat: int) -> str:
        return GHOST_COLOUR if self.is_ghost(seat) else SEAT_COLOURS[seat]

    def mark(self, seat: int, *, width: int | None = None) -> Text:
        """Sign and name in the seat's colour; the viewer's is bold."""
        sign = GHOST_SIGN if self.is_ghost(seat) else SEAT_SIGNS[seat]
        text = Text(f"{sign} {self.name(seat)}", self.colour(seat))
        if seat == self.viewer:
            text.stylize("bold")
        if width is not None:
            text.truncate(width, overflow="ellipsis", pad=True)
        return text

    def called(self, text: str) -> int | None:
        """The seat with this name, or with this number from 1."""
        wanted = text.strip().casefold()
        for number, seat in enumerate(self.seats):
            if wanted in (str(number + 1), seat.name.casefold()):
                return number
        return None


def warm_up_bots(names: Iterable[str]) -> WarmUp:
    """Compile in the background those of the bots that are not compiled yet."""
    wanted = [name for name in names if must_compile(name)]
    if not wanted:
        return WarmUp(())
    warm_up = WarmUp(
        {*wanted, *filter(must_compile, COMPILED)}
    )  # A substitute must not need compiling either.
    warm_up.begin(wanted)
    return warm_up


def must_compile(name: str) -> bool:
    """Whether the bot's first move would wait for the compiler."""
    entries = entries_of(bot_named(name))
    if not entries:
        return False
    from royalcrypt.search.compilation import is_compiled

    return not all(map(is_compiled, entries))


def substitute_for(name: str, warm_up: WarmUp) -> str:
    """The bot that plays for this one now: itself, once it is ready."""
    return next(found for found in (name, *simpler_than(name)) if warm_up.is_ready(found))


def substitute_notice(name: str, other: str, warm_up: WarmUp) -> str:
    if warm_up.is_under_way:
        return say("terminal.waking", name=name, other=other)
    return say("terminal.not_woken", name=name, other=other, why=warm_up.why)
