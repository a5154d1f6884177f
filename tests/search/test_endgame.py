"""The end of a game as it is foreseen agrees with brute force by the naive oracle."""

import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from royalcrypt import Game
from royalcrypt.play.rulings import legal_codes
from royalcrypt.rules.actions import DECLINE, DONE, placement
from royalcrypt.rules.cards import DISCARDED, IDOL, SIDE_A
from royalcrypt.rules.chance import outcome_at
from royalcrypt.rules.layout import CHANCE, EVERYONE, GHOST, NOBODY, State, blank, copy_of
from royalcrypt.rules.phases import CLAIM, NO_ERRAND
from royalcrypt.rules.phases import GHOST as GHOST_ROLLS
from royalcrypt.rules.phases import REMAINS as LAST_CHANCE
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import scoring_seats
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from royalcrypt.search import endgame
from royalcrypt.search.endgame import Prospect, is_in_last_round, only_chance_is_left, tie_shares
from royalcrypt.search.forecasts import Forecaster, is_last_turn_of_game
from royalcrypt.search.network import Evaluator
from tests.oracle import engine
from tests.oracle.game import Oracle
from tests.search.naive_end import Hopes, best, deals, ends, less_effort, mean, naive_tie, options, wish

CLOSE = 1e-9
MOST_DEALS = {1: 24, 2: 24, 3: 4, 4: 3}
MOST_DICE = {1: 4, 2: 4, 3: 3, 4: 2}
POSITIONS = {1: 40, 2: 15, 3: 8, 4: 12}
HIDDEN = 0.4
"""How many of the cards that somebody does not know stay hidden from them."""
OTHERS = 3
"""Placements with more effort than they need: how many are tried nevertheless."""


SECRETS = (
    "rc1 players=2 sides=BBABBB leader=0 phase=claim round=8 turn=2 order=2 decisions=33 pushed=0 chance=0/0 "
    "top=- race=1 row=b2x3,a1x6,vb1x2 seats=0+2p,0+0pw cards=R1bR4bM4b?1/P2aI3b!R2a?0/J3aM2bM3a?0/"
    "T4aT1xJ1b?1/I2b!M1aI1a?0/I4bT3xP1a?0/T2xJ4aP3b?1/P4.J2.R3.?"
)
MANY_HIDDEN = (
    "rc1 players=4 sides=BABAAA leader=1 phase=claim round=8 turn=3 order=4 decisions=56 pushed=0 chance=0/0 "
    "top=- race=0 row=-,c1x3,c1x6,b1x6,vb1x3,vd1x6 seats=1+2,1+0p,0+1p,0+2p cards=I3dJ1bP3aR3xR4x?T2a?0/"
    "J3aR2xM4b!J1dI3c?2T4x?/J4cR4xI4xR1cP1d?3M3c?2/T1cP4aJ4dT3cT3d?3P4b?1/M3bI2xT4cT1aI2x?M1a?0/"
    "R1aR2dP3dJ3xM1b?1T2b?1/J2dI1xM2cI1aP1c?12M2c?12/P2.I4.J2.R3.M4.?P2.?"
)


def positions(
    players: int, is_wanted: Callable[[State], bool], hidden: float = HIDDEN
) -> Iterator[tuple[State, Oracle]]:
    """Ends of random games, with random Collectors, small enough for brute force."""
    game = 0
    while True:
        yield from ends_of(players, random.Random(f"{players} {game}"), is_wanted, hidden)
        game += 1


def ends_of(
    players: int, rng: random.Random, is_wanted: Callable[[State], bool], hidden: float
) -> Iterator[tuple[State, Oracle]]:
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
        if is_wanted(state):
            told, told_oracle = copy_of(state), oracle.clone()
            told_oracle.log.clear()  # a clone copies all of it
            tell_some(told, told_oracle, rng, hidden)
            if is_small(told):
                yield told, told_oracle
        legal = engine.legal(state)
        low = [code for code in legal if code >= 108 or code % 6 < 3]
        action = rng.choice(low if low and rng.random() < 0.7 else legal)
        oracle.apply(state.actor, engine.words(action))
        apply(state, state.actor, action)


def is_at_the_end(state: State) -> bool:
    return state.errand == NO_ERRAND and (only_chance_is_left(state) or is_last_turn_of_game(state))


def tell_some(state: State, oracle: Oracle, rng: random.Random, hidden: float) -> None:
    """So that there are not too many deals, most cards that somebody does not know are shown to all."""
    mine: list[list[int]] = [[] for _ in range(state.seats)]
    for index in range(state.takings):
        mine[state.card_place[state.taken[index]]].append(state.taken[index])
    for numbers, collection in zip(mine, oracle.collections, strict=True):
        for number, card in zip(numbers, collection, strict=True):
            if rng.random() >= hidden:
                state.card_knowers[number] = EVERYONE
                card.public = True
    for number in range(state.drawn):
        if state.card_place[number] == DISCARDED:
            state.card_knowers[number] = EVERYONE
    for card in oracle.discards:
        card.public = True


def is_small(state: State) -> bool:
    dice = sum(slot.dice for slot in state.slots if slot.holder >= 0 and slot.effort > 1)  # type: ignore[attr-defined]
    rerolls = state.players[state.actor].unflipped[IDOL] if state.sides[IDOL] == SIDE_A else 0
    return dice + rerolls <= MOST_DICE[scoring_seats(state)]


def agree(prospect: Prospect, hopes: Hopes) -> None:
    wins, scores = hopes
    assert prospect.is_exact
    assert prospect.scores == pytest.approx(scores, abs=CLOSE)
    if len(wins) > 1:
        assert prospect.wins == pytest.approx(wins, abs=CLOSE)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_last_turn_agrees_with_brute_force(players: int) -> None:
    checked = 0
    for state, oracle in positions(players, is_at_the_end):
        viewer = state.actor
        some = deals(oracle, viewer)
        if len(some) > MOST_DEALS[players] or not is_in_last_round(state):
            continue
        known = known_to(viewer, state)
        outlook = Forecaster(Evaluator(), viewer)
        if only_chance_is_left(state):
            agree(outlook.of(known), mean([(1 / len(some), ends(deal)) for deal in some]))
        else:
            foreseen = {
                tuple(engine.words(code) for code in action): prospect
                for action, prospect in outlook.last_actions(known)
            }
            legal = oracle.legal()
            first = {spelled[0] for spelled in foreseen}
            first |= {action for action in legal if less_effort(action) not in legal}
            others = sorted(legal - first, key=repr)
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


def known_to(viewer: int, state: State) -> State:
    known = copy_of(state)
    conceal(known, viewer)
    return known


def is_before_ghost(state: State) -> bool:
    """Whether the Ghost has the last turn of the game, after this one."""
    return (
        is_in_last_round(state) and state.phase == CLAIM and state.errand == NO_ERRAND and state.leader == 1
    )


def test_before_the_ghosts_last_turn_every_roll_of_it_is_counted() -> None:
    rolled = 0
    for state, oracle in positions(1, is_before_ghost):
        some = deals(oracle, 0)
        pushing = [slot for slot in range(3) if state.slots[slot].holder == GHOST]
        dice = sum(state.slots[slot].dice for slot in pushing)
        places = [("place", slot, 1, 6) for slot in pushing][: state.players[0].ready]
        if len(some) > 4 or not places or dice > 2 or not set(places[:1]) <= oracle.legal():
            continue
        after, naive = known_to(0, state), [deal.clone() for deal in some]
        for what in (places[0], ("done",)):
            for deal in naive:
                if what in deal.legal():
                    deal.apply(0, what)
        for code in (placement(places[0][1], 1, 6), DONE):
            if code in legal_codes(after, 0):
                apply(after, 0, code)
        rolled += after.phase == GHOST_ROLLS
        agree(Forecaster(Evaluator(), 0).of(after), mean([(1 / len(naive), ends(deal)) for deal in naive]))
        if rolled == 6:
            break


@pytest.mark.parametrize("players", [2, 3])
def test_anothers_last_turn_is_exact_for_those_who_know_as_much(players: int) -> None:
    checked = 0
    for state, oracle in positions(players, is_last_turn_of_game, hidden=0.0):
        viewer = (state.actor + 1) % players
        found = Forecaster(Evaluator(), viewer).of(known_to(viewer, state))
        if found.is_exact:
            agree(found, best(deals(oracle, state.actor), state.actor))
            checked += 1
        if checked == 4:
            break


def test_what_only_another_knows_makes_their_turn_a_guess() -> None:
    """Seat 0 has cards that seat 1 never saw, so that seat 1 cannot be sure what seat 0 will do."""
    game = Game.from_position(SECRETS)
    assert Forecaster(Evaluator(), 0).of(game.view(0).known).is_exact
    assert not Forecaster(Evaluator(), 1).of(game.view(1).known).is_exact


def has_last_chance(state: State) -> bool:
    return state.phase == LAST_CHANCE and state.errand == NO_ERRAND


def test_who_declines_the_last_chance_has_no_other() -> None:
    for state, oracle in islice(positions(4, has_last_chance, hidden=0.1), 40):
        known = known_to(state.actor, state)
        apply(known, state.actor, DECLINE)
        naive = [deal.clone() for deal in deals(oracle, state.actor)]
        for deal in naive:
            deal.apply(state.actor, ("decline",))
        hopes = mean([(1 / len(naive), ends(deal)) for deal in naive])
        agree(Forecaster(Evaluator(), state.actor).of(known), hopes)


def test_two_dice_that_cannot_fail_are_thought_of() -> None:
    """One die of effort 1 lies there: two such dice push it out without risk, one die would take effort 2."""
    text = SECRETS.replace("row=b2x3,a1x6,vb1x2 seats=0+2p,0+0pw", "row=b1x1,-,v- seats=3+0,2+0pw")
    known = Game.from_position(text).view(0).known
    actions = {action for action, _ in Forecaster(Evaluator(), 0).last_actions(known)}
    assert {(placement(0, 1, 2),), (placement(0, 2, 1),), (placement(1, 1, 1),)} <= actions
    assert (placement(0, 3, 1),) not in actions
    assert (placement(1, 2, 1),) not in actions


@pytest.mark.parametrize(("bound", "most"), [("MOST_SCORES", 1), ("MOST_ENDS", 1 << 12)])
def test_where_there_is_too_much_to_count_it_draws_and_says_so(
    bound: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Game.from_position(MANY_HIDDEN).view(0).known
    exact = Forecaster(Evaluator(), 0).of(known)
    assert exact.is_exact
    monkeypatch.setattr(endgame, bound, most)
    drawn = Forecaster(Evaluator(), 0).of(known)
    assert not drawn.is_exact
    assert drawn == Forecaster(Evaluator(), 0).of(known)
    assert drawn.wins == pytest.approx(exact.wins, abs=0.05)
    assert drawn.scores == pytest.approx(exact.scores, abs=0.3)


@pytest.mark.parametrize("dice", [(1, 1), (2, 1), (3, 0), (0, 0), (2, 2), (1, 2, 1), (0, 0, 1), (1, 1, 1, 1)])
def test_ties_are_broken_as_often_as_every_roll_written_out_says(dice: tuple[int, ...]) -> None:
    assert tie_shares(dice) == pytest.approx(naive_tie(dice), abs=CLOSE)
