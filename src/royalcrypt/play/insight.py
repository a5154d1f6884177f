"""What a viewer knows of the cards. While no card moves and nobody learns of one, view after view says the same.

An insight is a function of a concealed state's cards alone, and is found again only by all of them: so it can
serve a later view, but tell it nothing new.
"""

from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import msgspec

from royalcrypt.notation.cards import LETTERS, card_text
from royalcrypt.rules.cards import DISCARDED
from royalcrypt.rules.layout import EVERYONE, TYPES, VALUES, State
from royalcrypt.rules.scoring import add_servants, collection_score, scoring_seats, tally

Odds = tuple[int, ...]


# It cannot be part of a cycle, so the collector of cycles need not look at it.
class CardView(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card as its viewer knows it."""

    number: int
    """Which physical card: its place in the order of all rows."""
    type: str
    value: int | None
    is_public: bool
    is_flipped: bool
    odds: Odds | None
    """For a hidden card, the number of unseen cards of its type by value 1 to 4 (R11.5)."""

    def __str__(self) -> str:
        return card_text(LETTERS.index(self.type), self.value or 0)

    def belief(self) -> tuple[Fraction, ...]:
        """The chance of each value from 1 to 4; all zero for a hidden card without odds."""
        if self.odds is None:
            return tuple(Fraction(int(value == self.value)) for value in range(1, VALUES + 1))
        return tuple(Fraction(count, sum(self.odds)) for count in self.odds)

    def expected(self) -> float:
        """Coins, on average."""
        if self.odds is None:
            return float(self.value or 0)
        return sum(value * count for value, count in enumerate(self.odds, 1)) / sum(self.odds)


@cache
def _open_card(number: int, card_type: int, value: int, knowers: int, flipped: int) -> CardView:
    """Those who know a card see it alike, in every game: one object each."""
    return CardView(number, LETTERS[card_type], value, knowers == EVERYONE, flipped == 1, odds=None)


class Insight:
    """Read off a concealed state; ``tells_all`` unless its viewer likes to remember (section 12)."""

    __slots__ = (
        "cards",
        "coins",
        "collections",
        "discards",
        "finest_jewels",
        "read_from",
        "scores",
        "unseen",
    )

    def __init__(self, known: State, *, tells_all: bool) -> None:
        self.read_from = cards_in(known, tells_all=tells_all)
        unseen: list[Odds] = list(zip(*[iter(known.unseen)] * VALUES, strict=True))
        self.unseen = dict(zip(LETTERS, unseen, strict=True)) if tells_all else {}
        self.cards = _cards(known, unseen if tells_all else [None] * TYPES)
        self.collections = _collections(known, self.cards)
        self.discards = tuple(
            [card for card, place in zip(self.cards, known.card_place, strict=False) if place == DISCARDED]
        )
        tally(known)
        players = [known.players[seat] for seat in range(known.seats)]
        self.coins = [player.coins for player in players]
        self.finest_jewels = [player.finest_jewel for player in players]
        self.scores = [collection_score(known, seat) for seat in range(scoring_seats(known))]

    def count_scores(self, known: State) -> None:
        """What the rules' ``count_scores`` writes down."""
        for seat, coins in enumerate(self.coins):
            player = known.players[seat]
            player.coins = coins
            player.finest_jewel = self.finest_jewels[seat]
        for seat, score in enumerate(self.scores):
            add_servants(known, seat, score)


class Insights(dict[int | None, Insight]):
    """Each viewer's last insight into a game and its twins. It stays in the process: copies are empty."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Insights, ()

    def of(self, viewer: int | None, known: State, *, tells_all: bool) -> Insight:
        last = self.get(viewer)
        if last is None or last.read_from != cards_in(known, tells_all=tells_all):
            last = self[viewer] = Insight(known, tells_all=tells_all)
        return last


def cards_in(known: State, *, tells_all: bool) -> tuple[Any, ...]:
    """All that an insight is read from."""
    return (
        tells_all,
        known.seats,
        known.is_solo,
        known.drawn,
        known.takings,
        known.card_value,
        known.card_knowers,
        known.card_place,
        known.card_flipped,
        known.card_type,
        known.taken,
        known.unseen,
        known.sides,
        [(known.players[seat].held, known.players[seat].won_idols) for seat in range(known.seats)],
    )


def _cards(known: State, odds: list[Odds] | list[None]) -> list[CardView]:
    numbers = range(known.drawn)
    rows = zip(
        numbers, known.card_type, known.card_value, known.card_knowers, known.card_flipped, strict=False
    )
    return [
        _open_card(number, card_type, value, knowers, flipped)
        if value
        else CardView(
            number, LETTERS[card_type], None, knowers == EVERYONE, flipped == 1, odds=odds[card_type]
        )
        for number, card_type, value, knowers, flipped in rows
    ]


def _collections(known: State, cards: list[CardView]) -> list[tuple[CardView, ...]]:
    found: list[list[CardView]] = [[] for _ in range(known.seats)]
    for card in islice(known.taken, known.takings):
        found[known.card_place[card]].append(cards[card])
    return [tuple(collection) for collection in found]
