"""What lies on the table, and the questions that can be asked of it without changing it."""

import pickle
from dataclasses import dataclass, field
from typing import Any, Self

from tests.oracle import scoring
from tests.oracle.cards import TYPES, Card, Kind, Spot, deck
from tests.oracle.ghost import GHOST

Event = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """Something still to happen. The steps to come form the agenda; its head is what happens now."""

    kind: str
    seat: int = 0
    slot: int = 0
    effort: int = 0
    last: bool = False


@dataclass
class Debt:
    """Cards of one type still to be flipped, and what for."""

    reward: str
    seat: int
    type: str
    owed: int
    slot: int = 0
    least: int = 1  # two flips go up in value, so that a pair has one spelling
    paid: list[str] = field(default_factory=list[str])


class Table:
    def __init__(self, players: int, collectors: str = "AAAAAA", leader: int = 0) -> None:
        self.players = players
        self.solo = players == 1
        self.seats = 2 if self.solo else players
        self.sides = dict(zip(TYPES, collectors, strict=True))
        self.leader = leader
        self.round: int = 1
        self.unseen: list[Kind] = deck(players)
        self.top: str | None = None
        self.row: list[Spot] = []
        self.discards: list[Card] = []
        self.collections: list[list[Card]] = [[] for _ in range(self.seats)]
        self.ready = [3] * self.seats
        self.exhausted = [0] * self.seats
        # This round.
        self.peeked: set[int] = set()
        self.placed: set[int] = set()  # seats that placed dice (R6.2)
        self.pushed_off_ghost = 0  # dice (R10.5)
        # The present action.
        self.agenda: list[Step] = []
        self.debt: Debt | None = None
        self.paid: list[str] = []  # for the re-roll under way
        self.placing: list[dict[str, int]] = []
        self.rolled: list[int] = []
        self.failed: list[tuple[int, int]] = []  # slot and effort of each die the collecting seat failed with
        self.gathered: list[str] = []
        self.drawn: dict[tuple[str, int, int], int] = {}  # outcomes so far by purpose, round, seat
        # The end.
        self.first_idols: set[int] | None = None  # None until somebody was first (R8.1B)
        self.tie_rolls: dict[int, list[int]] = {}
        self.contenders: list[int] = []
        self.log: list[Event] = []

    def clone(self) -> Self:
        return pickle.loads(pickle.dumps(self))

    # Who and what.

    def collectors(self) -> list[int]:
        """The seats that collect: all but the Ghost (R10.8)."""
        return [0] if self.solo else list(range(self.seats))

    def turn_order(self) -> list[int]:
        return [(self.leader + k) % self.seats for k in range(self.seats)]  # R3.1

    def unflipped(self, seat: int, letter: str) -> list[Card]:
        return [card for card in self.collections[seat] if card.type == letter and not card.flipped]

    def hidden_slots(self) -> list[int]:
        return [slot for slot, spot in enumerate(self.row) if spot.card is not None and spot.down]

    def can_pay(self, seat: int, letter: str, side: str, cards: int) -> bool:
        return self.sides[letter] == side and len(self.unflipped(seat, letter)) >= cards

    def can_peek(self, seat: int) -> bool:
        """R8.3B: once a round, while a face-down card lies in the Crypt, claimed or not."""
        return self.can_pay(seat, "M", "B", 1) and seat not in self.peeked and bool(self.hidden_slots())

    def can_mend(self, seat: int) -> bool:
        return self.can_pay(seat, "R", "A", 2) and self.exhausted[seat] > 0  # R8.5A

    def can_take(self, seat: int) -> bool:
        return self.can_pay(seat, "P", "B", 2) and bool(self.hidden_slots())  # R8.4B

    def can_reroll(self, seat: int) -> bool:
        return self.can_pay(seat, "I", "A", 1) and bool(self.failed)  # R8.1A

    def can_claim(self, seat: int, slot: int, total: int) -> bool:
        """R5.4: an empty card, or an opponent's with a strictly higher total; never your own."""
        spot = self.row[slot]
        if spot.card is None or spot.holder == seat:
            return False
        return spot.holder is None or total > spot.total

    # What is known.

    def knowers(self, card: Card) -> list[int | str]:
        return [*range(self.seats), "public"] if card.public else [*sorted(card.knowers)]

    def facts(self) -> dict[str, Any]:
        """Everything, hidden or not; for comparing with the engine."""
        names = [f"{letter}{value}" for letter, value in self.unseen]
        return {
            "round": self.round,
            "leader": self.leader,
            "top": self.top,
            "row": [
                None
                if spot.card is None
                else {
                    "card": spot.card.name,
                    "down": spot.down,
                    "holder": spot.holder,
                    "dice": spot.dice,
                    "effort": spot.effort,
                }
                for spot in self.row
            ],
            "ready": list(self.ready),
            "exhausted": list(self.exhausted),
            "collections": [
                [{"card": c.name, "flipped": c.flipped, "knowers": self.knowers(c)} for c in cards]
                for cards in self.collections
            ],
            "discards": sorted((card.name, tuple(self.knowers(card))) for card in self.discards),
            "unseen": {name: names.count(name) for name in names},
        }

    def beliefs(self, viewer: int | str) -> dict[str, tuple[int, int, int, int]]:
        """By type, how many cards of value 1, 2, 3, 4 lie where the viewer does not know (R11.5)."""
        cards = [spot.card for spot in self.row if spot.card is not None]
        cards += self.discards + [card for mine in self.collections for card in mine]
        kinds = self.unseen + [(card.type, card.value) for card in cards if not card.known_to(viewer)]
        return {
            letter: (
                kinds.count((letter, 1)),
                kinds.count((letter, 2)),
                kinds.count((letter, 3)),
                kinds.count((letter, 4)),
            )
            for letter in TYPES
        }

    # The end.

    def breakdowns(self) -> list[dict[str, Any]]:
        everyone = [self.collections[seat] for seat in self.collectors()]
        return [
            scoring.breakdown(seat, everyone, self.sides, self.first_idols or set(), self.ready[seat])
            for seat in self.collectors()
        ]

    def scores(self) -> list[int]:
        return [scoring.score(parts) for parts in self.breakdowns()]

    def result(self) -> dict[str, Any]:
        """Only when the game is over; then the contenders are the winners."""
        assert not self.agenda
        scores = self.scores()
        return {
            "scores": scores,
            "breakdown": self.breakdowns(),
            "places": scoring.places(scores, self.contenders),
            "winners": list(self.contenders),
            "title": scoring.title(scores[0]) if self.solo else None,
        }

    def is_ghost(self, seat: int | None) -> bool:
        return self.solo and seat == GHOST
