"""A player's things: servants, torches, the cards collected so far and what they are worth."""

from typing import NamedTuple

from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.play.insight import CardView
from royalcrypt.play.picture.emblems import EMBLEMS, flame, placed, smoke
from royalcrypt.play.picture.strokes import (
    BRONZE,
    CHALK,
    DIM,
    EMBER,
    GHOST_COLOUR,
    GHOST_INK,
    GOLD,
    INK,
    LINE,
    NIGHT,
    PARCHMENT,
    SEAT_COLOURS,
    SEAT_INKS,
    STONE,
    TYPE_COLOURS,
    VAULT,
    Area,
    box,
    die,
    disc,
    group,
    pill,
    tired_die,
    width_of,
    words,
)
from royalcrypt.play.views import SeatView, View

HEAD, LINE_HEIGHT, FOOT = 78, 27, 8
CHIP, CHIP_GAP, SIGN = 16, 2, 21
DIE = 22


class Person(NamedTuple):
    """Who sits at a seat."""

    name: str
    is_ghost: bool
    honour: str
    """What they are called for having won; nothing for the others."""

    def short(self, seat: int) -> str:
        return self.name[:1] if self.is_ghost else f"P{seat + 1}"


def colours(seat: int, *, is_ghost: bool) -> tuple[str, str]:
    """Of a seat's dice and what is written on them."""
    return (GHOST_COLOUR, GHOST_INK) if is_ghost else (SEAT_COLOURS[seat], SEAT_INKS[seat])


def columns_of(seat: SeatView) -> dict[int, list[CardView]]:
    """The collection by type, each in the order of taking."""
    found: dict[int, list[CardView]] = {}
    for card_type, letter in enumerate(LETTERS):
        cards = [card for card in seat.cards if card.type == letter]
        if cards:
            found[card_type] = cards
    return found


def lines_of(seat: SeatView, width: float) -> list[list[int]]:
    """Which types stand in which line of a panel."""
    lines: list[list[int]] = [[]]
    left = width
    for card_type, cards in columns_of(seat).items():
        needed = _column_width(len(cards)) + 6
        if needed > left and lines[-1]:
            lines.append([])
            left = width
        lines[-1].append(card_type)
        left -= needed
    return lines


def _column_width(cards: int) -> float:
    return SIGN + cards * (CHIP + CHIP_GAP) + 5


def panel_height(seat: SeatView, width: float) -> float:
    return HEAD + len(lines_of(seat, width - 24)) * LINE_HEIGHT + FOOT


def seat_panel(view: View, seat: SeatView, person: Person, area: Area) -> str:
    x, y, width, height = area
    fill, ink = colours(seat.seat, is_ghost=seat.is_ghost)
    is_lit = view.actor == seat.seat or bool(person.honour)
    border, thickness = (EMBER, 2) if is_lit else (LINE, 1)
    number = person.short(seat.seat).removeprefix("P")
    score = _score(view, seat)
    room = width - 70 - width_of(score, 20, is_bold=True)
    return group(
        [
            box(x, y, width, height, STONE, rx=12, stroke=border, stroke_width=thickness),
            box(x, y + 12, 5, height - 24, fill, rx=2.5),
            disc(x + 28, y + 25, 13, fill),
            words(number, x + 28, y + 30, 15, fill=ink, anchor="middle", is_bold=True, has_serifs=True),
            words(person.name, x + 49, y + 30, 16, room=room, is_bold=True, has_serifs=True),
            words(score, x + width - 14, y + 31, 20, anchor="end", is_bold=True, has_serifs=True),
            _servants(view, seat, x + 16, y + 46, colours(seat.seat, is_ghost=seat.is_ghost)),
            _honour(person, x + width - 12, y + 46) or _torches(view, seat, x + width - 12, y + 44),
            _collection(seat, x + 14, y + HEAD, width - 24),
        ],
        title=person.name,
    )


def _score(view: View, seat: SeatView) -> str:
    """As far as the viewer can count; hidden cards may add to it."""
    if seat.is_ghost:
        return ""
    score = view.scores[seat.seat]
    is_open = all(card.value is not None for card in seat.cards)
    return "?" if score is None else f"{score}" if is_open else f"{score} + ?"


def _honour(person: Person, right: float, y: float) -> str:
    if not person.honour:
        return ""
    drawn, width = pill(person.honour, 0, 0, fill=GOLD, ink=BRONZE, size=12)
    return group([drawn], transform=f"translate({right - width:g} {y:g})")


def _servants(view: View, seat: SeatView, x: float, y: float, look: tuple[str, str]) -> str:
    fill, ink = look
    left = [x + number * (DIE + 4) for number in range(seat.ready + seat.exhausted)]
    parts = [die(at, y, DIE, 0, fill, ink) for at in left[: seat.ready]]
    parts += [tired_die(at, y, DIE, fill) for at in left[seat.ready :]]
    placed_dice = sum(slot.dice for slot in view.row if slot.holder == seat.seat)
    if placed_dice:
        told = say("picture.on_cards", count=placed_dice)
        parts.append(words(told, x + len(left) * (DIE + 4) + 2, y + 15, 11.5, fill=DIM))
    return group(parts, title=say("picture.servants", ready=seat.ready, exhausted=seat.exhausted))


def _torches(view: View, seat: SeatView, right: float, y: float) -> str:
    """The Leader's burns; Lights Out has gone out."""
    held: list[tuple[str, str]] = []
    if view.phase != "over" and view.leader == seat.seat:
        held.append((flame(), say("term.leader")))
    if view.phase != "over" and view.lights_out == seat.seat:
        held.append((smoke(), say("term.lights_out")))
    parts: list[str] = []
    for drawing, name in reversed(held):
        width = width_of(name, 11) + 33
        right -= width
        parts += [
            box(right, y + 1, width - 4, 24, NIGHT, rx=12),
            placed(drawing, right + 4, y + 4, 18),
            words(name, right + 23, y + 17, 11, fill=EMBER),
        ]
    return "".join(parts)


def _collection(seat: SeatView, x: float, y: float, width: float) -> str:
    columns = columns_of(seat)
    if not columns:
        told = say("picture.ghost_collects" if seat.is_ghost else "picture.no_cards")
        return words(told, x + 2, y + 16, 12.5, fill=DIM)
    parts: list[str] = []
    for number, line in enumerate(lines_of(seat, width)):
        left = x
        for card_type in line:
            parts.append(_column(card_type, columns[card_type], left, y + number * LINE_HEIGHT))
            left += _column_width(len(columns[card_type])) + 6
    return "".join(parts)


def _column(card_type: int, cards: list[CardView], x: float, y: float) -> str:
    parts = [
        box(x, y, _column_width(len(cards)), 23, NIGHT, rx=6),
        box(x, y + 3, 3, 17, TYPE_COLOURS[card_type], rx=1.5),
        placed(EMBLEMS[card_type](), x + 5, y + 4, 15),
    ]
    parts += [
        _chip(card, x + SIGN + 1 + number * (CHIP + CHIP_GAP), y + 3) for number, card in enumerate(cards)
    ]
    return group(parts, title=f"{say(f'term.{TYPE_NAMES[card_type]}')}: {' '.join(map(str, cards))}")


def _chip(card: CardView, x: float, y: float) -> str:
    """Parchment for what all know, stone for what its owner hides; underlined once it is flipped."""
    ground, ink = (PARCHMENT, INK) if card.is_public else (VAULT, CHALK)
    value = "?" if card.value is None else str(card.value)
    chip = box(x, y, CHIP, 17, ground, rx=4)
    chip += words(value, x + CHIP / 2, y + 13, 12.5, fill=ink, anchor="middle", is_bold=True, has_serifs=True)
    if card.is_flipped:
        chip += box(x + 3, y + 14.5, CHIP - 6, 1.8, TYPE_COLOURS[3], rx=0.9)
    return chip
