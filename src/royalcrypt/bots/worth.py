"""The value of cards to the players of a view, in coins and expected bonuses."""

from functools import cache, partial
from math import comb, sqrt
from typing import NamedTuple

from royalcrypt.notation.cards import LETTERS, SIDES
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.views import SeatView, View
from royalcrypt.rules.cards import Type
from royalcrypt.rules.catalogue import COLLECTORS, FINEST_CARD, HELD, MOST_COINS, PAYS
from royalcrypt.rules.layout import TYPES, VALUES

SHARE = (0.0, 0.5, 0.42, 0.31, 0.24)
"""The expected share of the cards to come that a player will own, by number of players."""
REROLL_WORTH = 0.8
PEEK_WORTH = 0.4
TAKE_WORTH = 2.6
MEND_WORTH = 1.4
FIRST_IDOLS_WORTH = 3.5


@cache
def odds_of_more(cards: int, share: float) -> tuple[float, ...]:
    """The chance to win exactly 0, 1, … of these cards, if each is won with the chance ``share``."""
    return tuple(comb(cards, won) * share**won * (1 - share) ** (cards - won) for won in range(cards + 1))


class CardColumn(NamedTuple):
    """A player's cards of one type, as the viewer knows them; hidden cards count their expected value."""

    held: int
    coins: float
    finest: float
    unflipped: int

    def with_card(self, value: float) -> "CardColumn":
        return CardColumn(self.held + 1, self.coins + value, max(self.finest, value), self.unflipped + 1)


def columns_of(seat: SeatView) -> list[CardColumn]:
    values: list[list[float]] = [[] for _ in range(TYPES)]
    for card in seat.cards:
        values[LETTERS.index(card.type)].append(card.expected())
    return [
        CardColumn(seat.held[t], sum(values[t], 0.0), max(values[t], default=0.0), seat.unflipped[t])
        for t in range(TYPES)
    ]


class Appraiser:
    """Values cards for all seats of one view."""

    def __init__(self, view: View) -> None:
        self.players = view.players
        self.sides = [COLLECTORS[kind][SIDES.index(side)] for kind, side in enumerate(view.collectors)]
        self.rounds_left = view.rounds - view.round
        self.columns = [columns_of(view.seats[seat]) for seat in range(view.players)]
        self.has_won_idols = [view.seats[seat].won_idols for seat in range(view.players)]
        self.is_race_over = any(self.has_won_idols)
        share = SHARE[view.players]
        self.more = [odds_of_more(cards, share) for cards in _cards_to_come(view)]
        columns = (self._idols, self._jewelry, self._manuscripts)
        self.expected_bonuses = (*columns, self._pottery, self._remains, self._tapestries)

    def gain(self, seat: int, card: CardView) -> float:
        """The expected increase of this player's score by the card, in coins."""
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
        """The value that two cards of a type add together, beyond the sum of their separate gains."""
        card_type = LETTERS.index(one.type)
        column = self.columns[seat][card_type]
        first, second = column.with_card(one.expected()), column.with_card(other.expected())
        both = first.with_card(other.expected())
        worth = partial(self.worth, seat, card_type)
        return worth(both) + worth(column) - worth(first) - worth(second)

    def worth(self, seat: int, card_type: int, column: CardColumn) -> float:
        """The coins and the expected bonus of all cards of this type that a player owns."""
        return column.coins + self.expected_bonuses[card_type](seat, column)

    def chance_of(self, card_type: int, missing: int) -> float:
        """The chance to get at least this many more cards of the type before the game ends."""
        return 1.0 if missing <= 0 else sum(self.more[card_type][missing:])

    def _idols(self, seat: int, column: CardColumn) -> float:
        side = self.sides[Type.IDOL]
        if not side.pays:
            useful = REROLL_WORTH if self.rounds_left else REROLL_WORTH / 2
            return useful * min(column.unflipped, 3)
        needed, first = side.pays[-1]
        if self.has_won_idols[seat]:
            return first
        if self.is_race_over:
            return side.otherwise[-1][1] * self.chance_of(Type.IDOL, needed - column.held)
        if column.held >= needed:
            return first
        return FIRST_IDOLS_WORTH * self.chance_of(Type.IDOL, needed - column.held)

    def _jewelry(self, seat: int, column: CardColumn) -> float:  # noqa: ARG002
        needed, amount = self.sides[Type.JEWELRY].pays[-1]
        if self.sides[Type.JEWELRY].unit == FINEST_CARD:
            return amount * column.finest * self.chance_of(Type.JEWELRY, needed - column.held)
        return amount * column.held

    def _manuscripts(self, seat: int, column: CardColumn) -> float:  # noqa: ARG002
        side = self.sides[Type.MANUSCRIPT]
        if not side.pays:
            return PEEK_WORTH * min(column.unflipped, self.rounds_left)
        needed, worth = side.pays[-1]
        raised = worth * column.held - column.coins
        return raised * self.chance_of(Type.MANUSCRIPT, needed - column.held)

    def _pottery(self, seat: int, column: CardColumn) -> float:  # noqa: ARG002
        if not self.sides[Type.POTTERY].pays:
            return TAKE_WORTH * min(self._payments(Type.POTTERY, column), self.rounds_left)
        at = 2 * Type.POTTERY * HELD + column.held
        return sum(odds * PAYS[at + more] for more, odds in enumerate(self.more[Type.POTTERY]))

    def _remains(self, seat: int, column: CardColumn) -> float:  # noqa: ARG002
        side = self.sides[Type.REMAINS]
        if not side.pays:
            return MEND_WORTH * self._payments(Type.REMAINS, column)
        needed, coins = side.pays[-1]
        return coins * self.chance_of(Type.REMAINS, needed - column.held)

    def _payments(self, card_type: int, column: CardColumn) -> float:
        """The number of rewards that the cards pay for; a remainder counts as a fraction of a reward."""
        flips = self.sides[card_type].flips
        left_over = column.unflipped % flips * self.chance_of(card_type, 1) / flips
        return column.unflipped // flips + left_over

    def _tapestries(self, seat: int, column: CardColumn) -> float:
        side = self.sides[Type.TAPESTRY]
        needed, coins = side.pays[-1]
        if side.condition == MOST_COINS:
            return coins * self._chance_of_finest(seat, column)
        rivals = [self.columns[other][Type.TAPESTRY].held for other in range(self.players) if other != seat]
        shared = self.chance_of(Type.TAPESTRY, needed - max(rivals)) if rivals else 0.0
        paid = coins - shared * (coins - side.otherwise[-1][1])
        return paid * self.chance_of(Type.TAPESTRY, needed - column.held)

    def _chance_of_finest(self, seat: int, column: CardColumn) -> float:
        """The chance to own the most valuable Tapestries; 0 or 1 once no more are to come."""
        if self.players == 1:
            return self.chance_of(Type.TAPESTRY, 1 - column.held)
        if column.held == 0:
            return 0.0
        rivals = (self.columns[other][Type.TAPESTRY].coins for other in range(self.players) if other != seat)
        lead = column.coins - max(rivals)
        to_come = len(self.more[Type.TAPESTRY]) - 1
        if to_come == 0:
            return float(lead >= 0)
        return min(1.0, max(0.0, 0.5 + lead / (2 + 4 * sqrt(to_come))))


def _cards_to_come(view: View) -> list[int]:
    """Cards in the deck by type; all players can count them, because backs show the type (R1.2)."""
    left = [sum(view.unseen[letter]) for letter in LETTERS]
    lying = [card for seat in view.seats for card in seat.cards]
    lying += [slot.card for slot in view.row if slot.card is not None]
    for card in (*lying, *view.discards):
        if card.odds is not None:
            left[LETTERS.index(card.type)] -= 1
    return left
