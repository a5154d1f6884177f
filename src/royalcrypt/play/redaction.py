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
    """The events from number ``since`` on, as JSON for each viewer. Equal texts are encoded once."""

    def __init__(self, events: list[Event], state: State, since: int) -> None:
        self._events = events
        self._state = state
        self._since = since
        self._written: dict[tuple[int, ...], bytes] = {}
        """Encoded events, by the event's number and the cards hidden in it."""

    def for_viewer(self, seat: int | None) -> bytes:
        viewer = SPECTATOR if seat is None else seat
        return b"[%b]" % b",".join(
            [self._line(event, n, viewer) for n, event in enumerate(self._events, self._since)]
        )

    def _line(self, event: Event, n: int, viewer: int) -> bytes:
        hidden = hidden_in(event, self._state, viewer)
        line = self._written.get((n, *hidden))
        if line is None:
            line = self._written[n, *hidden] = event_json(redacted(event, hidden), n)
        return line
