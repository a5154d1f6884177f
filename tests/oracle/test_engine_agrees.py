"""The engine and the oracle play the same random games and must agree at every decision."""

import random
from typing import Any

import pytest

from royalcrypt.rules.chance import outcome_at
from royalcrypt.rules.layout import CHANCE, NOBODY, SPECTATOR, State, blank, copy_of
from royalcrypt.rules.phases import Phase
from royalcrypt.rules.reveal import set_up
from royalcrypt.rules.scoring import bonus, place_of, scoring_seats, treasure
from royalcrypt.rules.turns import apply
from royalcrypt.rules.views import conceal
from tests.oracle import engine
from tests.oracle.game import Oracle

GAMES = 60


def agree_on_facts(state: State, oracle: Oracle) -> None:
    ours = engine.facts(state)
    theirs: dict[str, Any] = oracle.facts()
    if ours["row"] is None:
        theirs["row"] = None
    theirs["discards"] = sorted(theirs["discards"], key=repr)
    if state.phase == Phase.IDOL:  # dice lie on their cards until the window closes
        for name in ("ready", "exhausted"):
            del ours[name], theirs[name]
    assert ours == theirs


def agree_on_beliefs(state: State, oracle: Oracle) -> None:
    for viewer in range(scoring_seats(state)):
        seen = copy_of(state)
        conceal(seen, viewer)
        mine = {letter: tuple(seen.unseen[4 * t : 4 * t + 4]) for t, letter in enumerate(engine.LETTERS)}  # type: ignore[index]
        assert mine == oracle.beliefs(viewer)
    seen = copy_of(state)
    conceal(seen, SPECTATOR)
    mine = {letter: tuple(seen.unseen[4 * t : 4 * t + 4]) for t, letter in enumerate(engine.LETTERS)}  # type: ignore[index]
    assert mine == oracle.beliefs("public")


def agree_on_result(state: State, oracle: Oracle) -> None:
    result = oracle.result()
    seats = range(scoring_seats(state))
    assert [state.players[seat].score for seat in seats] == result["scores"]
    assert [place_of(state, seat) for seat in seats] == result["places"]
    assert [seat for seat in seats if state.players[seat].is_contender] == result["winners"]
    for seat in seats:
        breakdown = result["breakdown"][seat]
        assert treasure(state, seat) == breakdown["treasure"]
        assert [bonus(state, seat, kind) for kind in range(6)] == list(breakdown["collectors"].values())
        assert state.players[seat].ready == breakdown["servants"]


def play_along(players: int, rng: random.Random) -> None:
    sides = [rng.randrange(2) for _ in range(6)]
    leader = rng.randrange(players)
    state = blank()
    set_up(state, players, sides, leader)
    oracle = Oracle(players, "".join("AB"[side] for side in sides), leader)
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            assert oracle.actor == "chance"
            assert engine.chances(state) == oracle.chance()
            assert engine.address(state) == oracle.address()
            outcomes = oracle.outcomes()
            choice = rng.randrange(len(outcomes))
            outcome = outcome_at(state, choice)
            assert engine.chance_words(state, outcome) == outcomes[choice]
            oracle.apply("chance", outcomes[choice])
            apply(state, CHANCE, outcome)
            continue
        assert oracle.actor == state.actor
        agree_on_facts(state, oracle)
        legal = engine.legal(state)
        assert legal == sorted(legal)
        assert {engine.words(action) for action in legal} == oracle.legal()
        choices = [(state.actor, action) for action in legal]
        for seat in range(scoring_seats(state)):
            if seat != state.actor:
                others = engine.any_time(state, seat)
                assert {engine.words(action) for action in others} == oracle.legal(seat)
                choices += [(seat, action) for action in others for _ in range(len(legal))]
        if rng.random() < 0.1:
            agree_on_beliefs(state, oracle)
        seat, action = rng.choice(choices)
        apply(state, seat, action)
        oracle.apply(seat, engine.words(action))
    assert oracle.actor == "over"
    agree_on_result(state, oracle)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("chunk", range(8))
def test_engine_and_oracle_agree_on_actions_state_and_score_at_every_decision(
    chunk: int, players: int
) -> None:
    rng = random.Random(f"{players} {chunk}")
    for _ in range(GAMES):
        play_along(players, rng)
