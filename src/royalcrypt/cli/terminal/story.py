"""What happened, told as a story: events in sentences, for one listener."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from royalcrypt.cli.terminal.palette import BAD, DIM, EMBER, GOOD, begin, type_name
from royalcrypt.cli.terminal.people import People
from royalcrypt.locales import say
from royalcrypt.notation import events
from royalcrypt.notation.cards import UNKNOWN, Card
from royalcrypt.notation.events import Event
from royalcrypt.notation.moves import Placement
from royalcrypt.rules.layout import GHOST


def listed(items: Iterable[str]) -> str:
    """One, two and three."""
    *first, last = items
    return say("terminal.list", first=", ".join(first), last=last) if first else last


def card_words(card: str, *, lies_there: bool = False) -> str:
    """Idol 4, or a hidden Idol; of one that lies on the table, the hidden Idol."""
    if card[1] == UNKNOWN:
        key = "terminal.card.this_hidden" if lies_there else "terminal.card.hidden"
        return say(key, type=type_name(card[0]))
    return say("terminal.card.known", type=type_name(card[0]), value=card[1])


def faces_words(faces: Iterable[int]) -> str:
    return " ".join(map(str, faces))


@dataclass(slots=True)
class Story:
    """Follows a game's events in order; remembers the row, so that it can name cards and the pushed out."""

    people: People
    is_brief: bool = False
    """Without the rows: they lie on the table."""
    row: tuple[Card, ...] = ()
    held: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    """By slot, who holds it with which total."""

    def tell(self, told: Iterable[Event]) -> list[Text | None]:
        """A sentence for each event; None for one that goes without saying."""
        return [self._tell(event) for event in told]

    def _tell(self, event: Event) -> Text | None:  # noqa: C901, PLR0911, PLR0912 (a table of kinds)
        match event:
            case events.Reveal():
                return self._reveal(event)
            case events.Claim():
                return self._claim(event)
            case events.Ghost():
                return self._ghost(event)
            case events.Recover():
                key = "recover" if event.dice else "wait"
                return self._of(event.seat, key, GOOD if event.dice else "", count=event.dice)
            case events.Peek():
                return self._of(event.seat, "peek", flip=self._cards(event.flip))
            case events.Mend():
                return self._of(event.seat, "mend", flip=self._cards(event.flip))
            case events.Take():
                card = card_words(self.row[event.slot], lies_there=True)
                return self._of(event.seat, "take", flip=self._cards(event.flip), card=card)
            case events.Rally():
                return self._of(event.seat, "rally", GOOD, count=event.dice)
            case events.Roll():
                return self._roll(event)
            case events.Reroll():
                return self._reroll(event)
            case events.Collect():
                return self._of(event.seat, "collect", cards=self._cards(event.cards))
            case events.Idols():
                parts = [
                    self._of(seat, "idols", flip=self._cards(cards)) for seat, cards in event.flips.items()
                ]
                return Text(" ").join(parts)
            case events.Tiebreak():
                return self._tiebreak(event)
            case events.End():
                return self._end(event)
            case _:
                return None

    def _words(self, seat: int, key: str, **details: Any) -> str:
        whose = "you" if seat == self.people.viewer else "they"
        return say(f"terminal.story.{key}.{whose}", name=self.people.subject(seat), **details)

    def _of(self, seat: int, key: str, style: str = "", **details: Any) -> Text:
        text = Text(self._words(seat, key, **details), style)
        return self._in_colours(text)

    def _in_colours(self, text: Text) -> Text:
        for seat in range(2 if self.people.is_solo else len(self.people.seats)):
            name = re.escape(self.people.subject(seat))
            text.highlight_regex(rf"(?<!\w){name}(?!\w)", f"bold {self.people.colour(seat)}")
        return text

    def _cards(self, cards: Iterable[Card]) -> str:
        return listed(card_words(card) for card in cards)

    def _reveal(self, event: events.Reveal) -> Text:
        self.row = event.row
        self.held = {}
        leader = self.people.mention(event.leader)
        heading = self._words(event.leader, "round", round=event.round, leader=leader)
        text = begin(heading, f"bold {EMBER}")
        if self.is_brief:
            return text
        row = say("terminal.story.row", cards=self._cards(event.row))
        return text.append(" ").append(row)

    def _claim(self, event: events.Claim) -> Text:
        text = self._of(event.seat, "claim", places=self._places(event.seat, event.place))
        return self._last(text) if event.last else text

    def _last(self, text: Text) -> Text:
        return Text.assemble((say("terminal.story.lights_out"), DIM), " ", text)

    def _places(self, seat: int, placed: Iterable[Placement]) -> str:
        return listed([self._place(seat, place) for place in placed])

    def _place(self, seat: int, place: Placement) -> str:
        card = card_words(self.row[place.slot], lies_there=True)
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
            text = Text(say("terminal.story.ghost.nowhere", faces=faces))
        else:
            text = Text(
                say("terminal.story.ghost.places", faces=faces, places=self._places(GHOST, event.place))
            )
            left = Counter(event.rolled)
            for place in event.place:
                left[place.effort] -= place.dice
            if idle := list(left.elements()):
                text.append(" ").append(say("terminal.story.ghost.idle", faces=faces_words(idle)))
        text = self._in_colours(text)
        return self._last(text) if event.last else text

    def _roll(self, event: events.Roll) -> Text | None:
        if not event.rolled:
            return None
        lost = sum(face < event.effort for face in event.rolled)
        words = self._words(
            event.seat,
            "roll",
            faces=faces_words(event.rolled),
            effort=event.effort,
            card=card_words(self.row[event.slot], lies_there=True),
        )
        text = self._in_colours(Text(words))
        if lost:
            return text.append(" ").append(say("terminal.story.lost", count=lost), BAD)
        return text.append(" ").append(say("terminal.story.kept", count=len(event.rolled)), GOOD)

    def _reroll(self, event: events.Reroll) -> Text:
        text = self._of(
            event.seat,
            "reroll",
            flip=self._cards(event.flip),
            card=card_words(self.row[event.slot], lies_there=True),
            face=event.rolled,
        )
        is_saved = event.rolled >= event.effort
        return text.append(" ").append(
            say("terminal.story.saved" if is_saved else "terminal.story.unsaved"), GOOD if is_saved else BAD
        )

    def _tiebreak(self, event: events.Tiebreak) -> Text:
        rolled = [(seat, faces) for seat, faces in event.rolled.items() if faces]
        rolls = [self._words(seat, "tie", faces=faces_words(faces)) for seat, faces in rolled]
        return Text(say("terminal.story.tiebreak", rolls=listed(rolls)))

    def _end(self, event: events.End) -> Text:
        if self.people.is_solo:
            return Text(say("terminal.story.end.solo", score=max(event.scores)), f"bold {EMBER}")
        if len(event.winners) > 1:
            names = listed(self.people.name(seat) for seat in event.winners)
            return Text(say("terminal.story.end.shared", names=names), f"bold {EMBER}")
        text = [self._words(winner, "win", score=event.scores[winner]) for winner in event.winners]
        return Text(*text, style=f"bold {EMBER}")
