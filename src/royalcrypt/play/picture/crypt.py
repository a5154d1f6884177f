"""The row of cards, each in its niche, with the dice that lie on it."""

from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES
from royalcrypt.play.picture.emblems import EMBLEMS, placed, vault
from royalcrypt.play.picture.seats import Person, colours
from royalcrypt.play.picture.strokes import (
    CHALK,
    DIM,
    INK,
    JOINT,
    LINE,
    PARCHMENT,
    PARCHMENT_SHADE,
    TYPE_COLOURS,
    VAULT,
    VAULT_SHADE,
    WALL,
    box,
    coin,
    die,
    group,
    path,
    tired_die,
    words,
)
from royalcrypt.play.views import SlotView, View

CRYPT_HEIGHT = 228
ROOMY, TIGHT = (134.0, 16.0), (103.0, 9.0)
"""Width of a card and space between two: up to four of them, and more."""
CARD_HEIGHT = 178
BRICK, COURSE = 86, 38


def crypt(view: View, people: list[Person], x: float, top: float, width: float) -> str:
    card_width, gap = ROOMY if len(view.row) <= 4 else TIGHT
    first = x + (width - len(view.row) * (card_width + gap) + gap) / 2
    return group(
        [
            _wall(x, top, width),
            words(say("term.crypt"), x + 14, top + 22, 13, fill=DIM),
            words(_deck(view), x + width - 14, top + 22, 13, fill=DIM, anchor="end"),
            *(
                _niche(slot, people, first + number * (card_width + gap), top + 36, card_width)
                for number, slot in enumerate(view.row)
            ),
        ]
    )


def _deck(view: View) -> str:
    if view.top is None:
        return say("picture.deck_empty")
    return say("picture.deck", count=view.deck, type=say(f"term.{TYPE_NAMES[LETTERS.index(view.top)]}"))


def _wall(x: float, top: float, width: float) -> str:
    """Stones in courses, each laid over the joints of the one below."""
    joints: list[str] = []
    for number, y in enumerate(range(COURSE, CRYPT_HEIGHT, COURSE)):
        first = BRICK // (2 - number % 2)
        joints.append(f"M{x + 2:g} {top + y:g}h{width - 4:g}")
        joints += [f"M{x + at:g} {top + y - 2:g}v{4 - COURSE}" for at in range(first, int(width), BRICK)]
    ground = box(x, top, width, CRYPT_HEIGHT, WALL, rx=16, stroke=LINE)
    return ground + path("".join(joints), stroke=JOINT, stroke_width=2)


def _outline(x: float, y: float, width: float, height: float) -> str:
    arch, corner = width / 2, 11
    return (
        f"M{x:g} {y + arch:g}a{arch:g} {arch:g} 0 0 1 {width:g} 0v{height - arch - corner:g}"
        f"a{corner} {corner} 0 0 1 -{corner} {corner}h{2 * corner - width:g}"
        f"a{corner} {corner} 0 0 1 -{corner} -{corner}z"
    )


def _niche(slot: SlotView, people: list[Person], x: float, y: float, width: float) -> str:
    outline = _outline(x, y, width, CARD_HEIGHT)
    if slot.card is None:
        return group(
            [
                path(outline, "#1c1824", stroke=LINE, stroke_width=1.5, stroke_dasharray="5 5"),
                words(say("picture.gone"), x + width / 2, y + 100, 13, fill=DIM, anchor="middle"),
            ]
        )
    card_type = LETTERS.index(slot.card.type)
    ground, shade, ink = (VAULT, VAULT_SHADE, CHALK) if slot.is_down else (PARCHMENT, PARCHMENT_SHADE, INK)
    size = min(72.0, width * 0.58)
    name = say(f"term.{TYPE_NAMES[card_type]}")
    emblem = placed(EMBLEMS[card_type](), x + (width - size) / 2, y + 22, size)
    if slot.is_down:
        emblem = placed(vault(), x + (width - size) / 2, y + 22, size)
        emblem += placed(EMBLEMS[card_type](), x + width / 2 - size * 0.2, y + 22 + size * 0.33, size * 0.4)
    value = "?" if slot.card.value is None else str(slot.card.value)
    return group(
        [
            path(_outline(x, y + 5, width, CARD_HEIGHT), "#000000", opacity=0.4),
            path(outline, ground, stroke=shade, stroke_width=2.5),
            emblem,
            path(
                f"M{x + width / 2 - 18:g} {y + 124.5:g}h36",
                stroke=TYPE_COLOURS[card_type],
                stroke_width=3,
                stroke_linecap="round",
            ),
            words(
                name,
                x + width / 2,
                y + 117,
                15,
                fill=ink,
                anchor="middle",
                room=width - 14,
                is_bold=True,
                has_serifs=True,
            ),
            coin(x + 12, y + 34, 16, value, is_gold=slot.card.is_public),
            _tray(slot, people, x + 8, y + 132, width - 16, ink),
        ],
        title=say("picture.face_down", type=name) if slot.is_down else f"{name} {value}",
    )


def _tray(slot: SlotView, people: list[Person], x: float, y: float, width: float, ink: str) -> str:
    height = 38
    tray = box(
        x,
        y,
        width,
        height,
        "#000000",
        rx=8,
        fill_opacity=0.1,
        stroke=ink,
        stroke_opacity=0.35,
        stroke_dasharray="3 3",
    )
    if slot.holder is None:
        return tray
    size = min(25.0, (width - 30) / slot.dice - 3)
    fill, pips = colours(slot.holder, is_ghost=people[slot.holder].is_ghost)
    held = slot.dice * (size + 3)
    left, middle = x + (width - held - 22) / 2, y + (height - size) / 2
    parts = [tray]
    for number in range(slot.dice):
        at = left + number * (size + 3)
        has_failed = number < slot.failed
        parts.append(
            tired_die(at, middle, size, ink) if has_failed else die(at, middle, size, slot.effort, fill, pips)
        )
    beside = left + held + 11
    owner = people[slot.holder].short(slot.holder)
    parts.append(words(str(slot.total), beside, y + 19, 14, fill=ink, anchor="middle", is_bold=True))
    parts.append(words(owner, beside, y + 31, 9.5, fill=ink, anchor="middle"))
    return "".join(parts)
