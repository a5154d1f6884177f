"""A table as a few lines of text, as one seat sees it."""

from royalcrypt.locales import say
from royalcrypt.notation.cards import LETTERS, TYPE_NAMES, UNKNOWN
from royalcrypt.play.insight import CardView
from royalcrypt.play.views import SeatView, SlotView, View

FLIPPED = "!"
"""As positions write it."""


def told(view: View) -> str:
    lines = [head_of(view), deck_of(view), *(_slot_line(view, slot) for slot in view.row)]
    return "\n".join([*lines, *(_seat_line(view, seat) for seat in view.seats)]) + "\n"


def head_of(view: View) -> str:
    phase = say(f"env.phase.{view.phase}", turn=min(view.turn + 1, view.turns), turns=view.turns)
    return say("env.head", round=view.round, rounds=view.rounds, phase=phase, sides=view.collectors)


def deck_of(view: View) -> str:
    if view.top is None:
        return say("env.deck", cards=view.deck)
    return say("env.deck.top", cards=view.deck, type=type_name(view.top))


def type_name(letter: str) -> str:
    return say(f"term.{TYPE_NAMES[LETTERS.index(letter)]}")


def seat_name(view: View, seat: int) -> str:
    if view.seats[seat].is_ghost:
        return say("env.ghost")
    return say("env.you") if view.is_solo else say("env.player", seat=seat)


def held_by(view: View, slot: SlotView) -> str:
    """Who holds a card with which dice, and how many of them failed; empty where nobody does."""
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
    return f"  {slot.slot + 1}  {card:26}{held_by(view, slot)}".rstrip()


def _seat_line(view: View, seat: SeatView) -> str:
    mark = ">" if view.actor == seat.seat else " "
    name = seat_name(view, seat.seat)
    dice = say("env.dice", ready=seat.ready, exhausted=seat.exhausted)
    leads = say("env.leads") if view.leader == seat.seat else ""
    line = f"{mark} {name:10}{dice:22}{leads:7}"
    if not seat.is_ghost:
        line += f"{say('env.score', score=view.scores[seat.seat]):11}{' '.join(map(_card, seat.cards))}"
    return line.rstrip()


def _card(card: CardView) -> str:
    return f"{card}{FLIPPED}" if card.is_flipped else str(card)
