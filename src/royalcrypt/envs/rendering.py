"""Renders the table as text or as an image, from the view of one seat, so hidden cards are not shown."""

from typing import Any

import numpy as np
from PIL import Image, ImageColor, ImageDraw, ImageFont

from royalcrypt.envs.games import CompiledGames
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES, UNKNOWN
from royalcrypt.play.picture.svg import GHOST_COLOURS, PIPS, SEAT_COLOURS, TYPE_COLOURS
from royalcrypt.play.views import SeatView, SlotView, View, view_of
from royalcrypt.rules.layout import SERVANTS

WIDTH, MARGIN, GAP = 960, 28, 14
HEAD, CARD_HEIGHT, PANEL, DIE = 84, 214, 92, 30
NIGHT, STONE, LINE, TEXT, FAINT, EMBER = "#15191c", "#22292d", "#3a454a", "#ece6d8", "#93a09f", "#ffb454"


def render(games: CompiledGames, seat: int, mode: str) -> Any:
    """Text for mode ``ansi``; for ``rgb_array`` an array of height by width by three 8-bit colours."""
    view = view_of(games.state(0), seat)
    if mode == "rgb_array":
        return _Drawing(view).pixels()
    lines = [_heading(view), _deck_text(view), *(_slot_line(view, slot) for slot in view.row)]
    return "\n".join([*lines, *(_seat_line(view, seat) for seat in view.seats)]) + "\n"


def _heading(view: View) -> str:
    phase = say(f"env.phase.{view.phase}", turn=min(view.turn + 1, view.turns), turns=view.turns)
    return say("env.head", round=view.round, rounds=view.rounds, phase=phase, sides=view.collectors)


def _deck_text(view: View) -> str:
    if view.top is None:
        return say("env.deck", cards=view.deck)
    return say("env.deck.top", cards=view.deck, type=_type_name(view.top))


def _type_name(letter: str) -> str:
    return say(f"term.{TYPE_NAMES[LETTERS.index(letter)]}")


def _seat_name(view: View, seat: int) -> str:
    if view.seats[seat].is_ghost:
        return say("env.ghost")
    return say("env.you") if view.is_solo else say("env.player", seat=seat)


def _holder_text(view: View, slot: SlotView) -> str:
    """The holder of a card, the dice, and the number of failed dice; empty if the card is unclaimed."""
    if slot.holder is None:
        return ""
    held = say("env.held", who=_seat_name(view, slot.holder), dice=slot.dice, effort=slot.effort)
    return f"{held}, {say('env.failed', count=slot.failed)}" if slot.failed else held


def _slot_line(view: View, slot: SlotView) -> str:
    card = say("env.gone")
    if slot.card is not None:
        card = f"{_type_name(slot.card.type)} {slot.card.value or UNKNOWN}"
        card += f" ({say('env.down')})" if slot.is_down else ""
    return f"  {slot.slot + 1}  {card:26}{_holder_text(view, slot)}".rstrip()


def _seat_line(view: View, seat: SeatView) -> str:
    mark = ">" if view.actor == seat.seat else " "
    dice = say("env.dice", ready=seat.ready, exhausted=seat.exhausted)
    leads = say("env.leads") if view.leader == seat.seat else ""
    line = f"{mark} {_seat_name(view, seat.seat):10}{dice:22}{leads:7}"
    if not seat.is_ghost:
        # An exclamation mark follows a flipped card, as in positions.
        cards = " ".join(f"{card}{'!' * card.is_flipped}" for card in seat.cards)
        line += f"{say('env.score', score=view.scores[seat.seat]):11}{cards}"
    return line.rstrip()


def _blend(colour: str, share: float) -> tuple[int, ...]:
    """A mixture of the colour and the background; ``share`` is the part of the colour."""
    pairs = zip(ImageColor.getrgb(colour), ImageColor.getrgb(NIGHT), strict=True)
    return tuple(round(share * over + (1 - share) * under) for over, under in pairs)


class _Drawing:
    """Draws the row with its dice at the top and a panel for each seat below."""

    def __init__(self, view: View) -> None:
        height = HEAD + CARD_HEIGHT + 2 * MARGIN - GAP + len(view.seats) * (PANEL + GAP)
        self._view = view
        self._image = Image.new("RGB", (WIDTH, height), NIGHT)
        self._draw: Any = ImageDraw.Draw(self._image)
        self._write(MARGIN, 20, _heading(view), 22)
        self._write(MARGIN, 50, _deck_text(view), 16, FAINT)
        width = min(200, (WIDTH - 2 * MARGIN - GAP * (len(view.row) - 1)) // len(view.row))
        for slot in view.row:
            self._draw_slot(slot, MARGIN + slot.slot * (width + GAP), width)
        for seat in view.seats:
            self._draw_seat(seat, HEAD + CARD_HEIGHT + MARGIN + seat.seat * (PANEL + GAP))

    def pixels(self) -> Any:
        return np.asarray(self._image, np.uint8).copy()

    def _write(self, x: float, y: float, text: str, size: int, fill: Any = TEXT, anchor: str = "la") -> None:
        self._draw.text((x, y), text, fill=fill, font=ImageFont.load_default(size), anchor=anchor)

    def _box(self, x: float, y: float, width: float, height: float, radius: int, *style: Any) -> None:
        """Draw a rounded rectangle; ``style`` is its fill, edge colour and edge width."""
        self._draw.rounded_rectangle((x, y, x + width, y + height), radius, *style)

    def _disc(self, x: float, y: float, radius: float, fill: Any) -> None:
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def _die(self, x: float, y: float, face: int, colour: str) -> None:
        self._box(x, y, DIE, DIE, 6, colour)
        for column, row in PIPS[face]:
            self._disc(x + DIE * (column + 1) / 4, y + DIE * (row + 1) / 4, 3, NIGHT)

    def _colour_of(self, seat: int) -> str:
        return (GHOST_COLOURS if self._view.seats[seat].is_ghost else SEAT_COLOURS[seat])[0]

    def _draw_slot(self, slot: SlotView, left: float, width: int) -> None:
        middle = left + width / 2
        if slot.card is None:
            self._box(left, HEAD, width, CARD_HEIGHT, 10, NIGHT, LINE, 2)
            self._write(middle, HEAD + CARD_HEIGHT / 2, say("env.gone"), 16, FAINT, "mm")
            return
        colour = TYPE_COLOURS[LETTERS.index(slot.card.type)]
        self._box(
            left, HEAD, width, CARD_HEIGHT, 10, _blend(colour, 0.12 if slot.is_down else 0.3), colour, 2
        )
        self._write(left + 12, HEAD + 10, str(slot.slot + 1), 16, FAINT)
        self._write(middle, HEAD + 44, _type_name(slot.card.type), 19, TEXT, "mm")
        self._disc(middle, HEAD + 91, 27, _blend(colour, 0.75))
        self._write(middle, HEAD + 91, str(slot.card.value or UNKNOWN), 30, NIGHT, "mm")
        if slot.is_down:
            self._write(middle, HEAD + 134, say("env.down"), 14, FAINT, "mm")
        if slot.holder is not None:
            colour = self._colour_of(slot.holder)
            left = middle - (slot.dice * (DIE + 6) - 6) / 2
            for die in range(slot.dice):
                self._die(
                    left + die * (DIE + 6), HEAD + 150, slot.effort, LINE if die < slot.failed else colour
                )
            self._write(middle, HEAD + 197, _holder_text(self._view, slot), 14, colour, "mm")

    def _draw_seat(self, seat: SeatView, top: float) -> None:
        view, colour = self._view, self._colour_of(seat.seat)
        edge = EMBER if view.actor == seat.seat else LINE
        self._box(MARGIN, top, WIDTH - 2 * MARGIN, PANEL, 10, STONE, edge, 2)
        self._write(MARGIN + 16, top + 10, _seat_name(view, seat.seat), 19, colour)
        if view.leader == seat.seat:
            self._write(MARGIN + 128, top + 14, say("env.leads"), 14, EMBER)
        for die in range(SERVANTS):
            left = MARGIN + 16 + die * (DIE + 8)
            if die < seat.ready:
                self._die(left, top + 48, 0, colour)
            elif die < seat.ready + seat.exhausted:
                self._box(left, top + 48, DIE, DIE, 6, None, LINE, 2)
        if not seat.is_ghost:
            self._write(MARGIN + 214, top + 63, str(view.scores[seat.seat]), 26, TEXT, "mm")
            self._draw_collection(seat, MARGIN + 262, top + 24)

    def _draw_collection(self, seat: SeatView, left: float, top: float) -> None:
        """Draw the collected cards by type: flipped ones bright, unknown ones without a value."""
        cards = sorted(seat.cards, key=lambda card: (card.type, card.value or 0))
        step = min(39, (WIDTH - MARGIN - 50 - left) / max(1, len(cards) - 1))
        for number, card in enumerate(cards):
            colour, x = TYPE_COLOURS[LETTERS.index(card.type)], left + number * step
            self._box(x, top, 34, 44, 5, _blend(colour, 0.8 if card.is_flipped else 0.25), colour, 1)
            self._write(x + 17, top + 22, str(card), 15, NIGHT if card.is_flipped else TEXT, "mm")
