"""The table as an image: the row with its dice at the top, a panel for each seat below."""

from typing import Any

import numpy as np
from PIL import Image, ImageColor, ImageDraw, ImageFont

from royalcrypt.envs.rendering import deck_text, heading, holder_text, seat_name, type_name
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, UNKNOWN
from royalcrypt.play.insight import CardView
from royalcrypt.play.views import SeatView, SlotView, View
from royalcrypt.rules.layout import SERVANTS

WIDTH, MARGIN, GAP = 960, 28, 14
HEAD, CARD_HEIGHT, PANEL = 84, 214, 92
NIGHT, STONE, LINE, TEXT, FAINT, EMBER = "#15191c", "#22292d", "#3a454a", "#ece6d8", "#93a09f", "#ffb454"
TYPE_COLOURS = dict(
    zip(LETTERS, ("#c9a24b", "#4f8fd8", "#a7adb8", "#c8663f", "#8fb28a", "#9a63b8"), strict=True)
)
SEAT_COLOURS = ("#e4574c", "#2fb3b8", "#a77be0", "#d0a060")
GHOST_COLOUR = "#8fa3a8"
DIE, SMALL_CARD = 30, (34, 44)
PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}
"""Column and row of each pip, by face."""


def draw_table(view: View) -> Any:
    """An array of 8-bit colours, height by width by three."""
    height = HEAD + CARD_HEIGHT + MARGIN + len(view.seats) * (PANEL + GAP) + MARGIN - GAP
    image = Image.new("RGB", (WIDTH, height), NIGHT)
    canvas = Canvas(image)
    canvas.write((MARGIN, 20), heading(view), 22)
    canvas.write((MARGIN, 50), deck_text(view), 16, FAINT)
    width = min(200, (WIDTH - 2 * MARGIN - GAP * (len(view.row) - 1)) // len(view.row))
    for slot in view.row:
        canvas.draw_slot(view, slot, MARGIN + slot.slot * (width + GAP), width)
    for seat in view.seats:
        canvas.draw_seat(view, seat, HEAD + CARD_HEIGHT + MARGIN + seat.seat * (PANEL + GAP))
    return np.asarray(image, np.uint8).copy()


def mixed(colour: str, ground: str, share: float) -> tuple[int, ...]:
    """Blend a share of the colour with the ground."""
    pairs = zip(ImageColor.getrgb(colour), ImageColor.getrgb(ground), strict=True)
    return tuple(round(share * over + (1 - share) * under) for over, under in pairs)


def colour_of(view: View, seat: int) -> str:
    return GHOST_COLOUR if view.seats[seat].is_ghost else SEAT_COLOURS[seat]


class Canvas:
    def __init__(self, image: Image.Image) -> None:
        self._draw: Any = ImageDraw.Draw(image)

    def write(
        self, at: tuple[float, float], text: str, size: int, colour: Any = TEXT, anchor: str = "la"
    ) -> None:
        self._draw.text(at, text, fill=colour, font=ImageFont.load_default(size), anchor=anchor)

    def panel(self, left: float, top: float, width: float, height: float, fill: Any, edge: Any) -> None:
        self._draw.rounded_rectangle((left, top, left + width, top + height), 10, fill, edge, 2)

    def draw_slot(self, view: View, slot: SlotView, left: float, width: int) -> None:
        middle = left + width / 2
        if slot.card is None:
            self.panel(left, HEAD, width, CARD_HEIGHT, NIGHT, LINE)
            self.write((middle, HEAD + CARD_HEIGHT / 2), say("env.gone"), 16, FAINT, "mm")
            return
        colour = TYPE_COLOURS[slot.card.type]
        self.panel(
            left, HEAD, width, CARD_HEIGHT, mixed(colour, NIGHT, 0.12 if slot.is_down else 0.3), colour
        )
        self.write((left + 12, HEAD + 10), str(slot.slot + 1), 16, FAINT)
        self.write((middle, HEAD + 44), type_name(slot.card.type), 19, TEXT, "mm")
        value = str(slot.card.value or UNKNOWN)
        self._draw.ellipse((middle - 27, HEAD + 64, middle + 27, HEAD + 118), mixed(colour, NIGHT, 0.75))
        self.write((middle, HEAD + 91), value, 30, NIGHT, "mm")
        if slot.is_down:
            self.write((middle, HEAD + 134), say("env.down"), 14, FAINT, "mm")
        if slot.holder is not None:
            self._draw_claim(view, slot, middle)

    def _draw_claim(self, view: View, slot: SlotView, middle: float) -> None:
        colour = colour_of(view, slot.holder or 0)
        left = middle - (slot.dice * (DIE + 6) - 6) / 2
        for die in range(slot.dice):
            is_failed = die < slot.failed
            self.draw_die(left + die * (DIE + 6), HEAD + 150, slot.effort, LINE if is_failed else colour)
        self.write((middle, HEAD + 197), holder_text(view, slot), 14, colour, "mm")

    def draw_die(self, left: float, top: float, face: int, colour: Any) -> None:
        """Draw a die with this many pips; face 0 has none."""
        self._draw.rounded_rectangle((left, top, left + DIE, top + DIE), 6, colour)
        for column, row in PIPS.get(face, ()):
            x, y = left + DIE * (column + 1) / 4, top + DIE * (row + 1) / 4
            self._draw.ellipse((x - 3, y - 3, x + 3, y + 3), NIGHT)

    def draw_seat(self, view: View, seat: SeatView, top: float) -> None:
        colour = colour_of(view, seat.seat)
        edge = EMBER if view.actor == seat.seat else LINE
        self.panel(MARGIN, top, WIDTH - 2 * MARGIN, PANEL, STONE, edge)
        self.write((MARGIN + 16, top + 10), seat_name(view, seat.seat), 19, colour)
        if view.leader == seat.seat:
            self.write((MARGIN + 128, top + 14), say("env.leads"), 14, EMBER)
        for die in range(SERVANTS):
            left = MARGIN + 16 + die * (DIE + 8)
            if die < seat.ready:
                self.draw_die(left, top + 48, 0, colour)
            elif die < seat.ready + seat.exhausted:
                self._draw.rounded_rectangle((left, top + 48, left + DIE, top + 48 + DIE), 6, None, LINE, 2)
        if not seat.is_ghost:
            self.write((MARGIN + 214, top + 63), str(view.scores[seat.seat]), 26, TEXT, "mm")
            self._draw_collection(seat, MARGIN + 262, top + 24)

    def _draw_collection(self, seat: SeatView, left: float, top: float) -> None:
        """Sorted by type. Flipped cards are bright, hidden ones show no value."""
        width, height = SMALL_CARD
        cards = sorted(seat.cards, key=lambda card: (card.type, card.value or 0))
        step = min(width + 5, (WIDTH - MARGIN - 16 - width - left) / max(1, len(cards) - 1))
        for index, card in enumerate(cards):
            self._draw_small(card, left + index * step, top, width, height)

    def _draw_small(self, card: CardView, left: float, top: float, width: int, height: int) -> None:
        colour = TYPE_COLOURS[card.type]
        fill = mixed(colour, NIGHT, 0.8 if card.is_flipped else 0.25)
        self._draw.rounded_rectangle((left, top, left + width, top + height), 5, fill, colour, 1)
        ink = NIGHT if card.is_flipped else TEXT
        self.write((left + width / 2, top + height / 2), str(card), 15, ink, "mm")
