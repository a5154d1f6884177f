"""The value of cards to the players of a view: coins, and expected bonuses."""

from functools import cache
from math import comb, sqrt

from royalcrypt.notation.cards import LETTERS
from royalcrypt.play.insight import CardView
from royalcrypt.play.views import SeatView, View
from royalcrypt.rules.cards import Type
from royalcrypt.rules.layout import TYPES, VALUES
from royalcrypt.rules.scoring import (
    ALL_REMAINS,
    FINEST_TAPESTRIES,
    FIRST_IDOLS,
    LATER_IDOLS,
    MANUSCRIPT_WORTH,
    ONLY_TAPESTRIES,
    POTTERY_SETS,
    SHARED_TAPESTRIES,
)

SHARE = (0.0, 0.5, 0.42, 0.31, 0.24)
"""By number of players, the expected share of the cards to come."""
REROLL_WORTH = 0.8
PEEK_WORTH = 0.4
TAKE_WORTH = 2.6
MEND_WORTH = 1.4
HOPE_FOR_FIRST_IDOLS = 3.5


@cache
def odds_of_more(cards: int, share: float) -> tuple[float, ...]:
    """The chance to win exactly 0, 1, … of these cards, if each is won with the chance ``share``."""
    return tuple(comb(cards, won) * share**won * (1 - share) ** (cards - won) for won in range(cards + 1))


class Column:
    """A player's cards of one type, as the viewer knows them; hidden cards count their expected value."""

    __slots__ = ("coins", "count", "finest", "unflipped")

    def __init__(self, count: int, coins: float, finest: float, unflipped: int) -> None:
        self.count = count
        self.coins = coins
        self.finest = finest
        self.unflipped = unflipped

    def with_card(self, value: float) -> "Column":
        return Column(self.count + 1, self.coins + value, max(self.finest, value), self.unflipped + 1)


def columns_of(seat: SeatView) -> list[Column]:
    columns = [Column(seat.held[t], 0.0, 0.0, seat.unflipped[t]) for t in range(TYPES)]
    for card in seat.cards:
        column = columns[LETTERS.index(card.type)]
        value = card.expected()
        column.coins += value
        column.finest = max(column.finest, value)
    return columns


class Appraiser:
    """Values cards for every seat of one view."""

    def __init__(self, view: View) -> None:
        self.players = view.players
        self.is_side_a = [side == "A" for side in view.collectors]
        self.rounds_left = view.rounds - view.round
        self.columns = [columns_of(view.seats[seat]) for seat in range(view.players)]
        self.has_won_idols = [view.seats[seat].won_idols for seat in range(view.players)]
        self.is_race_over = any(self.has_won_idols)
        share = SHARE[view.players]
        self.more = [odds_of_more(cards, share) for cards in _cards_to_come(view)]
        self.payers = (
            self._idols,
            self._jewelry,
            self._manuscripts,
            self._pottery,
            self._remains,
            self._tapestries,
        )

    def gain(self, seat: int, card: CardView) -> float:
        """Coins that the card is expected to add to this player's score."""
        card_type = LETTERS.index(card.type)
        column = self.columns[seat][card_type]
        before = self.worth(seat, card_type, column)
        if card.odds is None:
            return self.worth(seat, card_type, column.with_card(card.value or 0)) - before
        after = 0.0
        for value in range(1, VALUES + 1):
            if card.odds[value - 1]:
                after += card.odds[value - 1] * self.worth(seat, card_type, column.with_card(value))
        return after / sum(card.odds) - before

    def gain_together(self, seat: int, one: CardView, other: CardView) -> float:
        """What two cards of a type add together beyond the sum of their single gains."""
        card_type = LETTERS.index(one.type)
        column = self.columns[seat][card_type]
        first, second = column.with_card(one.expected()), column.with_card(other.expected())
        both = first.with_card(other.expected())
        return (
            self.worth(seat, card_type, both)
            + self.worth(seat, card_type, column)
            - self.worth(seat, card_type, first)
            - self.worth(seat, card_type, second)
        )

    def worth(self, seat: int, card_type: int, column: Column) -> float:
        """Coins and expected bonus of all a player's cards of this type."""
        return column.coins + self.payers[card_type](seat, column)

    def chance_of(self, card_type: int, missing: int) -> float:
        """The chance to get at least so many more cards of the type before the game ends."""
        return 1.0 if missing <= 0 else sum(self.more[card_type][missing:])

    def _idols(self, seat: int, column: Column) -> float:
        if self.is_side_a[Type.IDOL]:
            useful = REROLL_WORTH if self.rounds_left else REROLL_WORTH / 2
            return useful * min(column.unflipped, 3)
        if self.has_won_idols[seat]:
            return FIRST_IDOLS
        if self.is_race_over:
            return LATER_IDOLS * self.chance_of(Type.IDOL, 2 - column.count)
        if column.count >= 2:
            return FIRST_IDOLS
        return HOPE_FOR_FIRST_IDOLS * self.chance_of(Type.IDOL, 2 - column.count)

    def _jewelry(self, seat: int, column: Column) -> float:  # noqa: ARG002
        if self.is_side_a[Type.JEWELRY]:
            return column.finest * self.chance_of(Type.JEWELRY, 2 - column.count)
        return column.count

    def _manuscripts(self, seat: int, column: Column) -> float:  # noqa: ARG002
        if self.is_side_a[Type.MANUSCRIPT]:
            raised = MANUSCRIPT_WORTH * column.count - column.coins
            return raised * self.chance_of(Type.MANUSCRIPT, 2 - column.count)
        return PEEK_WORTH * min(column.unflipped, self.rounds_left)

    def _pottery(self, seat: int, column: Column) -> float:  # noqa: ARG002
        if not self.is_side_a[Type.POTTERY]:
            return TAKE_WORTH * min(self._pairs(Type.POTTERY, column), self.rounds_left)
        return sum(
            odds * POTTERY_SETS[column.count + more] for more, odds in enumerate(self.more[Type.POTTERY])
        )

    def _remains(self, seat: int, column: Column) -> float:  # noqa: ARG002
        if self.is_side_a[Type.REMAINS]:
            return MEND_WORTH * self._pairs(Type.REMAINS, column)
        return ALL_REMAINS * self.chance_of(Type.REMAINS, 4 - column.count)

    def _pairs(self, card_type: int, column: Column) -> float:
        """Pairs to flip; an odd card counts half of the chance to complete it."""
        odd = column.unflipped % 2 * self.chance_of(card_type, 1) / 2
        return column.unflipped // 2 + odd

    def _tapestries(self, seat: int, column: Column) -> float:
        if self.is_side_a[Type.TAPESTRY]:
            return FINEST_TAPESTRIES * self._chance_of_finest(seat, column)
        rivals = [self.columns[other][Type.TAPESTRY].count for other in range(self.players) if other != seat]
        shared = self.chance_of(Type.TAPESTRY, 3 - max(rivals)) if rivals else 0.0
        paid = ONLY_TAPESTRIES - shared * (ONLY_TAPESTRIES - SHARED_TAPESTRIES)
        return paid * self.chance_of(Type.TAPESTRY, 3 - column.count)

    def _chance_of_finest(self, seat: int, column: Column) -> float:
        """The chance to have the most valuable Tapestries; 0 or 1 once none are to come."""
        if self.players == 1:
            return self.chance_of(Type.TAPESTRY, 1 - column.count)
        if column.count == 0:
            return 0.0
        rivals = (self.columns[other][Type.TAPESTRY].coins for other in range(self.players) if other != seat)
        ahead = column.coins - max(rivals)
        to_come = len(self.more[Type.TAPESTRY]) - 1
        if to_come == 0:
            return float(ahead >= 0)
        return min(1.0, max(0.0, 0.5 + ahead / (2 + 4 * sqrt(to_come))))


def _cards_to_come(view: View) -> list[int]:
    """Cards in the deck by type; all players can count them, because backs show the type (R1.2)."""
    left = [sum(view.unseen[letter]) for letter in LETTERS]
    lying = [card for seat in view.seats for card in seat.cards]
    lying += [slot.card for slot in view.row if slot.card is not None]
    for card in (*lying, *view.discards):
        if card.odds is not None:
            left[LETTERS.index(card.type)] -= 1
    return left
