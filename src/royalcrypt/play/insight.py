"""What a viewer knows of the cards: the same in view after view, while no card moves and nobody sees one.

An insight is read off a concealed state. It serves a later view of the same viewer only if all is equal that
concealing and reading look at: so it tells nothing that would not be found anew.
"""

from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import msgspec

from royalcrypt.notation.cards import LETTERS, card_text
from royalcrypt.rules.cards import DISCARDED
from royalcrypt.rules.layout import EVERYONE, TYPES, VALUES, State, copy_sharing_rows
from royalcrypt.rules.phases import OVER
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import add_servants, collection_score, scoring_seats, tally
from royalcrypt.rules.views import conceal, forget

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
def _plain_card(number: int, card_type: int, value: int, knowers: int, flipped: int) -> CardView:
    """Without odds, those who know as much of a card see it alike, in every game: one object each."""
    return CardView(number, LETTERS[card_type], value or None, knowers == EVERYONE, flipped == 1, None)


class Insight:
    """Read off a concealed state; ``tells_all`` unless its viewer likes to remember (section 12)."""

    __slots__ = (
        "coins",
        "collections",
        "discards",
        "finest_jewels",
        "row",
        "scores",
        "unseen",
        "unseen_kinds",
        "values",
    )

    def __init__(self, known: State, *, tells_all: bool) -> None:
        self.values = known.card_value
        self.unseen_kinds = known.unseen
        unseen: list[Odds] = list(zip(*[iter(known.unseen)] * VALUES, strict=True))
        self.unseen = dict(zip(LETTERS, unseen, strict=True)) if tells_all else {}
        cards = _cards(known, unseen if tells_all else None)
        self.row = cards[-row_length(known) :]
        self.collections = _collections(known, cards)
        self.discards = tuple(
            [card for card, place in zip(cards, known.card_place, strict=False) if place == DISCARDED]
        )
        players = [known.players[seat] for seat in range(known.seats)]
        for player in players:
            player.coins = [0] * TYPES
        tally(known)
        self.coins = [player.coins for player in players]
        self.finest_jewels = [player.finest_jewel for player in players]
        self.scores = [collection_score(known, seat) for seat in range(scoring_seats(known))]

    def conceal(self, state: State) -> None:
        """What the rules' ``conceal`` and ``forget`` do, to a state with the cards this one was read off."""
        state.card_value = self.values
        state.unseen = self.unseen_kinds
        state.noted = 0

    def count_scores(self, known: State) -> None:
        """What the rules' ``count_scores`` writes down."""
        for seat, coins in enumerate(self.coins):
            player = known.players[seat]
            player.coins = coins
            player.finest_jewel = self.finest_jewels[seat]
        for seat, score in enumerate(self.scores):
            add_servants(known, seat, score)


Cards = tuple[Any, ...]
"""All that decides what viewers know of the cards, and what those are worth."""


class Insights:
    """Each viewer's last insight into a game and its twins. It stays in the process: copies are empty."""

    __slots__ = ("_last", "_latest")

    def __init__(self) -> None:
        self._last: dict[int, tuple[Cards, bool, Insight]] = {}
        self._latest: tuple[State | None, Cards] = None, ()

    def __reduce__(self) -> tuple[Any, ...]:
        return Insights, ()

    def known(self, state: State, viewer: int, *, remembers: bool) -> tuple[State, Insight]:
        """The state concealed, and the insight it gives."""
        cards = self._cards_of(state)
        last = self._last.get(viewer)
        if last is not None and last[0] == cards and last[1] == remembers:
            known = copy_sharing_rows(state)
            last[2].conceal(known)
            return known, last[2]
        known = concealed(state, viewer, remembers=remembers)
        insight = Insight(known, tells_all=remembers or known.phase == OVER)
        self._last[viewer] = cards, remembers, insight
        return known, insight

    def _cards_of(self, state: State) -> Cards:
        """Gathered once for all viewers."""
        latest, cards = self._latest
        if latest is not state:
            cards = _cards_of(state)
            self._latest = state, cards
        return cards


def concealed(state: State, viewer: int, *, remembers: bool) -> State:
    """What a viewer knows of a state that nobody changes any more."""
    known = copy_sharing_rows(state)
    known.card_value = list(state.card_value)
    known.unseen = list(state.unseen)
    conceal(known, viewer)
    if not remembers:
        forget(known, viewer)
    return known


def _cards_of(state: State) -> Cards:
    players = [state.players[seat] for seat in range(state.seats)]
    return (
        state.phase == OVER,
        state.seats,
        state.is_solo,
        state.drawn,
        state.takings,
        state.card_value,
        state.card_knowers,
        state.card_place,
        state.card_flipped,
        state.card_type,
        state.taken,
        state.unseen,
        state.sides,
        [player.held for player in players],
        [player.won_idols for player in players],
    )


def _cards(known: State, odds: list[Odds] | None) -> list[CardView]:
    values = known.card_value
    cards = list(
        map(
            _plain_card,
            range(known.drawn),
            known.card_type,
            values,
            known.card_knowers,
            known.card_flipped,
        )
    )
    if odds is not None:
        for number in range(known.drawn):
            if values[number] == 0:
                card = cards[number]
                cards[number] = CardView(
                    number, card.type, None, card.is_public, card.is_flipped, odds[known.card_type[number]]
                )
    return cards


def _collections(known: State, cards: list[CardView]) -> list[tuple[CardView, ...]]:
    found: list[list[CardView]] = [[] for _ in range(known.seats)]
    for card in islice(known.taken, known.takings):
        found[known.card_place[card]].append(cards[card])
    return [tuple(collection) for collection in found]
