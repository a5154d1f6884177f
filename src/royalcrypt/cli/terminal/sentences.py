"""Formatting of events as sentences for one viewer."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from royalcrypt.cli.terminal.labels import BAD, DIM, EMBER, GOOD, SeatLabels, begin, type_name
from royalcrypt.locales import say
from royalcrypt.notation import events
from royalcrypt.notation.cards import UNKNOWN, Card
from royalcrypt.notation.events import Event
from royalcrypt.notation.moves import Placement
from royalcrypt.rules.layout import GHOST


def listed(items: Iterable[str]) -> str:
    """Join items as in ``one, two and three``."""
    *first, last = items
    return say("terminal.list", first=", ".join(first), last=last) if first else last


def card_words(card: str, *, lies_there: bool = False) -> str:
    """Return ``Idol 4`` or ``a hidden Idol``; with ``lies_there``, ``the hidden Idol``."""
    if card[1] == UNKNOWN:
        key = "terminal.card.this_hidden" if lies_there else "terminal.card.hidden"
        return say(key, type=type_name(card[0]))
    return say("terminal.card.known", type=type_name(card[0]), value=card[1])


def faces_words(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))


@dataclass(slots=True)
class EventFormatter:
    """Formats a game's events in order, tracking the row to name cards and dice that are pushed out."""

    people: SeatLabels
    is_brief: bool = False
    """Whether to leave out the cards of new rows, which are on the screen."""
    row: tuple[Card, ...] = ()
    held: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """Maps each claimed slot to the seat that holds it and its total."""

    def sentences(self, told: Iterable[Event]) -> list[Text | None]:
        """Return a sentence for each event; None for events that need none."""
        return [self._sentence(event) for event in told]

    def _sentence(self, event: Event) -> Text | None:  # noqa: PLR0911, PLR0912 (one case per event kind)
        match event:
            case events.Reveal():
                return self._reveal(event)
            case events.Claim():
                text = self._of(event.seat, "claim", places=self._places(event.seat, event.place))
                return self._after_torch(text, is_last=event.last)
            case events.Ghost():
                return self._after_torch(self._ghost(event), is_last=event.last)
            case events.Recover():
                key = "recover" if event.dice else "wait"
                return self._of(event.seat, key, GOOD if event.dice else "", count=event.dice)
            case events.Peek() | events.Mend():
                key = "peek" if isinstance(event, events.Peek) else "mend"
                return self._of(event.seat, key, flip=self._cards(event.flip))
            case events.Take():
                card = self._card_at(event.slot)
                return self._of(event.seat, "take", flip=self._cards(event.flip), card=card)
            case events.Rally():
                return self._of(event.seat, "rally", GOOD, count=event.dice)
            case events.Roll():
                return self._roll(event) if event.rolled else None
            case events.Reroll():
                return self._reroll(event)
            case events.Collect():
                return self._of(event.seat, "collect", cards=self._cards(event.cards))
            case events.Idols():
                flips = event.flips.items()
                return Text(" ").join(
                    self._of(seat, "idols", flip=self._cards(cards)) for seat, cards in flips
                )
            case events.Tiebreak():
                rolled = [(seat, faces_words(faces)) for seat, faces in event.rolled.items() if faces]
                rolls = listed(self._words(seat, "tie", faces=faces) for seat, faces in rolled)
                return Text(say("terminal.story.tiebreak", rolls=rolls))
            case events.End():
                return Text(self._end(event), f"bold {EMBER}")
            case _:
                return None

    def _words(self, seat: int, key: str, **details: Any) -> str:
        whose = "you" if seat == self.people.viewer else "they"
        return say(f"terminal.story.{key}.{whose}", name=self.people.name(seat, "the_ghost"), **details)

    def _of(self, seat: int, key: str, style: str = "", **details: Any) -> Text:
        return self._in_colours(Text(self._words(seat, key, **details), style))

    def _in_colours(self, text: Text) -> Text:
        for seat in range(2 if self.people.is_solo else len(self.people.seats)):
            name = re.escape(self.people.name(seat, "the_ghost"))
            text.highlight_regex(rf"(?<!\w){name}(?!\w)", f"bold {self.people.colour(seat)}")
        return text

    def _cards(self, cards: Iterable[Card]) -> str:
        return listed(card_words(card) for card in cards)

    def _card_at(self, slot: int) -> str:
        return card_words(self.row[slot], lies_there=True)

    def _after_torch(self, text: Text, *, is_last: bool) -> Text:
        """Prefix the last claim of a round with the sentence that the lights are out."""
        return Text.assemble((say("terminal.story.lights_out"), DIM), " ", text) if is_last else text

    def _reveal(self, event: events.Reveal) -> Text:
        self.row = event.row
        self.held = {}
        leader = self.people.name(event.leader, "of_the_ghost")
        text = begin(self._words(event.leader, "round", round=event.round, leader=leader), f"bold {EMBER}")
        if self.is_brief:
            return text
        return text.append(" ").append(say("terminal.story.row", cards=self._cards(event.row)))

    def _places(self, seat: int, placed: Iterable[Placement]) -> str:
        return listed([self._place(seat, place) for place in placed])

    def _place(self, seat: int, place: Placement) -> str:
        card = self._card_at(place.slot)
        words = say("terminal.story.place", dice=place.dice, effort=place.effort, card=card)
        before = self.held.get(place.slot)
        self.held[place.slot] = (seat, place.total)
        if before is None:
            return words
        owner, total = before
        return say("terminal.story.pushing", place=words, whose=self.people.owner(owner), total=total)

    def _ghost(self, event: events.Ghost) -> Text:
        faces = faces_words(event.rolled)
        if not event.place:
            return self._in_colours(Text(say("terminal.story.ghost.nowhere", faces=faces)))
        places = self._places(GHOST, event.place)
        text = Text(say("terminal.story.ghost.places", faces=faces, places=places))
        left = Counter(event.rolled)
        for place in event.place:
            left[place.effort] -= place.dice
        if idle := list(left.elements()):
            text.append(" ").append(say("terminal.story.ghost.idle", faces=faces_words(idle)))
        return self._in_colours(text)

    def _roll(self, event: events.Roll) -> Text:
        faces, card = faces_words(event.rolled), self._card_at(event.slot)
        text = self._of(event.seat, "roll", faces=faces, effort=event.effort, card=card).append(" ")
        lost = sum(face < event.effort for face in event.rolled)
        if lost:
            return text.append(say("terminal.story.lost", count=lost), BAD)
        return text.append(say("terminal.story.kept", count=len(event.rolled)), GOOD)

    def _reroll(self, event: events.Reroll) -> Text:
        flip, card = self._cards(event.flip), self._card_at(event.slot)
        text = self._of(event.seat, "reroll", flip=flip, card=card, face=event.rolled).append(" ")
        if event.rolled >= event.effort:
            return text.append(say("terminal.story.saved"), GOOD)
        return text.append(say("terminal.story.unsaved"), BAD)

    def _end(self, event: events.End) -> str:
        if self.people.is_solo:
            return say("terminal.story.end.solo", score=max(event.scores))
        if len(event.winners) > 1:
            return say("terminal.story.end.shared", names=listed(map(self.people.name, event.winners)))
        return "".join(self._words(winner, "win", score=event.scores[winner]) for winner in event.winners)
