"""A running game as one seat knows it, continued with the events and views that a server sends to the seat.

Events say what happened. They do not contain the values that only this seat learns, such as those it peeked
at, nor which of several hidden cards an opponent flipped; the seat's view has these values. Together they
give the same concealed state as the server's (``rules.views.conceal``).
"""

from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Any

from royalcrypt.notation import events
from royalcrypt.notation.cards import LETTERS
from royalcrypt.notation.events import Event, parse_event
from royalcrypt.notation.moves import Verb
from royalcrypt.notation.reasons import Reason, Refusal
from royalcrypt.play.chance import address_of
from royalcrypt.play.game import start_of
from royalcrypt.play.knowledge import KnowledgeCache
from royalcrypt.play.public_part import PHASES
from royalcrypt.play.replay import dice_of, next_move
from royalcrypt.play.rulings import carry_out, legal_codes
from royalcrypt.play.views import View, view_of
from royalcrypt.rules.actions import DECLINE
from royalcrypt.rules.cards import kind_of
from royalcrypt.rules.layout import CHANCE, State, copy_of
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import hide

Json = dict[str, Any]
COMPARED = ("phase", "actor", "decisions", "actions", "unseen", "scores")
"""The fields in which the game must agree with the view that came with the events."""


class SeatGame:
    """The game of one seat, from its first event on; ``follow`` continues it.

    All methods raise ``Refusal`` if events are missing or contradict each other or the view.
    """

    def __init__(self, events: list[Json], view: Json) -> None:
        """Begin with all events so far and the seat's present view, as JSON values."""
        self.seat: int = view["seat"]
        self.count = 0
        """The number of events so far, which is also the number of the next event."""
        first_leader = (view["leader"] - view["round"] + 1) % len(view["seats"])
        self._state = start_of(view["players"], view["collectors"], first_leader)
        self._cache = KnowledgeCache()
        self.follow(events, view)

    def follow(self, events: list[Json], view: Json) -> None:
        """Apply the events since the last call; ``view`` is the seat's view after them."""
        state = copy_of(self._state)
        _learn(state, view)
        for n, event in enumerate(events, self.count):
            _apply(state, parse_event(event, n))
        _decline(state, view["decisions"])
        self._state, self._received = state, view
        self.count += len(events)

    def view(self) -> View:
        """The seat's view, equal to the server's."""
        found = view_of(self._state, self.seat, cache=self._cache)
        fields = found.to_dict()
        if any(fields[name] != self._received[name] for name in COMPARED):
            raise Refusal(Reason.NOT_A_RECORD, n=self.count, field="view")
        return found


def _learn(state: State, view: Json) -> None:
    """Add the values that the seat has learnt of cards drawn earlier."""
    for card in _cards_in(view):
        number, value = card["number"], card["value"]
        if value is not None and number < state.drawn and state.card_value[number] == 0:
            state.card_value[number] = value
            state.unseen[kind_of(state.card_type[number], value)] -= 1


def _cards_in(view: Json) -> Iterator[Json]:
    row = (slot["card"] for slot in view["row"] if slot["card"])
    return chain(row, *(seat["cards"] for seat in view["seats"]), view["discards"])


def _apply(state: State, event: Event) -> None:
    """Apply what a player or chance does in an event, after the declined offers that precede it."""
    match event:
        case events.Reveal():
            _reach_chance(state, event)
            _reveal(state, event)
        case events.Roll(rolled=()):  # Dice of effort 1 are not rolled (R6.3).
            pass
        case events.Roll() | events.Ghost() | events.Tiebreak():
            _reach_chance(state, event)
            _roll(state, event)
        case events.Reroll():
            _act(state, event)
            _roll(state, event)
        case events.Rally() | events.Collect() | events.Idols() | events.End():
            pass  # They follow from the events before them and the view.
        case _:
            _act(state, event)


def _reach_chance(state: State, event: Event) -> None:
    while state.actor != CHANCE:
        _move(state, event)


def _act(state: State, event: Event) -> None:
    while _move(state, event) is Verb.DECLINE:
        pass


def _move(state: State, event: Event) -> Verb:
    """Make the next move that leads to the event: its own, or a declined offer before it."""
    seat, move = next_move(PHASES[state.phase], state.actor, event)
    (action,) = move.actions
    deque(carry_out(state, seat, action), maxlen=0)
    return action.verb


def _reveal(state: State, event: events.Reveal) -> None:
    """Draw the row, face-up cards first (R4.1), and the type of the deck's new top card."""
    for slot in sorted(range(len(event.row)), key=event.down.__contains__):
        card = event.row[slot]
        _draw(state, "card", 0, kind_of(card.type, card.value or 1))
    for slot, card in enumerate(event.row):
        if card.value == 0:  # It was drawn with some value, because the rules draw no card without one.
            hide(state, state.slots[slot].card)
    if event.top is not None:
        _draw(state, "top", 0, LETTERS.index(event.top))


def _roll(state: State, event: Event) -> None:
    for purpose, seat, faces in dice_of(event):
        for face in faces:
            _draw(state, purpose, seat, face)


def _draw(state: State, purpose: str, seat: int, outcome: int) -> None:
    """Apply a chance outcome, which must be due now."""
    expected, _, whose, _ = address_of(state)
    if state.actor != CHANCE or (expected, whose) != (purpose, seat):
        raise Refusal(
            Reason.IMPOSSIBLE_CHANCE, what=purpose, round=state.round_number, seat=seat + 1, number=0
        )
    apply(state, CHANCE, outcome)


def _decline(state: State, decisions: int) -> None:
    """Apply the declined offers since the last event; they cause no events, only decisions."""
    while state.decisions < decisions and DECLINE in legal_codes(state, state.actor):
        apply(state, state.actor, DECLINE)
