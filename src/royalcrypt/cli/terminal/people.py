"""Who sits where, and what they are called at this table."""

from dataclasses import dataclass

from rich.text import Text

from royalcrypt.cli.terminal.palette import GHOST_COLOUR, GHOST_SIGN, SEAT_COLOURS, SEAT_SIGNS
from royalcrypt.locales import say
from royalcrypt.notation.records import Seat
from royalcrypt.rules.layout import GHOST

BOT = "bot:"


@dataclass(frozen=True, slots=True)
class People:
    """The seats as one viewer speaks of them."""

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

    def seen_by(self, viewer: int | None) -> "People":
        return People(self.seats, viewer)

    def is_ghost(self, seat: int) -> bool:
        return self.is_solo and seat == GHOST

    def name(self, seat: int) -> str:
        """For lists and headings."""
        return say("terminal.ghost") if self.is_ghost(seat) else self.seats[seat].name

    def subject(self, seat: int) -> str:
        """As the subject of a sentence of the story; of the viewer the story says "you" itself."""
        return say("terminal.the_ghost") if self.is_ghost(seat) else self.seats[seat].name

    def owner(self, seat: int) -> str:
        """Whose."""
        if seat == self.viewer:
            return say("terminal.your")
        return say("terminal.whose", name=self.mention(seat))

    def mention(self, seat: int) -> str:
        """Within a sentence."""
        return say("terminal.of_the_ghost") if self.is_ghost(seat) else self.name(seat)

    def colour(self, seat: int) -> str:
        return GHOST_COLOUR if self.is_ghost(seat) else SEAT_COLOURS[seat]

    def sign(self, seat: int) -> str:
        return GHOST_SIGN if self.is_ghost(seat) else SEAT_SIGNS[seat]

    def mark(self, seat: int, *, width: int | None = None) -> Text:
        """Sign and name in the seat's colour; the viewer's is bold."""
        text = Text(f"{self.sign(seat)} {self.name(seat)}", self.colour(seat))
        if seat == self.viewer:
            text.stylize("bold")
        if width is not None:
            text.truncate(width, overflow="ellipsis", pad=True)
        return text

    def called(self, text: str) -> int | None:
        """The seat that somebody means by a name or a number from 1."""
        wanted = text.strip().casefold()
        for number, seat in enumerate(self.seats):
            if wanted in (str(number + 1), seat.name.casefold()):
                return number
        return None
