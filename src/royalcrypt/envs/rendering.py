"""The table as one seat sees it, as text or as an image. It shows nothing that this seat may not know."""

from typing import Any

from royalcrypt.envs.games import CompiledGames
from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES, UNKNOWN
from royalcrypt.play.views import SeatView, SlotView, View, view_of


def render(games: CompiledGames, seat: int, mode: str) -> Any:
    """Text for ``ansi``; for ``rgb_array`` an image, height by width by three colours."""
    view = view_of(games.state(0), seat)
    if mode == "ansi":
        return table_text(view)
    from royalcrypt.envs.drawing import draw_table  # noqa: PLC0415 (Pillow is loaded only when it is needed)

    return draw_table(view)


def table_text(view: View) -> str:
    lines = [heading(view), deck_text(view), *(_slot_line(view, slot) for slot in view.row)]
    return "\n".join([*lines, *(_seat_line(view, seat) for seat in view.seats)]) + "\n"


def heading(view: View) -> str:
    phase = say(f"env.phase.{view.phase}", turn=min(view.turn + 1, view.turns), turns=view.turns)
    return say("env.head", round=view.round, rounds=view.rounds, phase=phase, sides=view.collectors)


def deck_text(view: View) -> str:
    if view.top is None:
        return say("env.deck", cards=view.deck)
    return say("env.deck.top", cards=view.deck, type=type_name(view.top))


def type_name(letter: str) -> str:
    return say(f"term.{TYPE_NAMES[LETTERS.index(letter)]}")


def seat_name(view: View, seat: int) -> str:
    if view.seats[seat].is_ghost:
        return say("env.ghost")
    return say("env.you") if view.is_solo else say("env.player", seat=seat)


def holder_text(view: View, slot: SlotView) -> str:
    """Who holds a card with which dice, and how many of them failed; empty if nobody holds it."""
    if slot.holder is None:
        return ""
    held = say("env.held", who=seat_name(view, slot.holder), dice=slot.dice, effort=slot.effort)
    return f"{held}, {say('env.failed', count=slot.failed)}" if slot.failed else held


def _slot_line(view: View, slot: SlotView) -> str:
    if slot.card is None:
        card = say("env.gone")
    else:
        card = f"{type_name(slot.card.type)} {slot.card.value or UNKNOWN}"
        card += f" ({say('env.down')})" if slot.is_down else ""
    return f"  {slot.slot + 1}  {card:26}{holder_text(view, slot)}".rstrip()


def _seat_line(view: View, seat: SeatView) -> str:
    mark = ">" if view.actor == seat.seat else " "
    dice = say("env.dice", ready=seat.ready, exhausted=seat.exhausted)
    leads = say("env.leads") if view.leader == seat.seat else ""
    line = f"{mark} {seat_name(view, seat.seat):10}{dice:22}{leads:7}"
    if not seat.is_ghost:
        # An exclamation mark follows a flipped card, as in positions.
        cards = " ".join(f"{card}{'!' * card.is_flipped}" for card in seat.cards)
        line += f"{say('env.score', score=view.scores[seat.seat]):11}{cards}"
    return line.rstrip()
