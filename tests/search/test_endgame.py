"""The end of a game as it is foreseen agrees with brute force by the naive oracle."""

import random
from collections.abc import Iterator

import pytest

from royalcrypt.rules.cards import DISCARDED
from royalcrypt.rules.chance import outcome_at
from royalcrypt.rules.layout import CHANCE, EVERYONE, NOBODY, State, blank, copy_of
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.setup import set_up
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search.endgame import is_in_last_round, only_chance_is_left
from royalcrypt.search.judge import Judge
from royalcrypt.search.outlook import Outlook
from royalcrypt.search.prospects import Prospect, tie_shares
from tests.oracle import engine
from tests.oracle.game import Oracle
from tests.search.naive_end import Hopes, deals, ends, mean, naive_tie, options, wish

CLOSE = 1e-9
MOST_DEALS = {1: 24, 2: 24, 3: 4, 4: 3}
MOST_DICE = {1: 4, 2: 4, 3: 3, 4: 2}
POSITIONS = {1: 40, 2: 20, 3: 10, 4: 8}
OTHERS = 3
"""Actions that are not worth looking at: how many are tried nevertheless."""


def positions(players: int) -> Iterator[tuple[State, Oracle]]:
    """Ends of random games, with random Collectors, small enough for brute force."""
    game = 0
    while True:
        yield from ends_of(players, random.Random(f"{players} {game}"))
        game += 1


def ends_of(players: int, rng: random.Random) -> Iterator[tuple[State, Oracle]]:
    sides, leader = [rng.randrange(2) for _ in range(6)], rng.randrange(players)
    state = blank()
    set_up(state, players, sides, leader)
    oracle = Oracle(players, "".join("AB"[side] for side in sides), leader)
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            outcomes = oracle.outcomes()
            choice = rng.randrange(len(outcomes))
            apply(state, CHANCE, outcome_at(state, choice))
            oracle.apply("chance", outcomes[choice])
            continue
        if is_at_the_end(state):
            told, told_oracle = copy_of(state), oracle.clone()
            told_oracle.log.clear()  # a clone copies all of it
            tell_some(told, told_oracle, rng)
            if is_small(told):
                yield told, told_oracle
        legal = engine.legal(state)
        low = [code for code in legal if code >= 108 or code % 6 < 3]
        action = rng.choice(low if low and rng.random() < 0.7 else legal)
        oracle.apply(state.actor, engine.words(action))
        apply(state, state.actor, action)


def is_at_the_end(state: State) -> bool:
    outlook = Outlook.__new__(Outlook)
    outlook.viewer = state.actor
    return state.errand == 0 and (only_chance_is_left(state) or outlook.decides_last(state))


def tell_some(state: State, oracle: Oracle, rng: random.Random) -> None:
    """So that there are not too many deals, most cards that somebody does not know are shown to all."""
    mine: list[list[int]] = [[] for _ in range(state.seats)]
    for index in range(state.takings):
        mine[state.card_place[state.taken[index]]].append(state.taken[index])
    for numbers, collection in zip(mine, oracle.collections, strict=True):
        for number, card in zip(numbers, collection, strict=True):
            if rng.random() < 0.6:
                state.card_knowers[number] = EVERYONE
                card.public = True
    for number in range(state.drawn):
        if state.card_place[number] == DISCARDED:
            state.card_knowers[number] = EVERYONE
    for card in oracle.discards:
        card.public = True


def is_small(state: State) -> bool:
    dice = sum(slot.dice for slot in state.slots if slot.holder >= 0 and slot.effort > 1)  # type: ignore[attr-defined]
    return dice <= MOST_DICE[scoring_seats(state)]


def agree(prospect: Prospect, hopes: Hopes) -> None:
    wins, scores = hopes
    assert prospect.is_exact
    assert prospect.scores == pytest.approx(scores, abs=CLOSE)
    if len(wins) > 1:
        assert prospect.wins == pytest.approx(wins, abs=CLOSE)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_last_turn_agrees_with_brute_force(players: int) -> None:
    checked = 0
    for state, oracle in positions(players):
        viewer = state.actor
        some = deals(oracle, viewer)
        if len(some) > MOST_DEALS[players] or not is_in_last_round(state):
            continue
        known = copy_of(state)
        conceal(known, viewer)
        outlook = Outlook(Judge(), viewer)
        if only_chance_is_left(state):
            agree(outlook.of(known), mean([(1 / len(some), ends(deal)) for deal in some]))
        else:
            foreseen = {
                tuple(engine.words(code) for code in action): prospect
                for action, prospect in outlook.last_actions(known)
            }
            first = {spelled[0] for spelled in foreseen}
            others = sorted(oracle.legal() - first, key=repr)
            first |= set(random.Random(checked).sample(others, min(OTHERS, len(others))))
            naive = dict(options(some, viewer, first))
            for spelled, prospect in foreseen.items():
                agree(prospect, naive[spelled])
            found = outlook.of(known)
            most = max(wish(hopes, viewer) for hopes in naive.values())
            assert wish((list(found.wins) or [1.0], list(found.scores)), viewer) == pytest.approx(
                most, abs=CLOSE
            )
        checked += 1
        if checked == POSITIONS[players]:
            break


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (3, 0), (0, 0), (2, 2), (1, 2, 1), (0, 0, 1), (1, 1, 1, 1)])
def test_ties_are_broken_as_often_as_every_roll_written_out_says(dice: tuple[int, ...]) -> None:
    assert tie_shares(dice) == pytest.approx(naive_tie(dice), abs=CLOSE)
