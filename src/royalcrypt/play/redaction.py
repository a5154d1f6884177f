"""What of the events a viewer may see: every card passes through ``rules.views.knows``."""

from dataclasses import fields, replace
from typing import Any

from royalcrypt.notation.events import KINDS, Cards, Event
from royalcrypt.rules.layout import State
from royalcrypt.rules.views import knows

WITH_CARDS = {
    kind: [field.name for field in fields(kind) if field.type in (Cards, dict[int, Cards])]
    for kind in KINDS.values()
}
"""By kind of event, its fields that hold cards."""


def hidden_in(event: Event, state: State, viewer: int) -> list[int]:
    """The cards of an event whose values the viewer does not know."""
    found: list[int] = []
    for name in WITH_CARDS[type(event)]:
        held: Cards | dict[int, Cards] = getattr(event, name)
        for cards in held.values() if isinstance(held, dict) else (held,):
            found += [card.number for card in cards if not knows(state, viewer, card.number)]
    return found


def redacted(event: Event, hidden: list[int]) -> Event:
    """The event with ``?`` for the value of every card that is hidden."""
    if not hidden:
        return event
    changed = {name: _seen(getattr(event, name), hidden) for name in WITH_CARDS[type(event)]}
    return replace(event, **changed)


def _seen(held: Cards | dict[int, Cards], hidden: list[int]) -> Any:
    if isinstance(held, dict):
        return {seat: _seen(cards, hidden) for seat, cards in held.items()}
    return tuple([card.hidden() if card.number in hidden else card for card in held])
