"""A viewer's knowledge of the cards, cached between views while no card moves and no card is seen.

The knowledge is computed from a concealed state. It is reused for a later view only if all its inputs are
equal, so it always equals the knowledge computed from the later state.
"""

from fractions import Fraction
from functools import cache
from itertools import islice
from operator import add, attrgetter
from typing import Any, NamedTuple, TypeVar

import msgspec

from royalcrypt.notation.cards import LETTERS, card_text
from royalcrypt.play.public_part import PublicPart
from royalcrypt.rules.cards import DISCARDED
from royalcrypt.rules.layout import EVERYONE, TYPES, VALUES, State, copy_sharing_rows
from royalcrypt.rules.phases import OVER
from royalcrypt.rules.reveal import row_length
from royalcrypt.rules.scoring import collection_score, scoring_seats, tally
from royalcrypt.rules.views import conceal, forget

Odds = tuple[int, ...]
Shown = TypeVar("Shown")


# Instances are never part of reference cycles, so the garbage collector need not track them.
class CardView(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card with the information that its viewer has."""

    number: int
    """The index of the physical card, in the order of drawing."""
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
        """The expected value of the card in coins."""
        if self.odds is None:
            return float(self.value or 0)
        return sum(value * count for value, count in enumerate(self.odds, 1)) / sum(self.odds)


@cache
def plain_card(number: int, card_type: int, value: int, knowers: int, flipped: int) -> CardView:
    """A card without odds; cached, because viewers with equal knowledge of a card share one object."""
    return CardView(number, LETTERS[card_type], value or None, knowers == EVERYONE, flipped == 1, None)


class CardsSeen(NamedTuple):
    """All drawn cards by place, and the number of unseen cards by value."""

    row: list[CardView]
    """The row as revealed, including cards that were taken since."""
    collections: list[tuple[CardView, ...]]
    discards: tuple[CardView, ...]
    odds: tuple[Odds, ...]
    """By type; empty if the viewer is told none."""


class CardKnowledge:
    """The knowledge in a concealed state; without ``tells_all``, only what is visible (section 12)."""

    __slots__ = (
        "cards", "coins", "finest_jewels", "scores", "tells_all", "unseen_kinds", "values",
    )  # fmt: skip

    def __init__(self, known: State, *, tells_all: bool) -> None:
        self.tells_all = tells_all
        self.values = known.card_value
        self.unseen_kinds = known.unseen
        self.cards = cards_seen(known, tells_all=tells_all)
        players = [known.players[seat] for seat in range(known.seats)]
        for player in players:
            player.coins = [0] * TYPES
        tally(known)
        self.coins = [player.coins for player in players]
        self.finest_jewels = [player.finest_jewel for player in players]
        self.scores = [collection_score(known, seat) for seat in range(scoring_seats(known))]

    def concealed(self, state: State) -> State:
        """A concealed copy of a state with the same cards; the original must not be changed afterwards."""
        known = copy_sharing_rows(state)
        self.conceal(known)
        return known

    def conceal(self, state: State) -> None:
        """Do the same as ``conceal`` and ``forget`` of the rules, to a state with the same cards."""
        state.card_value = self.values
        state.unseen = self.unseen_kinds
        state.noted = 0

    def count_scores(self, known: State, servants: list[int]) -> None:
        """Write the same scores as ``count_scores`` of the rules."""
        for seat, coins in enumerate(self.coins):
            player = known.players[seat]
            player.coins = coins
            player.finest_jewel = self.finest_jewels[seat]
        for seat, score in enumerate(map(add, self.scores, servants)):
            known.players[seat].score = score


def cards_seen(known: State, *, tells_all: bool) -> CardsSeen:
    odds: tuple[Odds, ...] = tuple(zip(*[iter(known.unseen)] * VALUES, strict=True)) if tells_all else ()
    cards = _cards(known, odds)
    return CardsSeen(
        row=cards[-row_length(known) :],
        collections=[tuple(collection) for collection in by_collection(known, cards)],
        discards=tuple(discarded(known, cards)),
        odds=odds,
    )


Cards = tuple[Any, ...]
"""All values that determine what viewers know of the cards, and their worth."""


class KnowledgeCache:
    """The latest knowledge of each viewer of one game. Pickling drops the content."""

    __slots__ = ("_cards", "_last", "_public", "_state")

    def __init__(self) -> None:
        self._last: dict[int, tuple[Cards, bool, CardKnowledge]] = {}
        self._state: State | None = None
        """The latest state, to which ``_cards`` and ``_public`` belong."""
        self._public: PublicPart | None = None
        self._cards: Cards = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return KnowledgeCache, ()

    def clone(self) -> "KnowledgeCache":
        """An independent cache with the same entries."""
        copy = KnowledgeCache()
        copy._last, copy._cards = self._last.copy(), self._cards
        return copy

    def knowledge(self, state: State, viewer: int, *, remembers: bool) -> CardKnowledge:
        """The viewer's knowledge of the cards in a state."""
        self._switch_to(state)
        last = self._last.get(viewer)
        if last is not None and last[0] is self._cards and last[1] == remembers:
            return last[2]
        known = concealed(state, viewer, remembers=remembers)
        knowledge = CardKnowledge(known, tells_all=remembers or known.phase == OVER)
        self._last[viewer] = self._cards, remembers, knowledge
        return knowledge

    def public(self, state: State) -> PublicPart:
        """The part of all viewers' views of the state."""
        self._switch_to(state)
        if self._public is None:
            self._public = PublicPart(state)
        return self._public

    def _switch_to(self, state: State) -> None:
        if self._state is not state:
            self._state, self._public = state, None
            cards = _cards_of(state)
            if cards != self._cards:
                self._cards = cards


def concealed(state: State, viewer: int, *, remembers: bool) -> State:
    """The state concealed for a viewer; the original must not be changed afterwards."""
    known = copy_sharing_rows(state)
    known.card_value = list(state.card_value)
    known.unseen = list(state.unseen)
    conceal(known, viewer)
    if not remembers:
        forget(known, viewer)
    return known


FIELDS_OF_CARDS = attrgetter(
    "seats", "is_solo", "drawn", "takings", "card_value", "card_knowers", "card_place", "card_flipped",
    "card_type", "taken", "unseen", "sides",
)  # fmt: skip


def _cards_of(state: State) -> Cards:
    players = [state.players[seat] for seat in range(state.seats)]
    of_players = [player.held for player in players], [player.won_idols for player in players]
    return state.phase == OVER, FIELDS_OF_CARDS(state), of_players


def _cards(known: State, odds: tuple[Odds, ...]) -> list[CardView]:
    values = known.card_value
    cards = list(
        map(plain_card, range(known.drawn), known.card_type, values, known.card_knowers, known.card_flipped)
    )
    if odds:
        for number in range(known.drawn):
            if values[number] == 0:
                card = cards[number]
                unknown = odds[known.card_type[number]]
                cards[number] = CardView(number, card.type, None, card.is_public, card.is_flipped, unknown)
    return cards


def by_collection(known: State, cards: list[Shown]) -> list[list[Shown]]:
    """The cards of each player, in the order of taking."""
    found: list[list[Shown]] = [[] for _ in range(known.seats)]
    for card in islice(known.taken, known.takings):
        found[known.card_place[card]].append(cards[card])
    return found


def discarded(known: State, cards: list[Shown]) -> list[Shown]:
    return [card for card, place in zip(cards, known.card_place, strict=False) if place == DISCARDED]
