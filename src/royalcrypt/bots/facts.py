"""Facts for or against a move, with numbers; ``bots.wording`` converts them to text."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from royalcrypt.bots.claims import RISKS, ClaimTurn
from royalcrypt.notation.moves import Move, Placement, Verb
from royalcrypt.play.knowledge import CardView
from royalcrypt.play.views import View
from royalcrypt.rules.cards import TAPESTRY, gain
from royalcrypt.rules.catalogue import CONDITION, MOST_COINS, entry_of
from royalcrypt.rules.collectors import run_idol_race
from royalcrypt.rules.layout import SEATS, TYPES, State, copy_of
from royalcrypt.rules.scoring import bonus, tally
from royalcrypt.search.dice_outcomes import hidden_cards
from royalcrypt.search.endgame import peeked_states

MOST_FACTS = 3
NOTICEABLE_CHANCE = 0.02
NOTICEABLE_COINS = 0.5
NOTICEABLE_DICE = 0.1
MUCH_MORE_COINS = 2.0
"""The difference in coins from which a card counts as much more valuable to a rival (fact ``denies``)."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A key of the text catalogue (``advice.fact.…``) and the values to fill in."""

    key: str
    details: dict[str, Any]


def facts_about(view: View, seat: int, move: Move) -> tuple[Fact, ...]:
    """The most important facts about a legal move that consists of one action."""
    action = move.actions[0]
    match action.verb:
        case Verb.CLAIM:
            found = list(_about_claim(view, seat, action.place))
        case Verb.RECOVER:
            exhausted = view.seats[seat].exhausted
            found = [Fact("recovers", {"dice": exhausted}) if exhausted else Fact("passes", {})]
        case Verb.TAKE:
            found = [_gain(view, ClaimTurn(view, seat), [action.slot or 0]), Fact("takes", {})]
        case Verb.REROLL:
            effort = view.row[action.slot or 0].effort
            found = [Fact("rerolls", {"chance": 1 - RISKS[effort], "effort": effort})]
        case Verb.MEND:
            found = [Fact("last_mend" if view.phase == "remains" else "mends", {})]
        case Verb.PEEK:
            found = [Fact("peeks", {})]
        case Verb.DECLINE:
            found = [Fact("declines", {})]
    return tuple(found)[:MOST_FACTS]


def _about_claim(view: View, seat: int, places: tuple[Placement, ...]) -> Iterator[Fact]:
    """Facts about a claim, the most important first."""
    turn = ClaimTurn(view, seat)
    yield _gain(view, turn, [place.slot for place in places])
    yield from _kept(view, turn, places)
    yield from _pushed(view, turn, places)
    yield from _denied(view, turn, places)
    yield from _risks(view, turn, places)
    failing = sum(place.dice * RISKS[place.effort] for place in places)
    if failing >= NOTICEABLE_DICE:
        yield Fact("tires", {"dice": failing})
    elif failing == 0:
        yield Fact("untiring", {})


def _gain(view: View, turn: ClaimTurn, slots: list[int]) -> Fact:
    """The claim's gain: coins, the bonus if the game ended now, and the expected further bonus."""
    cards = [card for slot in slots if (card := view.row[slot].card) is not None]
    coins = sum(card.expected() for card in cards)
    paid = _paid_at_once(view.known, turn.seat, cards)
    total = sum(turn.gains[slot] for slot in slots)
    total += sum(more for pair, more in turn.together.items() if set(pair) <= set(slots))
    further = total - coins - paid
    return Fact(
        "gain",
        {
            "cards": [str(card) for card in cards],
            "coins": coins,
            "paid": paid if paid >= NOTICEABLE_COINS else 0.0,
            "hoped": further if further >= NOTICEABLE_COINS and view.round < view.rounds else 0.0,
        },
    )


def _paid_at_once(known: State, seat: int, cards: list[CardView]) -> float:
    """The additional bonus from these cards if the game ended now."""
    before = sum(_bonuses(known, seat))
    numbers = [card.number for card in cards]
    unseen = [number for number in numbers if known.card_value[number] == 0]
    after = 0.0
    for chance, seen in peeked_states(known, unseen):
        trial = copy_of(seen)
        trial.noted = 0
        for number in numbers:
            gain(trial, seat, number)
        run_idol_race(trial)
        after += chance * sum(_bonuses(trial, seat))
    return after - before


def _bonuses(state: State, seat: int) -> list[int]:
    """Bonuses by type; Tapestry A counts 0 while a Tapestry of unknown value is held."""
    trial = copy_of(state)
    tally(trial)
    found = [bonus(trial, seat, card_type) for card_type in range(TYPES)]
    hidden = [card for card in hidden_cards(state) if state.card_type[card] == TAPESTRY]
    is_unknown = any(state.card_place[card] < SEATS for card in hidden)
    if CONDITION[entry_of(state, TAPESTRY)] == MOST_COINS and is_unknown:
        found[TAPESTRY] = 0
    return found


def _kept(view: View, turn: ClaimTurn, places: tuple[Placement, ...]) -> Iterator[Fact]:
    """The dice left for the Leader's second turn, and the best card for them (R5.6)."""
    left = view.seats[turn.seat].ready - sum(place.dice for place in places)
    claimed = {place.slot for place in places}
    others = [slot for slot in view.row if slot.card is not None and slot.slot not in claimed]
    if turn.has_second_turn and left and others:
        best = max(others, key=lambda slot: turn.gains[slot.slot])
        yield Fact("keeps", {"dice": left, "cards": [str(best.card)]})


def _pushed(view: View, turn: ClaimTurn, places: tuple[Placement, ...]) -> Iterator[Fact]:
    """The players that the claim pushes out, and their losses."""
    slots = [view.row[place.slot] for place in places if view.row[place.slot].holder is not None]
    if not slots:
        return
    cards = [str(slot.card) for slot in slots]
    if view.is_solo:
        yield Fact("pushes_ghost", {"cards": cards})
        return
    losses = [(slot.holder or 0, turn.rivals_gains[slot.holder or 0][slot.slot]) for slot in slots]
    who = sorted({rival for rival, _ in losses})
    yield Fact("pushes", {"who": who, "cards": cards, "worth": sum(worth for _, worth in losses)})


def _denied(view: View, turn: ClaimTurn, places: tuple[Placement, ...]) -> Iterator[Fact]:
    """A free card, not claimed, that is worth much more to a rival who could still claim it."""
    found = [
        (turn.rivals_gains[rival][place.slot], rival, place.slot)
        for place in places
        for rival, dice in turn.rivals
        if dice and view.row[place.slot].holder is None
    ]
    worth, rival, slot = max(found, default=(0.0, 0, 0))
    if worth >= turn.gains[slot] + MUCH_MORE_COINS:
        yield Fact("denies", {"who": [rival], "cards": [str(view.row[slot].card)], "worth": worth})


def _risks(view: View, turn: ClaimTurn, places: tuple[Placement, ...]) -> Iterator[Fact]:
    """The highest risk of being pushed out: exact for the Ghost, estimated for people."""
    if view.is_solo:
        keeps = turn.ghost_keeps(places)
    else:
        keeps = [turn.chance_to_keep(place.slot, place.total) for place in places]
    keep, slot = min((keep, place.slot) for keep, place in zip(keeps, places, strict=True))
    if 1 - keep >= NOTICEABLE_CHANCE:
        key = "risk_exact" if view.is_solo else "risk"
        yield Fact(key, {"chance": 1 - keep, "cards": [str(view.row[slot].card)]})
    elif keep == 1:
        yield Fact("last_turn" if view.is_last_turn else "safe", {})
