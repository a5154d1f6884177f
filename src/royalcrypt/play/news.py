"""Some events of a game as JSON, for each viewer; what several are told alike is written once."""

from royalcrypt.notation.events import Event, event_json
from royalcrypt.play.redaction import hidden_in, redacted
from royalcrypt.rules.layout import SPECTATOR, State


class News:
    """Events numbered from ``since`` on, as viewers may see them in a state that nobody changes any more."""

    def __init__(self, events: list[Event], state: State, since: int) -> None:
        self._events = events
        self._state = state
        self._since = since
        self._written: dict[tuple[int, ...], bytes] = {}
        """By the event's number, followed by the cards that are hidden in it."""

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
