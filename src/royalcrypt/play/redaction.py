"""Redaction of events: removes the values of cards that a viewer does not know (``rules.views.knows``)."""

from typing import Any

from msgspec.structs import fields, replace

from royalcrypt.notation.events import KINDS, Cards, CardsBySeat, Event, event_json
from royalcrypt.rules.layout import SPECTATOR, State
from royalcrypt.rules.views import knows

WITH_CARDS = {
    kind: [field.name for field in fields(kind) if field.type in (Cards, CardsBySeat)]
    for kind in KINDS.values()
}
"""The fields that contain cards, by kind of event."""


def hidden_in(event: Event, state: State, viewer: int) -> list[int]:
    """The cards of an event whose values are hidden from the viewer."""
    found: list[int] = []
    for name in WITH_CARDS[type(event)]:
        held: Cards | CardsBySeat = getattr(event, name)
        for cards in held.values() if isinstance(held, dict) else (held,):
            found += [card.number for card in cards if not knows(state, viewer, card.number)]
    return found


def redacted(event: Event, hidden: list[int]) -> Event:
    """The event with ``?`` in place of the value of each hidden card."""
    if not hidden:
        return event
    changed = {name: _seen(getattr(event, name), hidden) for name in WITH_CARDS[type(event)]}
    return replace(event, **changed)


def _seen(held: Cards | CardsBySeat, hidden: list[int]) -> Any:
    if isinstance(held, dict):
        return {seat: _seen(cards, hidden) for seat, cards in held.items()}
    return tuple([card.hidden() if card.number in hidden else card for card in held])


class News:
    """The events from number ``since`` on, as JSON for each viewer. Viewers who may see the same share it."""

    def __init__(self, events: list[Event], state: State, since: int) -> None:
        self._events = events
        self._state = state
        self._since = since
        self._with_cards = [event for event in events if WITH_CARDS[type(event)]]
        self._encoded: dict[tuple[int, ...], bytes] = {}
        """The events as JSON, by the cards that are hidden in them."""

    def for_viewer(self, seat: int | None) -> bytes:
        viewer = SPECTATOR if seat is None else seat
        hidden = [card for event in self._with_cards for card in hidden_in(event, self._state, viewer)]
        found = self._encoded.get(tuple(hidden))
        if found is None:
            lines = [
                event_json(redacted(event, hidden), n) for n, event in enumerate(self._events, self._since)
            ]
            found = self._encoded[tuple(hidden)] = b"[%b]" % b",".join(lines)
        return found
