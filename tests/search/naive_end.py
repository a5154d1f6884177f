"""The end of a game by brute force: every deal, every die and every decision, played by the naive oracle."""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from itertools import permutations, product
from math import prod
from typing import Any

from tests.oracle.cards import TYPES, Card
from tests.oracle.game import Action, Oracle

Hopes = tuple[list[float], list[float]]
"""By seat, shares of the win and scores."""
Deals = list[Oracle]
"""Equally likely, and all alike to one viewer."""


def mean(hopes: list[tuple[float, Hopes]]) -> Hopes:
    seats = range(len(hopes[0][1][0]))
    return (
        [sum(chance * wins[seat] for chance, (wins, _) in hopes) for seat in seats],
        [sum(chance * scores[seat] for chance, (_, scores) in hopes) for seat in seats],
    )


def wish(hopes: Hopes, seat: int) -> tuple[float, float]:
    """To win, and then to score; alone, everybody wins."""
    wins, scores = hopes
    return round(wins[seat], 9), round(scores[seat], 9)


def deals(oracle: Oracle, viewer: int) -> Deals:
    """Every way to exchange, within a type, the cards that the viewer does not know."""
    unknown = [
        [card for card in cards(oracle) if card.type == t and not card.known_to(viewer)] for t in TYPES
    ]
    found: Deals = []
    for values in product(*(sorted(set(permutations(card.value for card in of))) for of in unknown)):
        deal = oracle.clone()
        hidden = [
            [card for card in cards(deal) if card.type == t and not card.known_to(viewer)] for t in TYPES
        ]
        for of, given in zip(hidden, values, strict=True):
            for card, value in zip(of, given, strict=True):
                card.value = value
        found.append(deal)
    return found


def cards(oracle: Oracle) -> list[Card]:
    found = [card for collection in oracle.collections for card in collection]
    return [*found, *oracle.discards, *(spot.card for spot in oracle.row if spot.card is not None)]


def best(deals: Deals, viewer: int) -> Hopes:
    """Without efforts that are higher than they need be; that those are no better is tried elsewhere."""
    legal = deals[0].legal()
    sensible = [action for action in legal if less_effort(action) not in legal]
    return max(
        (hopes for _, hopes in options(deals, viewer, sensible)), key=lambda hopes: wish(hopes, viewer)
    )


def less_effort(action: Action) -> Action | None:
    return (*action[:3], int(action[3]) - 1) if action[0] == "place" else None


def options(
    deals: Deals, viewer: int, only: Collection[Action]
) -> Iterator[tuple[tuple[Action, ...], Hopes]]:
    """Whole actions of the viewer, who has the last turn, some of all; what each leads to on average."""
    for action in sorted(only, key=repr):
        after = [deal.clone() for deal in deals]
        spelled = [action]
        for deal in after:
            deal.apply(viewer, action)
        while after[0].debt:
            spelled.append(min(after[0].legal()))
            for deal in after:
                deal.apply(viewer, spelled[-1])
        if action == ("peek",):
            seen: dict[Any, Deals] = {}
            for deal in after:
                down = tuple(spot.card.name for spot in deal.row if spot.card and spot.down)
                seen.setdefault(down, []).append(deal)
            hopes = mean([(len(some) / len(after), best(some, viewer)) for some in seen.values()])
        elif action == ("mend",):
            hopes = best(after, viewer)
        else:
            hopes = mean([(1 / len(after), ends(deal)) for deal in after])
        yield tuple(spelled), hopes


def ends(oracle: Oracle) -> Hopes:
    """Whoever decides does what is best for them; here they even know all cards."""
    actor = oracle.actor
    if actor == "over":
        wins = [float(seat in oracle.contenders) / len(oracle.contenders) for seat in oracle.collectors()]
        return wins, [float(score) for score in oracle.scores()]
    if actor == "chance":
        step = oracle.agenda[0]
        if step.kind == "tiedie":
            return tied(oracle)
        if step.kind == "ghostdie":
            return mean([(1 / 6, after(oracle, "chance", ("die", face))) for face in range(1, 7)])
        fails = (step.effort - 1) / 6  # R6.3: all faces that fail are alike, and all that hold
        return mean(
            [(fails, after(oracle, "chance", ("die", 1))), (1 - fails, after(oracle, "chance", ("die", 6)))]
        )
    assert isinstance(actor, int)
    found = [after(oracle, actor, action) for action in oracle.legal()]
    return max(found, key=lambda hopes: wish(hopes, actor))


def after(oracle: Oracle, actor: int | str, action: Action) -> Hopes:
    twin = oracle.clone()
    twin.apply(actor, action)
    return ends(twin)


def tied(oracle: Oracle) -> Hopes:
    wins = [0.0] * len(oracle.collectors())
    shares = naive_tie(tuple(oracle.ready[seat] for seat in oracle.contenders))
    for seat, share in zip(oracle.contenders, shares, strict=True):
        wins[seat] = share
    return wins, [float(score) for score in oracle.scores()]


@cache
def naive_tie(dice: tuple[int, ...]) -> tuple[float, ...]:
    """R7.3 with every roll written out; who tie again roll again, which is a geometric series."""
    if len(dice) == 1 or not sum(dice):
        return (1 / len(dice),) * len(dice)
    shares, again, rolls = [0.0] * len(dice), 0, 6 ** sum(dice)
    sums = [Counter(sum(faces) for faces in product(range(1, 7), repeat=count)) for count in dice]
    for totals in product(*sums):
        ways = prod(sums[seat][total] for seat, total in enumerate(totals))
        top = [seat for seat, total in enumerate(totals) if total == max(totals)]
        if len(top) == len(dice):
            again += ways
            continue
        for seat, share in zip(top, naive_tie(tuple(dice[seat] for seat in top)), strict=True):
            shares[seat] += ways * share
    return tuple(share / (rolls - again) for share in shares)
