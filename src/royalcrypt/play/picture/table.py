"""The whole table as one picture: what is drawn is in the view's fields, so it shows no more than that."""

from collections.abc import Sequence
from html import escape
from typing import Any

from royalcrypt.locales import say
from royalcrypt.notation.cards import TYPE_NAMES
from royalcrypt.play.picture.crypt import CRYPT_HEIGHT, crypt
from royalcrypt.play.picture.emblems import EMBLEMS, placed
from royalcrypt.play.picture.scores import score_sheet, sheet_height
from royalcrypt.play.picture.seats import Person, panel_height, seat_panel
from royalcrypt.play.picture.strokes import (
    BRONZE,
    DIM,
    EMBER,
    LINE,
    NIGHT,
    STONE,
    STONE_LIT,
    TYPE_COLOURS,
    box,
    group,
    pill,
    tag,
    width_of,
    words,
)
from royalcrypt.play.results import RANKS, title_of
from royalcrypt.play.views import SeatView, SlotView, View

WIDTH, EDGE, GAP = 720, 16, 10
INNER = WIDTH - 2 * EDGE
HEADER = 48
COLLECTORS = 64
OVER = "over"
TITLES = [title for _, title in reversed(RANKS)]


def table_picture(view: View, names: Sequence[str] = (), result: dict[str, Any] | None = None) -> str:
    """An SVG of Collectors, cards, dice and everybody's things, as far as the view's owner knows.

    In place of the cards a game that is over has its score sheet, if there is a result (RECORD.md).
    """
    people = _people(view, names, result)
    parts = [_header(view, people), *_collectors(view, HEADER)]
    top: float = HEADER + COLLECTORS + GAP
    if view.phase != OVER:
        parts.append(crypt(view, people, EDGE, top, INNER))
        top += CRYPT_HEIGHT + GAP
    elif result is not None:
        height = sheet_height(people)
        parts.append(score_sheet(result, people, (EDGE, top, INNER, height)))
        top += height + GAP
    columns = 3 if len(view.seats) == 3 else 2
    width = (INNER - (columns - 1) * GAP) / columns
    for first in range(0, len(view.seats), columns):
        line = view.seats[first : first + columns]
        height = max(panel_height(seat, width) for seat in line)
        for column, seat in enumerate(line):
            x = EDGE + column * (width + GAP)
            parts.append(seat_panel(view, seat, people[seat.seat], (x, top, width, height)))
        top += height + GAP
    return _framed(view, people, parts, top - GAP + EDGE)


def _framed(view: View, people: list[Person], parts: list[str], height: float) -> str:
    about = [tag("title", escape(say("picture.title", round=view.round, rounds=view.rounds)))]
    about.append(tag("desc", escape(description(view, people))))
    ground = box(0.5, 0.5, WIDTH - 1, height - 1, NIGHT, rx=18, stroke=LINE)
    return tag(
        "svg",
        "".join([*about, ground, *parts]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height:g}",
        width=WIDTH,
        height=height,
        style="max-width:100%;height:auto",
        role="img",
    )


def _people(view: View, names: Sequence[str], result: dict[str, Any] | None) -> list[Person]:
    winners = _winners(view) if result is None else result["winners"]
    people: list[Person] = []
    for seat in view.seats:
        called = names[seat.seat] if seat.seat < len(names) else say("picture.player", number=seat.seat + 1)
        honour = say("picture.winner") if seat.seat in winners else ""
        if honour and view.is_solo:
            honour = say(f"term.rank.{TITLES.index(title_of(view.scores[0] or 0))}")
        people.append(Person(say("term.ghost") if seat.is_ghost else called, seat.is_ghost, honour))
    return people


def _winners(view: View) -> list[int]:
    """Nobody after a tie: it was broken by dice that a view does not tell of (R7.3)."""
    if view.phase != OVER:
        return []
    best = max(score or 0 for score in view.scores)
    found = [seat for seat, score in enumerate(view.scores) if score == best]
    return found if len(found) == 1 else []


def _header(view: View, people: list[Person]) -> str:
    told = say("picture.round", round=view.round, rounds=view.rounds)
    parts = [words(told, EDGE + 2, 31, 20, is_bold=True, has_serifs=True)]
    x = EDGE + width_of(told, 20, is_bold=True) + 8
    if view.actor is None:
        parts.append(pill(say("picture.over"), x, 14, fill=STONE_LIT, ink=EMBER, size=12.5)[0])
    else:
        phase = say(f"picture.phase.{view.phase}")
        doing = say("picture.decides", phase=phase, name=people[view.actor].name)
        parts.append(pill(doing, x, 14, fill=EMBER, ink=BRONZE, size=12.5)[0])
    parts.append(words(_eyes(view, people), WIDTH - EDGE - 2, 30, 12.5, fill=DIM, anchor="end"))
    return "".join(parts)


def _eyes(view: View, people: list[Person]) -> str:
    if view.phase == OVER:
        return say("picture.all_open")
    if view.seat is None:
        return say("picture.seen_by_all")
    return say("picture.seen_by", name=people[view.seat].name)


def _collectors(view: View, top: float) -> list[str]:
    width = (INNER - 5 * 8) / 6
    cells: list[str] = []
    for card_type, side in enumerate(view.collectors):
        x = EDGE + card_type * (width + 8)
        name = TYPE_NAMES[card_type]
        lines = wrapped(say(f"collector.{name}.{side}.short"), 20)
        cells.append(
            group(
                [
                    box(x, top, width, COLLECTORS, STONE, rx=8, stroke=LINE),
                    box(x, top + 6, 4, COLLECTORS - 12, TYPE_COLOURS[card_type], rx=2),
                    placed(EMBLEMS[card_type](), x + 8, top + 7, 18),
                    words(
                        say(f"term.{name}"),
                        x + 30,
                        top + 20,
                        12.5,
                        room=width - 48,
                        is_bold=True,
                        has_serifs=True,
                    ),
                    words(side, x + width - 7, top + 20, 12, fill=EMBER, anchor="end", is_bold=True),
                    *(
                        words(line, x + 10, top + 38 + 12 * number, 9.6, fill=DIM)
                        for number, line in enumerate(lines)
                    ),
                ],
                title=say(f"collector.{name}.{side}.label"),
            )
        )
    return cells


def wrapped(text: str, most: int) -> list[str]:
    """In lines of about so many letters."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def description(view: View, people: list[Person]) -> str:
    """The picture in words, for those who do not see it."""
    told = [_about_slot(slot, people) for slot in view.row]
    told += [_about_seat(seat, people) for seat in view.seats]
    return ". ".join(told) + "."


def _about_slot(slot: SlotView, people: list[Person]) -> str:
    card = say("picture.gone") if slot.card is None else str(slot.card)
    if slot.holder is None:
        return say("picture.about_slot", card=card, holder=say("picture.about_free"))
    name = people[slot.holder].name
    holder = say("picture.about_dice", name=name, dice=slot.dice, effort=slot.effort)
    return say("picture.about_slot", card=card, holder=holder)


def _about_seat(seat: SeatView, people: list[Person]) -> str:
    cards = " ".join(map(str, seat.cards)) or say("picture.about_nothing")
    name = people[seat.seat].name
    return say("picture.about_seat", name=name, ready=seat.ready, exhausted=seat.exhausted, cards=cards)
