"""What of the events a viewer may see: every card passes through ``rules.views.knows``."""

from dataclasses import fields, replace
from typing import Any, cast

from royalcrypt.notation.cards import Card
from royalcrypt.notation.events import Event
from royalcrypt.rules.layout import State
from royalcrypt.rules.views import knows


def redacted(event: Event, state: State, viewer: int) -> Event:
    """The event with ``?`` for every value the viewer does not know."""
    seen = {field.name: _seen(getattr(event, field.name), state, viewer) for field in fields(event)}
    return replace(event, **seen)


def _seen(value: Any, state: State, viewer: int) -> Any:
    if isinstance(value, Card):
        return value if knows(state, viewer, value.number) else value.hidden()
    if isinstance(value, tuple):
        return tuple(_seen(item, state, viewer) for item in cast("tuple[Any, ...]", value))
    if isinstance(value, dict):
        return {seat: _seen(item, state, viewer) for seat, item in cast("dict[int, Any]", value).items()}
    return value
