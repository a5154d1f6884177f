"""What of the events a viewer may see: every card passes through ``rules.views.knows``."""

from dataclasses import fields, replace
from typing import Any, cast

from royalcrypt.notation.cards import Card
from royalcrypt.notation.events import KINDS, Cards, Event
from royalcrypt.rules.layout import State
from royalcrypt.rules.views import knows

WITH_CARDS = {
    kind: [field.name for field in fields(kind) if field.type in (Cards, dict[int, Cards])]
    for kind in KINDS.values()
}
"""By kind of event, its fields that hold cards."""


def redacted(event: Event, state: State, viewer: int) -> Event:
    """The event with ``?`` for every value the viewer does not know."""
    changed: dict[str, Any] = {}
    for name in WITH_CARDS[type(event)]:
        whole = getattr(event, name)
        seen = _seen(whole, state, viewer)
        if seen != whole:
            changed[name] = seen
    return replace(event, **changed) if changed else event


def _seen(value: Any, state: State, viewer: int) -> Any:
    if isinstance(value, Card):
        return value if knows(state, viewer, value.number) else value.hidden()
    if isinstance(value, tuple):
        return tuple(_seen(item, state, viewer) for item in cast("tuple[Any, ...]", value))
    if isinstance(value, dict):
        return {seat: _seen(item, state, viewer) for seat, item in cast("dict[int, Any]", value).items()}
    return value
