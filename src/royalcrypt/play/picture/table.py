"""Tables as SVG, drawn from a view alone, so hidden values cannot appear; records as HTML."""

import json
from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import Any, NamedTuple

from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES, UNKNOWN
from royalcrypt.notation.records import Record
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.picture import svg
from royalcrypt.play.picture.svg import box, die, disc, exhausted_die, group, line, path, symbol, words
from royalcrypt.play.results import RANKS, title_of
from royalcrypt.play.views import SeatView, SlotView, View

WIDTH, EDGE, GAP = 720, 16, 10
INNER = WIDTH - 2 * EDGE
CRYPT, NICHE = 228, 178
"""The heights of the Crypt and of one card's niche in it."""
COLLECTORS, SCORE_LINE, CARDS_LINE = 64, 34, 27
"""The heights of a Collector, of a line of the score sheet and of a line of collected cards."""
OVER = "over"
CELL = "padding:.15em .6em;text-align:right;white-space:nowrap"
"""The CSS style of a cell of a record's score sheet."""
TITLES = [title for _, title in reversed(RANKS)]


class PlayerLabel(NamedTuple):
    """The label of a player or of the Ghost."""

    name: str
    mark: str
    """The seat's number, or the initial of the Ghost."""
    honour: str
    """The title of a winner; empty for other players."""
    colours: tuple[str, str]


def table_picture(view: View, names: Sequence[str] = (), result: dict[str, Any] | None = None) -> str:
    """An SVG of Collectors, cards, dice and collections, with the knowledge of the view's owner.

    With a result (RECORD.md), a score sheet replaces the cards once the game is over.
    """
    people = _people(view, names, result)
    blocks = [(_header(view, people), 38), (_collectors(view), COLLECTORS)]
    if view.phase != OVER:
        blocks.append((_crypt(view, people), CRYPT))
    elif result is not None:
        blocks.append((_score_sheet(result, people), 56 + SCORE_LINE * len(result["scores"])))
    columns = 3 if len(view.seats) == 3 else 2
    blocks += [_panels(view, people, first, columns) for first in range(0, len(view.seats), columns)]
    height = sum(height + GAP for _, height in blocks) - GAP + EDGE
    picture = svg.tag("title", escape(say("picture.title", round=view.round, rounds=view.rounds)))
    picture += svg.tag("desc", escape(_description(view, people)))
    picture += box(0.5, 0.5, WIDTH - 1, height - 1, svg.NIGHT, rx=18, stroke=svg.LINE)
    top = 0
    for drawing, drawn in blocks:
        picture += group(drawing, at=(EDGE, top))
        top += drawn + GAP
    return svg.document(picture, WIDTH, height)


def _people(view: View, names: Sequence[str], result: dict[str, Any] | None) -> list[PlayerLabel]:
    winners = _winners(view) if result is None else result["winners"]
    people: list[PlayerLabel] = []
    for seat in range(len(view.seats)):
        honour = say("picture.winner") if seat in winners else ""
        if honour and view.is_solo:
            honour = say(f"term.rank.{TITLES.index(title_of(view.scores[0] or 0))}")
        if view.seats[seat].is_ghost:
            people.append(PlayerLabel(say("term.ghost"), say("term.ghost")[:1], honour, svg.GHOST_COLOURS))
        else:
            name = names[seat] if seat < len(names) else say("picture.player", number=seat + 1)
            people.append(PlayerLabel(name, str(seat + 1), honour, svg.SEAT_COLOURS[seat]))
    return people


def _winners(view: View) -> list[int]:
    """The seats with the highest score; empty after a tie, as a view lacks the tie-break dice (R7.3)."""
    best = max(score or 0 for score in view.scores)
    found = [seat for seat, score in enumerate(view.scores) if score == best]
    return found if view.phase == OVER and len(found) == 1 else []


def _header(view: View, people: list[PlayerLabel]) -> str:
    title = say("picture.round", round=view.round, rounds=view.rounds)
    status, _ = svg.pill(say("picture.over"), svg.STONE_LIT, svg.EMBER)
    if view.actor is not None:
        phase = say(f"picture.phase.{view.phase}")
        decides = say("picture.decides", phase=phase, name=people[view.actor].name)
        status, _ = svg.pill(decides, svg.EMBER, svg.BRONZE)
    if view.phase == OVER:
        viewer = say("picture.all_open")
    elif view.seat is None:
        viewer = say("picture.seen_by_all")
    else:
        viewer = say("picture.seen_by", name=people[view.seat].name)
    header = words(title, 2, 31, 20, is_title=True)
    header += group(status, at=(svg.width_of(title, 20, is_title=True) + 8, 14))
    return header + words(viewer, INNER - 2, 30, 12.5, svg.DIM, anchor="end")


def _collectors(view: View) -> str:
    width = (INNER - 5 * 8) / 6
    cells: list[str] = []
    for card_type, side in enumerate(view.collectors):
        name = TYPE_NAMES[card_type]
        lines = wrap(say(f"collector.{name}.{side}.short"), 20, break_on_hyphens=False)
        cells.append(
            group(
                box(0, 0, width, COLLECTORS, svg.STONE, rx=8, stroke=svg.LINE),
                box(0, 6, 4, COLLECTORS - 12, svg.TYPE_COLOURS[card_type], rx=2),
                symbol(svg.EMBLEMS[card_type], 8, 7, 18),
                words(say(f"term.{name}"), 30, 20, 12.5, room=width - 56, is_title=True),
                words(side, width - 7, 20, 12, svg.EMBER, anchor="end", is_title=True),
                *(words(text, 10, 38 + 12 * number, 9.6, svg.DIM) for number, text in enumerate(lines)),
                at=(card_type * (width + 8), 0),
                title=say(f"collector.{name}.{side}.label"),
            )
        )
    return "".join(cells)


def _crypt(view: View, people: list[PlayerLabel]) -> str:
    width, gap = (134, 16) if len(view.row) <= 4 else (103, 9)
    first = (INNER - len(view.row) * (width + gap) + gap) / 2
    deck = say("picture.deck_empty")
    if view.top is not None:
        deck = say("picture.deck", count=view.deck, type=say(f"term.{TYPE_NAMES[LETTERS.index(view.top)]}"))
    crypt = _wall() + words(say("term.crypt"), 14, 22, 13, svg.DIM)
    crypt += words(deck, INNER - 14, 22, 13, svg.DIM, anchor="end")
    for slot in view.row:
        crypt += group(_niche(slot, people, width), at=(first + slot.slot * (width + gap), 36))
    return crypt


def _wall() -> str:
    """The background wall: rows of stones, shifted against each other."""
    joints = ""
    for course in range(5):
        y = 38 + 38 * course
        joints += f"M2 {y}h{INNER - 4}"
        joints += "".join(f"M{x} {y - 2}v-34" for x in range(86 // (2 - course % 2), INNER, 86))
    ground = box(0, 0, INNER, CRYPT, "#2f2938", rx=16, stroke=svg.LINE)
    return ground + path(joints, stroke="#272130", stroke_width=2)


def _niche(slot: SlotView, people: list[PlayerLabel], width: float) -> str:
    arch, middle = width / 2, width / 2
    outline = (
        f"M0 {arch:g}a{arch:g} {arch:g} 0 0 1 {width:g} 0v{NICHE - arch - 11:g}"
        f"a11 11 0 0 1 -11 11h{22 - width:g}a11 11 0 0 1 -11 -11z"
    )
    if slot.card is None:
        ground = path(outline, "#1c1824", stroke=svg.LINE, stroke_width=1.5, stroke_dasharray="5 5")
        return ground + words(say("picture.gone"), middle, 100, 13, svg.DIM, anchor="middle")
    card_type = LETTERS.index(slot.card.type)
    name = say(f"term.{TYPE_NAMES[card_type]}")
    value = str(slot.card.value or UNKNOWN)
    size = min(72.0, width * 0.58)
    emblem = symbol(svg.EMBLEMS[card_type], middle - size / 2, 22, size)
    ground, shade, ink, title = svg.PARCHMENT, "#e3d3ae", svg.INK, f"{name} {value}"
    if slot.is_down:
        ground, shade, ink = svg.VAULT_STONE, "#22302f", svg.CHALK
        title = say("picture.face_down", type=name)
        emblem = symbol(svg.VAULT, middle - size / 2, 22, size)
        emblem += symbol(svg.EMBLEMS[card_type], middle - size * 0.2, 22 + size * 0.33, size * 0.4)
    return group(
        group(path(outline, "#000000", opacity=0.4), at=(0, 5)),
        path(outline, ground, stroke=shade, stroke_width=2.5),
        emblem,
        line(f"M{middle - 18:g} 124.5h36", svg.TYPE_COLOURS[card_type], 3),
        words(name, middle, 117, 15, ink, anchor="middle", room=width - 14, is_title=True),
        svg.coin(12, 34, 16, value, is_gold=slot.card.is_public),
        group(_tray(slot, people, width - 16, ink), at=(8, 132)),
        title=title,
    )


def _tray(slot: SlotView, people: list[PlayerLabel], width: float, ink: str) -> str:
    edge = {"stroke": ink, "stroke_opacity": 0.35, "stroke_dasharray": "3 3"}
    tray = box(0, 0, width, 38, "#000000", rx=8, fill_opacity=0.1, **edge)
    if slot.holder is None:
        return tray
    person = people[slot.holder]
    size = min(25.0, (width - 30) / slot.dice - 3)
    dice = slot.dice * (size + 3)
    left, top = (width - dice - 22) / 2, (38 - size) / 2
    for number in range(slot.dice):
        x = left + number * (size + 3)
        if number < slot.failed:
            tray += exhausted_die(x, top, size, ink)
        else:
            tray += die(x, top, size, slot.effort, person.colours)
    tray += words(str(slot.total), left + dice + 11, 19, 14, ink, anchor="middle", is_title=True)
    holder = f"P{person.mark}" if person.mark.isdecimal() else person.mark
    return tray + words(holder, left + dice + 11, 31, 9.5, ink, anchor="middle")


def _panels(view: View, people: list[PlayerLabel], first: int, columns: int) -> tuple[str, int]:
    """The panels of a line of seats, and the height that they share."""
    width = (INNER - (columns - 1) * GAP) / columns
    seats = view.seats[first : first + columns]
    collections = [_collection(seat, width - 24) for seat in seats]
    height = 86 + CARDS_LINE * max(map(len, collections))
    panels: list[str] = []
    for column, (seat, lines) in enumerate(zip(seats, collections, strict=True)):
        cards = [group(text, at=(14, 78 + CARDS_LINE * number)) for number, text in enumerate(lines)]
        panel = _panel(view, seat, people[seat.seat], width, height)
        panels.append(group(panel, *cards, at=(column * (width + GAP), 0), title=people[seat.seat].name))
    return "".join(panels), height


def _panel(view: View, seat: SeatView, person: PlayerLabel, width: float, height: float) -> str:
    """A player's name, score, servants and torches; a light frame marks the seat that decides or has won."""
    fill, ink = person.colours
    is_lit = view.actor == seat.seat or person.honour
    score = _score(view, seat)
    room = width - 70 - svg.width_of(score, 20, is_title=True)
    border, thickness = (svg.EMBER, 2) if is_lit else (svg.LINE, 1)
    panel = box(0, 0, width, height, svg.STONE, rx=12, stroke=border, stroke_width=thickness)
    panel += box(0, 12, 5, height - 24, fill, rx=2.5) + disc(28, 25, 13, fill)
    panel += words(person.mark, 28, 30, 15, ink, anchor="middle", is_title=True)
    panel += words(person.name, 49, 30, 16, room=room, is_title=True)
    panel += words(score, width - 14, 31, 20, anchor="end", is_title=True)
    return panel + _servants(view, seat, person) + _badges(view, seat, person, width - 12)


def _score(view: View, seat: SeatView) -> str:
    """The score as far as the viewer can compute it; hidden cards may add to it."""
    score = "" if seat.is_ghost else view.scores[seat.seat]
    is_open = all(card.value is not None for card in seat.cards)
    return UNKNOWN if score is None else f"{score}" if is_open else f"{score} + ?"


def _servants(view: View, seat: SeatView, person: PlayerLabel) -> str:
    right = 26 * (seat.ready + seat.exhausted)
    dice = [die(x, 0, 22, 0, person.colours) for x in range(0, 26 * seat.ready, 26)]
    dice += [exhausted_die(x, 0, 22, person.colours[0]) for x in range(26 * seat.ready, right, 26)]
    placed = sum(slot.dice for slot in view.row if slot.holder == seat.seat)
    if placed:
        dice.append(words(say("picture.on_cards", count=placed), right + 2, 15, 11.5, svg.DIM))
    title = say("picture.servants", ready=seat.ready, exhausted=seat.exhausted)
    return group(*dice, at=(16, 46), title=title)


def _badges(view: View, seat: SeatView, person: PlayerLabel, right: float) -> str:
    """A winner's title; before the end, the torches that the player holds."""
    if person.honour:
        honour, width = svg.pill(person.honour, svg.GOLD, svg.BRONZE)
        return group(honour, at=(right - width, 46))
    held: list[tuple[str, str]] = []
    if view.phase != OVER and view.lights_out == seat.seat:
        held.append((svg.EXTINGUISHED_TORCH, say("term.lights_out")))
    if view.phase != OVER and view.leader == seat.seat:
        held.append((svg.BURNING_TORCH, say("term.leader")))
    badges = ""
    for torch, name in held:
        width = svg.width_of(name, 11) + 33
        right -= width
        ground = box(0, 1, width - 4, 24, svg.NIGHT, rx=12)
        badges += group(ground, symbol(torch, 4, 4, 18), words(name, 23, 17, 11, svg.EMBER), at=(right, 44))
    return badges


def _collection(seat: SeatView, width: float) -> list[str]:
    """The collected cards by type, in as many lines as fit the width."""
    lines, left = [""], 0
    for card_type, letter in enumerate(LETTERS):
        cards = [card for card in seat.cards if card.type == letter]
        needed = 32 + 18 * len(cards)
        if cards and left + needed > width and left:
            lines, left = [*lines, ""], 0
        if cards:
            title = f"{say(f'term.{TYPE_NAMES[card_type]}')}: {' '.join(map(str, cards))}"
            lines[-1] += group(_column(card_type, cards), at=(left, 0), title=title)
            left += needed
    if not seat.cards:
        nothing = say("picture.ghost_collects" if seat.is_ghost else "picture.no_cards")
        lines[0] = words(nothing, 2, 16, 12.5, svg.DIM)
    return lines


def _column(card_type: int, cards: list[CardView]) -> str:
    """A column of cards: public ones on parchment, others on stone; a line below marks flipped cards."""
    column = box(0, 0, 26 + 18 * len(cards), 23, svg.NIGHT, rx=6)
    column += box(0, 3, 3, 17, svg.TYPE_COLOURS[card_type], rx=1.5)
    column += symbol(svg.EMBLEMS[card_type], 5, 4, 15)
    for number, card in enumerate(cards):
        ground, ink = (svg.PARCHMENT, svg.INK) if card.is_public else (svg.VAULT_STONE, svg.CHALK)
        x = 22 + 18 * number
        column += box(x, 3, 16, 17, ground, rx=4)
        column += words(str(card.value or UNKNOWN), x + 8, 16, 12.5, ink, anchor="middle", is_title=True)
        if card.is_flipped:
            column += box(x + 3, 17.5, 10, 1.8, svg.TYPE_COLOURS[3], rx=0.9)
    return column


def _score_sheet(result: dict[str, Any], people: list[PlayerLabel]) -> str:
    """A table of each player's coins, payments of Collectors, servants and total."""
    step = (INNER - 204) / 9
    middles = [188 + step * (column + 0.5) for column in range(9)]
    sheet = box(0, 0, INNER, 56 + SCORE_LINE * len(result["scores"]), "#2f2938", rx=16, stroke=svg.LINE)
    sheet += svg.coin(middles[0], 25, 11, "")
    for card_type, name in enumerate(TYPE_NAMES):
        left = middles[card_type + 1] - 12
        sheet += symbol(svg.EMBLEMS[card_type], left, 13, 24, title=say(f"term.{name}"))
    sheet += die(middles[7] - 9, 16, 18, 1, (svg.DIM, svg.STONE))
    sheet += words(say("picture.record.score"), middles[8], 30, 13, svg.DIM, anchor="middle")
    for seat, score in enumerate(result["scores"]):
        fill, ink = people[seat].colours
        parts = [line(f"M14 0h{INNER - 28}", "#272130", 2), disc(28, 17, 11, fill)]
        parts.append(words(str(seat + 1), 28, 22, 13, ink, anchor="middle", is_title=True))
        parts.append(words(people[seat].name, 47, 22, 15, room=138, is_title=True))
        for amount, middle in zip(_parts_of_score(result, seat), middles, strict=False):
            parts.append(words(str(amount or "–"), middle, 22, 14, svg.DIM, anchor="middle"))
        parts.append(words(str(score), middles[8], 24, 20, svg.GOLD, anchor="middle", is_title=True))
        sheet += group(*parts, at=(0, 46 + SCORE_LINE * seat))
    return sheet


def _parts_of_score(result: dict[str, Any], seat: int) -> list[int]:
    """The parts of a seat's score: treasure, each Collector in the order of the types, and servants."""
    parts = result["breakdown"][seat]
    return [parts["treasure"], *(parts["collectors"][name] for name in TYPE_NAMES), parts["servants"]]


def _description(view: View, people: list[PlayerLabel]) -> str:
    """A text description of the picture, for screen readers."""
    sentences: list[str] = []
    for slot in view.row:
        card = say("picture.gone") if slot.card is None else str(slot.card)
        holder = say("picture.about_free")
        if slot.holder is not None:
            name = people[slot.holder].name
            holder = say("picture.about_dice", name=name, dice=slot.dice, effort=slot.effort)
        sentences.append(say("picture.about_slot", card=card, holder=holder))
    for seat in view.seats:
        cards = " ".join(map(str, seat.cards)) or say("picture.about_nothing")
        name, ready, exhausted = people[seat.seat].name, seat.ready, seat.exhausted
        sentences.append(say("picture.about_seat", name=name, ready=ready, exhausted=exhausted, cards=cards))
    return ". ".join(sentences) + "."


def record_sheet(record: Record) -> str:
    """A game record as HTML: the players and the score sheet. Colours come from the surrounding page."""
    facts = {"players": record.players, "collectors": record.collectors, "events": len(record.events)}
    listed = " · ".join(f"{say(f'picture.record.{name}')}: {fact}" for name, fact in facts.items())
    head = escape(say("picture.record", id=record.id or ""))
    return f"<div><b>{head}</b><br>{listed}{_score_table(record)}</div>"


def _score_table(record: Record) -> str:
    result = record.result
    if result is None:
        names = ", ".join(escape(seat.name) for seat in record.seats)
        return f"<br>{names}<br>{escape(say('picture.record.running'))}"
    lines = ["", say("picture.record.treasure"), *(say(f"term.{name}") for name in TYPE_NAMES)]
    lines += [say(f"picture.record.{name}") for name in ("servants", "score", "place")]
    try:
        columns = [
            [seat.name, *_parts_of_score(result, number), result["scores"][number], result["places"][number]]
            for number, seat in enumerate(record.seats)
        ]
    except (KeyError, IndexError, TypeError):  # Records are not validated before they are replayed.
        return f"<pre>{escape(json.dumps(result))}</pre>"
    rows = ""
    for name, *figures in zip(lines, *columns, strict=True):
        cells = "".join(f'<td style="{CELL}">{escape(str(figure))}</td>' for figure in figures)
        rows += f'<tr><th style="{CELL};text-align:left">{escape(name)}</th>{cells}</tr>'
    return f'<table style="font-size:.9em">{rows}</table>'
