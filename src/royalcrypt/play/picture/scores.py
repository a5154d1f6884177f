"""The score sheet of a game that is over."""

from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.play.picture.emblems import EMBLEMS, placed
from royalcrypt.play.picture.seats import Person, colours
from royalcrypt.play.picture.strokes import (
    DIM,
    GOLD,
    JOINT,
    LINE,
    WALL,
    Area,
    box,
    coin,
    die,
    disc,
    group,
    path,
    words,
)

TOP, ROW, FOOT = 46, 34, 10
NAMES = 188.0
COLUMNS = len(TYPE_NAMES) + 3


def sheet_height(people: list[Person]) -> float:
    return TOP + ROW * sum(not person.is_ghost for person in people) + FOOT


def score_sheet(result: dict[str, Any], people: list[Person], area: Area) -> str:
    """Coins, what each Collector paid, servants, and all together."""
    x, y, width, height = area
    step = (width - NAMES - 16) / COLUMNS
    middles = [x + NAMES + step * (column + 0.5) for column in range(COLUMNS)]
    parts = [box(x, y, width, height, WALL, rx=16, stroke=LINE), _headings(middles, y + 13)]
    for seat, score in enumerate(result["scores"]):
        told = result["breakdown"][seat]
        figures = [told["treasure"], *(told["collectors"][name] for name in TYPE_NAMES), told["servants"]]
        line = y + TOP + seat * ROW
        fill, ink = colours(seat, is_ghost=False)
        parts += [
            path(f"M{x + 14:g} {line:g}h{width - 28:g}", stroke=JOINT, stroke_width=2),
            disc(x + 28, line + 17, 11, fill),
            words(str(seat + 1), x + 28, line + 22, 13, fill=ink, anchor="middle", is_bold=True),
            words(people[seat].name, x + 47, line + 22, 15, room=NAMES - 50, is_bold=True, has_serifs=True),
            *(
                words(f"{figure}" if figure else "–", middle, line + 22, 14, fill=DIM, anchor="middle")
                for figure, middle in zip(figures, middles, strict=False)
            ),
            words(
                str(score),
                middles[-1],
                line + 24,
                20,
                fill=GOLD,
                anchor="middle",
                is_bold=True,
                has_serifs=True,
            ),
        ]
    return group(parts)


def _headings(middles: list[float], y: float) -> str:
    drawn = [coin(middles[0], y + 12, 11, "", is_gold=True)]
    for card_type, name in enumerate(TYPE_NAMES):
        emblem = EMBLEMS[card_type]()
        drawn.append(placed(emblem, middles[card_type + 1] - 12, y, 24, title=say(f"term.{name}")))
    drawn.append(die(middles[-2] - 9, y + 3, 18, 1, "#b7aecb", "#231f2e"))
    drawn.append(words(say("picture.record.score"), middles[-1], y + 17, 13, fill=DIM, anchor="middle"))
    return "".join(drawn)
