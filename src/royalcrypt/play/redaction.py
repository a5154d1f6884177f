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


def have_no_cards(events: list[Event]) -> bool:
    """Whether all may see these events as they are."""
    return not any(WITH_CARDS[type(event)] for event in events)


def redacted(event: Event, state: State, viewer: int) -> Event:
    """The event with ``?`` for every value the viewer does not know."""
    with_cards = WITH_CARDS[type(event)]
    if not with_cards:
        return event
    changed: dict[str, Any] = {}
    for name in with_cards:
        whole = getattr(event, name)
        seen = _seen(whole, state, viewer)
        if seen != whole:
            changed[name] = seen
    return replace(event, **changed) if changed else event


def _seen(held: Cards | dict[int, Cards], state: State, viewer: int) -> Cards | dict[int, Cards]:
    if isinstance(held, dict):
        return {seat: _cards_seen(cards, state, viewer) for seat, cards in held.items()}
    return _cards_seen(held, state, viewer)


def _cards_seen(cards: Cards, state: State, viewer: int) -> Cards:
    return tuple([card if knows(state, viewer, card.number) else card.hidden() for card in cards])
