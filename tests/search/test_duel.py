"""Going through a round of two finds what is best for both, whichever way the dice fall."""

import random
from collections.abc import Iterator
from itertools import islice
from math import inf
from typing import Any

import numpy as np
import pytest

from royalcrypt import Game
from royalcrypt.bots import Budget, bot_named
from royalcrypt.rules.actions import DECLINE, DONE, MEND, PEEK, RECOVER, placed_effort, placement
from royalcrypt.rules.cards import IDOL, SIDE_A
from royalcrypt.rules.claims import is_last_turn
from royalcrypt.rules.collectors import can_mend, can_peek
from royalcrypt.rules.layout import EVERYONE, State, copy_of, no_options
from royalcrypt.rules.turns import apply, is_under_way, legal_actions
from royalcrypt.rules.views import conceal
from royalcrypt.search.dice_outcomes import any_deal, hidden_cards, is_collecting, roll_outcomes, without_deal
from royalcrypt.search.duel import BEST_LINE, CELLS, COUNTS, TIES, RoundSearch, is_duel, is_wasteful, roll_one
from royalcrypt.search.endgame import is_in_last_round
from royalcrypt.search.forecasts import Forecaster
from royalcrypt.search.network import SCORE_SCALE, SCORE_WEIGHT, Evaluator

CLOSE = 1e-5


def claim_turns(seed: int, *, sides: str = "") -> Iterator[State]:
    """What the decider knows, at every claim turn of games of greedy players."""
    while True:
        rng = random.Random(seed)
        chosen = sides or "".join(rng.choice("AB") for _ in range(6))
        game = Game.new(players=2, collectors=chosen, seed=seed)
        while game.actor is not None:
            view = game.view(game.actor)
            if is_duel(view.known):
                yield view.known
            game.play(bot_named("novice" if rng.random() < 0.3 else "greedy").choose(view, Budget(seed=seed)))
        seed += 1


def whole_claims(known: State) -> list[list[int]]:
    """Every claim and recovering, small decision after small decision."""
    found: list[list[int]] = []
    open_claims: list[tuple[list[int], State]] = [([], known)]
    while open_claims:
        codes, state = open_claims.pop()
        if codes and not is_under_way(state, known.actor):
            found.append(codes)
            continue
        options = no_options()
        for index in range(legal_actions(state, options)):
            if options.codes[index] <= RECOVER:
                further = copy_of(state)
                apply(further, known.actor, options.codes[index])
                open_claims.append(([*codes, options.codes[index]], further))
    return found


def after(known: State, codes: list[int]) -> State:
    state = copy_of(known)
    for code in codes:
        apply(state, known.actor, code)
    return state


def by_all_rolls(claimed: State, seat: int) -> float:
    """What the learned values say of every way in which the dice may fall, with the chance of each."""
    judge, hidden = Evaluator(), hidden_cards(claimed)
    ways = [(1.0, any_deal(claimed))]
    while is_collecting(ways[0][1]):
        ways = [
            (chance * part, fallen)
            for chance, way in ways
            for part, fallen in roll_outcomes(way, lambda _: DECLINE)
        ]
    total = 0.0
    for chance, way in ways:
        known = without_deal(way, hidden)
        own = judge.prediction(known, seat)
        conceal(known, 1 - seat)
        rival = judge.prediction(known, 1 - seat)
        total += chance * (own.win + SCORE_WEIGHT * (own.score - rival.score) / SCORE_SCALE)
    return total


def last_turns(seed: int, count: int) -> Iterator[State]:
    """Not of the last round; with Idols on side B, so that nobody rolls again."""
    found = (state for state in claim_turns(seed, sides="BABABA") if is_last_turn(state))
    return islice((state for state in found if not is_in_last_round(state)), count)


def test_all_dice_are_reckoned_with() -> None:
    rng = random.Random(1)
    for known in last_turns(3, 6):
        claimed = after(known, rng.choice(whole_claims(known)))
        searched = RoundSearch()._searched(claimed, known.actor, inf)
        assert searched == pytest.approx(by_all_rolls(claimed, known.actor), abs=CLOSE)


def test_where_no_die_can_fail_the_next_round_is_judged() -> None:
    """Effort 1 is not rolled (R6.3): after the last claim the next round is there at once."""
    for known in last_turns(4, 3):
        safe = copy_of(known)
        for slot in range(3):
            safe.slots[slot].effort = min(1, safe.slots[slot].effort)
        claimed = after(safe, [RECOVER])
        assert claimed.round_number == known.round_number + 1
        searched = RoundSearch()._searched(claimed, known.actor, inf)
        assert searched == pytest.approx(by_all_rolls(claimed, known.actor), abs=CLOSE)


def test_no_claim_is_better_than_the_best_one() -> None:
    """What is left out for its needless risk is not missed; the rival answers each claim as best they can."""
    checked = 0
    for known in islice(claim_turns(5), 0, None, 5):
        if known.turn == 0 or can_mend(known, known.actor) or can_peek(known, known.actor):
            continue
        worth, codes = RoundSearch().best(known, 1)
        duelist = RoundSearch()
        worths = {
            tuple(claim): duelist._searched(after(known, claim), known.actor, inf)
            for claim in whole_claims(known)
        }
        assert worth == pytest.approx(max(worths.values()), abs=CLOSE)
        assert worths[tuple(codes)] == pytest.approx(worth, abs=CLOSE)
        checked += 1
        if checked == 5:
            return


def test_the_first_claim_is_judged_by_the_best_answers_to_it() -> None:
    known = next(state for state in islice(claim_turns(7), 9, None) if state.turn == 0)
    duelist = RoundSearch()
    first, *others = whole_claims(known)[::40]
    theirs = after(known, first)
    answer = RoundSearch().best(theirs, 1)[1]
    worth = duelist._searched(theirs, known.actor, inf)
    line = duelist._memory.lines[BEST_LINE]
    assert [int(code) for code in line["codes"][: line["steps"]]] == answer
    for claim in others[:3]:
        assert duelist._searched(after(theirs, answer), known.actor, inf) == pytest.approx(worth, abs=CLOSE)
        assert duelist._searched(after(known, claim), known.actor, inf) != worth


def test_what_was_found_before_changes_no_answer() -> None:
    """It only says where to look first."""
    states = [state for state in islice(claim_turns(11), 40) if state.turn > 0]
    experienced = RoundSearch()
    for known in states[:8]:
        alone = RoundSearch()._searched(known, known.actor, inf)
        assert experienced.best(known, 1)[0] >= alone - CLOSE
        assert experienced._searched(known, known.actor, inf) == pytest.approx(alone, abs=CLOSE)


def with_all_cards_shown(known: State) -> State:
    shown = any_deal(known)
    for card in range(shown.drawn):
        shown.card_knowers[card] = EVERYONE
    return shown


def test_the_last_turn_of_a_game_is_played_by_its_exact_prospects() -> None:
    """Where nothing is hidden; but for Idols A, which are flipped for the dice in their order."""
    ends = (state for state in claim_turns(20) if is_in_last_round(state) and is_last_turn(state))
    for known in map(with_all_cards_shown, islice(ends, 12)):
        if can_mend(known, known.actor) or can_peek(known, known.actor):
            continue
        exact = dict(Forecaster(Evaluator(), known.actor).last_actions(known))
        best = max(exact.values(), key=lambda prospect: prospect.rank(known.actor))
        chosen = exact[tuple(RoundSearch().best(known, 1)[1])]
        slack = 0.02 if known.sides[IDOL] == SIDE_A else CLOSE
        lead = abs(chosen.scores[0] - chosen.scores[1]) + abs(best.scores[0] - best.scores[1])
        assert chosen.wins[known.actor] >= best.wins[known.actor] - slack - SCORE_WEIGHT * lead / SCORE_SCALE


def test_more_effort_than_anybody_could_beat_is_overdone() -> None:
    known = next(state for state in claim_turns(2) if state.turn == 1)
    helpless = copy_of(known)
    rival = helpless.players[1 - known.actor]
    rival.ready = 0
    free = [slot for slot in range(3) if known.slots[slot].holder != 1 - known.actor]
    for slot in range(3):
        helpless.slots[slot].holder, helpless.slots[slot].dice = -1, 0
    for slot in free:
        assert not is_wasteful(helpless, placement(slot, 1, 1))
        assert is_wasteful(helpless, placement(slot, 1, 2))
    rival.ready = 1
    assert not is_wasteful(helpless, placement(0, 1, 6)), "one die of six could beat five"
    assert is_wasteful(helpless, placement(0, 2, 5))
    assert not is_wasteful(helpless, DONE)


def test_failed_dice_are_rolled_again_while_there_are_idols() -> None:
    odds: Any = np.zeros(CELLS, np.float32)
    odds[0] = 1.0
    risk = (placed_effort(placement(0, 1, 4)) - 1) / 6
    roll_one(odds, 0, risk, 1, 1)
    assert odds[0] == pytest.approx(1 - risk)
    assert odds[1] == pytest.approx(risk * (1 - risk))
    assert odds[COUNTS + 1] == pytest.approx(risk * risk)
    roll_one(odds, 0, risk, 1, 1)
    assert float(odds.sum()) == pytest.approx(1.0)
    assert odds[2 * COUNTS + 1] == pytest.approx(risk**3)


def test_equal_scores_are_worth_what_the_dice_of_both_promise() -> None:
    """R7.3: one die more is better, none against none is shared."""
    assert TIES[0] == 0.5
    for own in range(COUNTS):
        assert TIES[own * COUNTS + own] == pytest.approx(0.5)
        for rival in range(own):
            assert TIES[own * COUNTS + rival] > 0.5
            assert TIES[own * COUNTS + rival] + TIES[rival * COUNTS + own] == pytest.approx(1.0)


@pytest.mark.parametrize(("sides", "reward"), [("AABAAA", PEEK), ("AAAAAA", MEND)])
def test_rewards_are_weighed_against_claims(sides: str, reward: int) -> None:
    """Manuscripts B by what may be seen, Remains A by the die that comes back."""
    used, weighed = 0, 0
    for known in claim_turns(40, sides=sides):
        is_possible = can_peek(known, known.actor) if reward == PEEK else can_mend(known, known.actor)
        if not is_possible:
            continue
        worth, codes = RoundSearch().best(known, 4)
        assert not is_under_way(after(known, codes), known.actor)
        assert RoundSearch().best(known, 4) == (worth, codes)
        used, weighed = used + (codes[0] == reward), weighed + 1
        if weighed == 25:
            break
    assert 0 < used < weighed


def test_whoever_has_no_time_still_claims() -> None:
    known = next(claim_turns(1))
    assert RoundSearch().best(known, 24, seconds=0)[1] in whole_claims(known)
